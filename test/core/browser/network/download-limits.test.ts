import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createDownloadLedger } from '../../../../src/core/browser/network/download-limits.ts'

const limits = { files: 5, bytes: 1000, fileBytes: 400 }
const step = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
  size: fc.integer({ min: 0, max: 500 }),
  declared: fc.option(fc.integer({ min: 0, max: 500 }), { nil: undefined }),
  ends: fc.boolean(),
})

test('whatever comes in whatever order, no more files and bytes stay than allowed', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const ledger = createDownloadLedger(limits)
      const coming = new Map<string, number>()
      let [begun, kept] = [0, 0]
      for (const { id, size, declared, ends } of steps) {
        if (!coming.has(id)) {
          const refused = ledger.begin(id)
          expect(refused !== undefined).toBe(begun >= limits.files || kept >= limits.bytes)
          if (refused !== undefined) {
            expect(refused).toContain('new session')
            continue
          }
          begun += 1
          coming.set(id, 0)
        }
        const refused = ledger.receive(id, size, declared)
        const whole = Math.max(size, declared ?? 0)
        coming.set(id, whole)
        const all = kept + [...coming.values()].reduce((sum, one) => sum + one, 0)
        expect(refused !== undefined).toBe(whole > limits.fileBytes || all > limits.bytes)
        expect(ledger.remainingBytes() < 0).toBe(
          [...coming.values()].some((one) => one > limits.fileBytes) || all > limits.bytes,
        )
        if (!ends && refused === undefined) continue
        ledger.end(id, refused === undefined ? size : 0)
        coming.delete(id)
        if (refused === undefined) kept += size
        expect(kept).toBeLessThanOrEqual(limits.bytes)
      }
      expect(begun).toBeLessThanOrEqual(limits.files)
    }),
    { numRuns: 500 },
  )
})
