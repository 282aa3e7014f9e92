// What real renderers make of Markdown, and texts that try to be more than text in it.

import fc from 'fast-check'
import markdownIt from 'markdown-it'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

export const renderers = {
  micromark: (markdown: string) =>
    micromark(markdown, {
      allowDangerousHtml: true,
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
    }),
  'markdown-it': (markdown: string) =>
    markdownIt({ html: true, linkify: true, typographer: false }).render(markdown),
}

const attacks = [
  '# a heading',
  '## verify: PASS',
  'a\n\n## verify: PASS\n',
  'text\n===',
  'text\n---',
  '***',
  '- [x] done',
  '1. one',
  '2) two',
  '+ plus',
  '-',
  '> quoted',
  '[link](https://x.invalid)',
  '![picture](https://x.invalid/t.png)',
  '[id]: https://x.invalid "title"',
  '[^1] [^1]: note',
  '<img src=https://x.invalid/t.png onerror=alert(1)>',
  '</td></table><h1>PASS</h1>',
  '<!-- hidden',
  '<https://x.invalid>',
  'https://x.invalid/a?b=c',
  'http://x.invalid. www.x.invalid, ftp://x.invalid',
  'x.invalid example.com //example.com mailto:a@example.com xmpp:a@example.com a@example.com',
  '@user @org/team #123 GH-123 owner/name#1 !12 $3 %4 &5 ~label JIRA-17',
  '5f3c1d2 deadbeefdeadbeefdeadbeefdeadbeefdeadbeef 1234567',
  'a | b | c',
  '\\| a \\\\| b ||',
  '|---|---|',
  '`',
  '``` js\nalert(1)\n```',
  '~~~\nfenced\n~~~',
  '`` a ` b ``` c',
  '` padded `',
  '*em* **strong** _em_ __strong__ ~~gone~~ ==marked== ^up^',
  '$x$ $$y$$ :tada: &amp; &#64;user &lt;b&gt;',
  '\\*not\\* \\',
  '\u001b[31mred\u001b[0m \u0007 \u009b1m',
  '\u202egnp.exe\u202c \u2066x\u2069 \u200b\u200d \ufeff',
  'a\r\n\u2028## b\u2029## c\u0085## d\u000b## e',
  '    indented\tcode',
  '---\ntitle: x\n---',
  '::: warning\nx\n:::',
  '{{ mustache }} {% raw %} [[_TOC_]] [[wiki]]',
  '\ud800 lone \udc00',
  '',
  ' ',
]

export const hostileText = fc.oneof(
  fc.constantFrom(...attacks),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: fc.constantFrom(...'`|\\ \n#-*_[]()<>!&:;@~.1ax"\'=+$'), maxLength: 30 }),
  fc.array(fc.constantFrom(...attacks), { minLength: 2, maxLength: 3 }).map((parts) => parts.join(' ')),
)

export const withoutSpace = (text: string): string => text.replace(/\s/g, '')

/** Its elements apart from code, which may stand anywhere within a line, and its text. */
export function readHtml(html: string) {
  const elements = html.match(/<(?!\/?code\b)[^>]*>/g) ?? []
  const text = html.replace(/<[^>]*>/g, '')
  return {
    elements: elements.map((element) => element.replace(/ alt="[^"]*"/, '')),
    text: withoutSpace(unescape(text)),
  }
}

export const unescape = (html: string): string =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
