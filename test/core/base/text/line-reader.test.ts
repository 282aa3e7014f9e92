import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createLineReader } from '../../../../src/core/base/text/line-reader.ts'

test('property: however the bytes are cut, whole lines come out, and each that is too long is reported once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z]{0,30}$/, { size: 'max' }), { maxLength: 20 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 }),
      (lines, chunkSizes) => {
        let longLineCount = 0
        const output: string[] = []
        const read = createLineReader(20, (line) => {
          if (line) output.push(String(line))
          else longLineCount += 1
        })
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
        for (let offset = 0, index = 0; offset < bytes.length; index += 1) {
          const size = chunkSizes[index % chunkSizes.length] ?? 1
          read(bytes.subarray(offset, offset + size))
          offset += size
        }
        expect(output).toEqual(lines.filter((line) => line.length <= 20))
        expect(longLineCount).toBe(lines.filter((line) => line.length > 20).length)
      },
    ),
    { numRuns: 300 },
  )
})
