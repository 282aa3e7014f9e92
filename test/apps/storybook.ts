import { expect, test } from 'bun:test'
import { SEEN_LIMIT_MS, type App } from './app.ts'
import { runs } from './runs.ts'

const STORY = '#storybook-preview-iframe >> internal:control=enter-frame >> #counter'

// What Storybook's own page shows last: it runs the story as a test and asks for its controls. The click has no part in that.
const LOADED = [
  { selector: STORY },
  { text: 'Component test completed successfully.' },
  { text: 'This story has no controls' },
]

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
    test(
      'the story in the frame of its page takes clicks, and they tell what they changed',
      () => clicksStory(app()),
      5 * SEEN_LIMIT_MS,
    ),
)

async function clicksStory({ call, open }: App): Promise<void> {
  await open('/?path=/story/counter--primary')
  for (const part of LOADED)
    expect((await call('wait_for', { ...part, timeout: SEEN_LIMIT_MS })).data).toMatchObject({
      success: true,
    })
  const found = await call('snapshot', { pattern: 'Count: 0' })
  const [, ref] = /button "Count: 0".*?\[(e\d+)\]/.exec(found.data.snapshot) ?? []
  expect(ref).toBeDefined()
  const { changes } = (await call('click', { ref })).data
  expect(changes).toContain('Count: 1')
  expect(changes.length).toBeLessThanOrEqual(400)
}
