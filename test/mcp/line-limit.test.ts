import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { limitLineLength } from '../../src/mcp/line-limit.ts'

test('property: however the bytes are cut, whole lines come out, and each that is too long is told once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.stringMatching(/^[a-z]{0,30}$/, { size: 'max' }), { maxLength: 20 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 }),
      async (lines, cuts) => {
        let told = 0
        const stream = limitLineLength(20, () => (told += 1))
        const got: string[] = []
        stream.on('data', (chunk) => got.push(String(chunk)))
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = cuts[turn % cuts.length] ?? 1
          stream.write(bytes.subarray(at, at + size))
          at += size
        }
        await new Promise<void>((resolve) => stream.end(() => resolve()))
        expect(got).toEqual(lines.filter((line) => line.length < 20).map((line) => `${line}\n`))
        expect(told).toBe(lines.filter((line) => line.length >= 20).length)
      },
    ),
    { numRuns: 300 },
  )
})
