// What a page received of a file, decoded and with a script of the server.

import { expect, test } from 'bun:test'
import { hasSameText } from '../../../src/features/freshness/held-text.ts'

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
