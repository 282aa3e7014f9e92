import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { locateMessages } from '../../../src/features/run-test/read-trace-file.ts'

const origin = 'http://localhost:5173'
// Its second line is the first one of the source.
const map = { version: 3, sources: ['main.tsx'], names: [], mappings: ';AAAA' }
const inline = Buffer.from(JSON.stringify(map)).toString('base64')
const scripts: Readonly<Record<string, string>> = {
  [`${origin}/src/main.tsx?t=1`]: `head()\nfail()\n//# sourceMappingURL=data:application/json;base64,${inline}`,
  [`${origin}/bundle.js`]: 'head()\nfail()\n//# sourceMappingURL=bundle.js.map',
  [`${origin}/plain.js`]: 'head()\nfail()',
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fl-messages-'))
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/main.tsx'), '')
  for (const [url, text] of Object.entries(scripts))
    writeFileSync(join(folder, createHash('sha1').update(url).digest('hex')), text)
})
afterAll(() => rmSync(folder, { recursive: true }))

const locate = async (url: string, text = 'bad') => {
  const message = { text, position: { url, line: 2, column: 1 } }
  const [located] = await locateMessages([message], { scripts: folder, project: folder })
  return located
}

test('a position in a script with a source map is that of the source, as in a session', async () =>
  expect(await locate(`${origin}/src/main.tsx?t=1`)).toBe('bad (src/main.tsx:1)'))

test('the positions of a stack in the text too', async () =>
  expect(await locate(`${origin}/plain.js`, `Error: no\n    at fail (${origin}/src/main.tsx?t=1:2:1)`)).toBe(
    'Error: no at fail (src/main.tsx:1) (/plain.js:2)',
  ))

test('a script without a map is the source, and of one whose map is missing no line is named', async () => {
  expect(await locate(`${origin}/plain.js`)).toBe('bad (/plain.js:2)')
  expect(await locate(`${origin}/bundle.js`)).toBe('bad (/bundle.js)')
  expect(await locate(`${origin}/`)).toBe('bad (/:2)')
  expect(await locate(`${origin}/src/unsaved.tsx`)).toBe('bad (/src/unsaved.tsx)')
})
