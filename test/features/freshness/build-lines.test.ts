import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { JournalEntry } from '../../../src/core/sessions/journal/journal.ts'
import { compilesRoutes, readBuilds } from '../../../src/features/freshness/build-lines.ts'

const entryOf = (text: string): JournalEntry => ({ seq: 1, at: 0, kind: 'server', level: 'info', text })
const quietLine = fc.constantFrom(
  'VITE v8.3.8  ready in 412 ms',
  'webpack 5.110.1 compiled successfully in 900 ms',
  'Application bundle generation complete.',
  'GET /next.json 200',
  '',
)

test('a server that compiles routes is known by one of its lines, others are not', () => {
  const line = fc.constantFrom(
    '▲ Next.js 16.4.6 (Turbopack)',
    ' GET / 200 in 4.2s (next.js: 1327ms, application-code: 2.8s)',
    '○ Compiling /api/items ...',
  )
  fc.assert(
    fc.property(fc.array(quietLine), fc.array(quietLine), line, (before, after, own) => {
      expect(compilesRoutes([...before, own, ...after].map(entryOf))).toBe(true)
      expect(compilesRoutes([...before, ...after].map(entryOf))).toBe(false)
    }),
    { numRuns: 200 },
  )
})

test('builds have what stands before their result as a name, and a beginning only where that is known', () => {
  const at = (time: number, text: string): JournalEntry => ({ ...entryOf(text), at: time })
  const builds = readBuilds([
    at(1000, './src/app.js 386 bytes [built] [code generated]'),
    at(1001, 'webpack 5.112.2 compiled successfully in 75 ms'),
    at(2000, '[2:00:00 PM] File change detected. Starting incremental compilation...'),
    at(2500, '[2:00:01 PM] Found 1 error. Watching for file changes.'),
    at(3000, 'Application bundle generation complete.'),
    at(4000, 'Change detected, rebuilding site (#1).'),
  ])
  expect(builds).toMatchObject([
    { name: 'webpack #', beganAt: 926, endedAt: 1001, isFailed: false },
    { name: '[# PM]', beganAt: 2000, endedAt: 2500, isFailed: true },
    { beganAt: 0, endedAt: 3000 },
    { beganAt: 4000 },
  ])
  expect(builds[0]?.text).toContain('./src/app.js')
  expect(builds[3]?.endedAt).toBeUndefined()
})
