import { expect, test } from 'bun:test'
import { runs } from './runs.ts'

runs(
  {
    name: 'storybook',
    command: 'npm run dev',
    origin: 'http://127.0.0.1:5319',
    path: '/iframe.html?id=counter--primary&viewMode=story',
    source: 'src/counter.jsx',
    syntax: /Expected|Unexpected/,
    missing: /Failed to resolve import .{0,3}\.\/missing-module/,
    env: { STORYBOOK_DISABLE_TELEMETRY: '1' },
  },
  (app) =>
    test('the story in the frame of its page takes clicks, and they tell what they changed', async () => {
      const { call, open } = app()
      await open('/?path=/story/counter--primary')
      const found = await call('snapshot', { pattern: 'Count: 0' })
      const [, ref] = /button "Count: 0".*?\[(f\d+e\d+)\]/.exec(found.data.snapshot) ?? []
      expect(ref).toBeDefined()
      const { changes } = (await call('click', { ref })).data
      expect(changes).toContain('Count: 1')
      expect(changes.length).toBeLessThanOrEqual(400)
    }, 100_000),
)
