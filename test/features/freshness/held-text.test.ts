// What a page received of a file, decoded and with a script of the server.

import { describe, expect, test } from 'bun:test'
import { hashContent } from '../../../src/core/base/files/hash-content.ts'
import { compareText, hasSameText } from '../../../src/features/freshness/held-text.ts'

const page = '<html><body><p>one</p></body></html>'
const isSame = (text: string, file: string | Uint8Array) =>
  hasSameText(text, typeof file === 'string' ? new TextEncoder().encode(file) : file)

test('a text is the same in any encoding that a browser takes it for', () => {
  expect(isSame('caf\u{e9}', new Uint8Array([0x63, 0x61, 0x66, 0xe9]))).toBe(true)
  expect(isSame('caf\u{c3}\u{a9}', 'caf\u{e9}')).toBe(true)
  expect(isSame('one', '\u{feff}one')).toBe(true)
  expect(isSame('one', 'two')).toBe(false)
})

test('a script that reloads the page is no difference; other words are', () => {
  const reload = '<!-- live reload --><script>\nconnect()\n</script>\n'
  expect(isSame(page.replace('</body>', `${reload}</body>`), page)).toBe(true)
  expect(isSame(`${reload}${page}`, page)).toBe(true)
  expect(isSame(page.replace('<p>', '<p>and </p><p>'), page)).toBe(false)
  expect(isSame(page.replace('one', 'two').replace('</body>', `${reload}</body>`), page)).toBe(false)
})

test('scripts and comments are no difference, scripts before other words are', () => {
  const scripts = '<script></script>\n'.repeat(40)
  const file = new TextEncoder().encode('<p>one</p>')
  expect(hasSameText(`${scripts}<p>more</p><p>one</p>`, file)).toBe(false)
  expect(hasSameText(`<!-- a -->${scripts}<!-- b --><p>one</p>`, file)).toBe(true)
})

describe('a script that a server has made of a file', () => {
  const compare = (body: string, file: string, earlier = 'x') =>
    compareText(body, 'src/a.ts', Buffer.from(file), {
      hash: hashContent(file),
      earlierHashes: [hashContent(earlier)],
    })
  const mapOf = (content: string) =>
    Buffer.from(JSON.stringify({ sources: ['a.ts'], sourcesContent: [content] })).toString('base64')
  test('has the text in its map, or in a string', () => {
    const script = (content: string) =>
      `let a\n//# sourceMappingURL=data:application/json;base64,${mapOf(content)}\n`
    expect(compare(script('let a: 1'), 'let a: 1')).toBe('present')
    expect(compare(script('let a: 0'), 'let a: 1', 'let a: 0')).toBe('earlier')
    expect(compare(script('let b'), 'let a: 1')).toBeUndefined()
    expect(compare('const __vite__css = "h1{color:\\"red\\"}\\n"', 'h1{color:"red"}\n')).toBe('present')
  })
  test('is the file with other addresses of what it imports', () => {
    const front = `import { createHotContext as __vite__createHotContext } from "/@vite/client";import.meta.hot = __vite__createHotContext("/src/a.js");`
    const script = `${front}import b from "/src/b.js?t=17"\nimport "/node_modules/.vite/deps/@scope_c.js?v=2"\nb(1)\n`
    const file = (path: string) => `import b from '${path}'\nimport '@scope/c'\nb(1)\n`
    expect(compare(script, file('./b.js'))).toBe('present')
    expect(compare(script, file('./other/b.js'))).toBeUndefined()
    expect(compare(script, file('./b.js').replace('b(1)', 'b(2)'))).toBeUndefined()
  })
})
