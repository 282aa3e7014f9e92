import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { takePage } from '../../../../src/core/base/text/clip.ts'

test('the parts of a paged text make the text again, each within its limit', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 400, unit: fc.constantFrom('a', 'b', '\n') }),
      fc.integer({ min: 1, max: 50 }),
      (text, limit) => {
        const parts: string[] = []
        for (let from: number | undefined = 0; from !== undefined;) {
          const part: { text: string; next?: number } = takePage(text, from, limit)
          expect(part.text.length).toBeLessThanOrEqual(limit)
          parts.push(part.text)
          from = part.next
        }
        expect(parts.join('')).toBe(text)
      },
    ),
    { numRuns: 200 },
  )
})
