// The line of an element is that of its tag in the file, or none.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createJournal } from '../../../src/core/sessions/journal/journal.ts'
import type { ElementOrigin, SourceNote } from '../../../src/core/sessions/types/sources.ts'
import { createSourceLocator } from '../../../src/features/sources/locate-sources.ts'

const ORIGIN = 'http://localhost:5173'
const FILE = 'src/shop.jsx'
/** Twenty lines of the same tag, so that most wrong lines have it. */
const rows = Array.from({ length: 20 }, () => '    <input />').join('\n')
const source = `export const Shop = () => (
  <main>
    <input />
${rows}
  </main>
)
`

let folder: string
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'footlight-element-')))
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, FILE), source)
})
afterAll(() => rmSync(folder, { recursive: true }))

const inline = (mappings: string, text = source) => {
  const map = { version: 3, sources: ['shop.jsx'], names: [], mappings, sourcesContent: [text] }
  return `\n//# sourceMappingURL=data:application/json;base64,${btoa(JSON.stringify(map))}`
}

/** As esbuild writes it behind plugin-react, which counts after a header of 19 lines. Line 2 is mapped to line 3 of the file, column 5. */
const noteOf = (line: number, column: number) =>
  `jsxDEV("input", {}, void 0, false, { fileName: "/x/shop.jsx",\n  lineNumber: ${line},\n  columnNumber: ${column} })`
const shifted = `${noteOf(22, 5)}\n${noteOf(21, 3)}`

interface Setting {
  readonly script?: string
  readonly readScript?: (seq: number) => Promise<{ text: string } | undefined>
  readonly hasServer?: boolean
}

async function locate(
  position: SourceNote,
  { script, readScript, hasServer = true }: Setting = {},
  tag = 'input',
) {
  const locator = createSourceLocator({
    journal: createJournal({ entries: 10, bytes: 1e6 }),
    closing: new AbortController().signal,
    now: () => 10,
    route: async () => ({ proxy: undefined, isLoopbackOnly: false }),
    server: async () => (hasServer ? { origin: ORIGIN, folder } : undefined),
    readScript: readScript ?? (async () => (script === undefined ? undefined : { text: script })),
  })
  if (script !== undefined || readScript)
    for (const [index, query] of ['t=1', 'type=style'].entries())
      locator.addScript({ seq: index + 1, url: `${ORIGIN}/${FILE}?${query}`, at: index })
  const origin: ElementOrigin = { element: { tag, attributes: {} }, position, components: [] }
  return (await locator.locateElement(origin, `${ORIGIN}/`)).position
}

const noted = (line: number, column: number): SourceNote => ({ file: join(folder, FILE), line, column })

test('a line that was counted behind a header is corrected by the source map, also where the same tag stands', async () => {
  expect(await locate(noted(22, 5), { script: shifted + inline(';AAEI') })).toEqual({
    file: FILE,
    line: 3,
    column: 5,
  })
})

test('another script of the same file, such as that of its styles, is not the one', async () => {
  const readScript = async (seq: number) => ({ text: seq === 1 ? shifted + inline(';AAEI') : 'styles()' })
  expect(await locate(noted(22, 5), { readScript })).toEqual({ file: FILE, line: 3, column: 5 })
})

test('without a map it is corrected by all notes of the script together', async () => {
  expect(await locate(noted(22, 5), { script: shifted })).toEqual({ file: FILE, line: 3, column: 5 })
})

test('a script whose notes are all right is believed', async () => {
  const script = `${noteOf(4, 5)}\n${noteOf(2, 3)}`
  // Its map is less exact.
  expect(await locate(noted(4, 5), { script: script + inline(';AAEI') })).toEqual({
    file: FILE,
    line: 4,
    column: 5,
  })
})

test('a line that cannot be corrected is left out', async () => {
  const several = `${noteOf(30, 5)}\n${noteOf(31, 5)}`
  expect(await locate(noted(30, 5), { script: several })).toEqual({ file: FILE })
  // Whose script is not there any more, or does not come.
  expect(await locate(noted(22, 5), { readScript: async () => undefined })).toEqual({ file: FILE })
  expect(await locate(noted(22, 5), { readScript: () => new Promise(() => {}) })).toEqual({ file: FILE })
})

test('a script that has no such note says nothing: the tag must stand there', async () => {
  const script = 'bundle()'
  expect(await locate(noted(22, 5), { script })).toEqual({ file: FILE, line: 22, column: 5 })
  expect(await locate(noted(22, 5))).toEqual({ file: FILE, line: 22, column: 5 })
  expect(await locate(noted(22, 9))).toEqual({ file: FILE })
  expect(await locate(noted(41, 5))).toEqual({ file: FILE })
  // The only one of the file.
  expect(await locate(noted(41, 5), {}, 'main')).toEqual({ file: FILE, line: 2, column: 3 })
})

test('a file that cannot be read has no line', async () => {
  expect(await locate({ file: 'src/gone.jsx', line: 3, column: 5 })).toEqual({ file: '/src/gone.jsx' })
  expect(await locate({ file: 'src/shop.jsx', line: 3, column: 5 }, { hasServer: false })).toEqual({
    file: FILE,
  })
})

test('the line of a script that is older than the file is that of now', async () => {
  const old = source.slice(source.indexOf('\n') + 1)
  const script = `${noteOf(21, 5)}\n${noteOf(20, 3)}${inline(';AACI', old)}`
  expect(await locate(noted(21, 5), { script })).toEqual({ file: FILE, line: 3, column: 5 })
})

test('the frame of a stack has a line if the tag stands where the source map says', async () => {
  const stack = (column: number) => ({ stack: `Error: x\n    at Shop (${ORIGIN}/${FILE}?t=1:1:${column})` })
  // Column 1 is <main>, column 5 a line without a tag.
  const script = `main(input())${inline('AACE,IAuBA')}`
  expect(await locate(stack(1), { script }, 'main')).toEqual({ file: FILE, line: 2, column: 3 })
  expect(await locate(stack(5), { script })).toEqual({ file: FILE })
})
