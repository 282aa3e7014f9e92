import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { limitLines } from '../../../src/core/mcp/stdio.ts'

test('property: however the bytes are cut, whole lines come out, and each that is too long is reported once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.stringMatching(/^[a-z]{0,30}$/, { size: 'max' }), { maxLength: 20 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 }),
      async (lines, chunkSizes) => {
        let longLineCount = 0
        const stream = limitLines(
          20,
          () => (longLineCount += 1),
          () => true,
        )
        const output: string[] = []
        stream.on('data', (chunk) => output.push(String(chunk)))
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
        for (let offset = 0, index = 0; offset < bytes.length; index += 1) {
          const size = chunkSizes[index % chunkSizes.length] ?? 1
          stream.write(bytes.subarray(offset, offset + size))
          offset += size
        }
        await new Promise<void>((resolve) => stream.end(() => resolve()))
        expect(output).toEqual(lines.filter((line) => line.length < 20).map((line) => `${line}\n`))
        expect(longLineCount).toBe(lines.filter((line) => line.length >= 20).length)
      },
    ),
    { numRuns: 300 },
  )
})
