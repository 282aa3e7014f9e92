import { expect, test } from 'bun:test'
import { readableBodyOf } from '../../../../src/core/base/text/terminal-codes.ts'

test.each([
  ['{"error":"database is locked"}\n', '{"error":"database is locked"}'],
  ['first\r\n\tsecond\u0007', 'first second'],
  [
    '<!DOCTYPE html>\n<html><head><style>p { color: red }</style><title>Error</title></head>\n<body><pre>TypeError: a &lt; b<br> &nbsp; &nbsp;at x.js:3</pre></body></html>',
    'Error TypeError: a < b at x.js:3',
  ],
  ['<!doctype html><title>Oops</title><script>const cut =', 'Oops'],
  ['<title>Now</title><button>Go</button>', 'Now Go'],
  ['<error>no page</error>', '<error>no page</error>'],
])('%p reads %p', (body, text) => expect(readableBodyOf(body)).toBe(text))
