import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { JournalEntry } from '../../../src/core/sessions/journal/journal.ts'
import { compilesRoutes } from '../../../src/features/freshness/build-lines.ts'

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
