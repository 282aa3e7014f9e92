import { expect, test } from 'bun:test'
import fc from 'fast-check'
import markdownIt from 'markdown-it'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { escapeInvisible } from '../../../src/core/base/text/invisible-characters.ts'
import {
  code,
  codeBlock,
  heading,
  inline,
  join,
  list,
  paragraph,
  picture,
  printMarkdown,
  table,
} from '../../../src/features/lib/markdown/print-markdown.ts'

const renderers: Readonly<Record<string, (markdown: string) => string>> = {
  micromark: (markdown) =>
    micromark(markdown, {
      allowDangerousHtml: true,
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
    }),
  'markdown-it': (markdown) => markdownIt({ html: true, linkify: true, typographer: false }).render(markdown),
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

const text = fc.oneof(
  fc.constantFrom(...attacks),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: fc.constantFrom(...'`|\\ \n#-*_[]()<>!&:;@~.1ax"\'=+$'), maxLength: 30 }),
  fc.array(fc.constantFrom(...attacks), { minLength: 2, maxLength: 3 }).map((parts) => parts.join(' ')),
)

/** Every kind of place with these texts, and all words in their order. */
function print(texts: readonly string[]) {
  const words: string[] = []
  let index = 0
  const next = (show = (value: string) => value.toWellFormed().replace(/\s+/g, ' ')) => {
    const value = texts[index++ % texts.length] ?? ''
    words.push(escapeInvisible(show(value)))
    return value
  }
  const own = (word: string) => (words.push(word), word)
  // A picture has its words in an attribute.
  const alternative = () => texts[index++ % texts.length] ?? ''
  const markdown = printMarkdown([
    heading(2, next()),
    paragraph(
      inline`${own('x')} ${next()}${next()} **${own('bold')}**${code(next())}${next()}${code(next())}`,
    ),
    paragraph(next().trim() || own('empty')),
    undefined,
    list([next(), code(next()), inline`${join([next(), code(next())], ' ')}`]),
    table(
      [own('one'), next()],
      [
        [next(), code(next())],
        [next(), inline`${code(next())} ${picture('a (1).png', alternative())}`],
      ],
    ),
    codeBlock(next((value) => value.toWellFormed().replaceAll('\r\n', '\n'))),
    paragraph(own('end')),
  ])
  return { markdown, text: withoutSpace(words.join('')) }
}

const TEXT_COUNT = 19

const withoutSpace = (text: string): string => text.replace(/\s/g, '')

/** Its elements apart from code, which may stand anywhere within a line, and its text. */
function read(html: string) {
  const elements = html.match(/<(?!\/?code\b)[^>]*>/g) ?? []
  const text = html.replace(/<[^>]*>/g, '')
  return {
    elements: elements.map((element) => element.replace(/ alt="[^"]*"/, '')),
    text: withoutSpace(unescape(text)),
  }
}

const unescape = (html: string): string =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

test.each(Object.keys(renderers))(
  'whatever a text says, %s makes of it the elements that the printer made, and the text',
  (name) => {
    const render = (texts: readonly string[]) => {
      const { markdown, text } = print(texts)
      expect(markdown).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]/)
      return { ...read(renderers[name]?.(markdown) ?? ''), expected: text }
    }
    const { elements } = render(['word'])
    fc.assert(
      fc.property(fc.array(text, { minLength: TEXT_COUNT, maxLength: TEXT_COUNT }), (texts) => {
        const page = render(texts)
        expect(page.elements).toEqual(elements)
        expect(page.text).toBe(page.expected)
      }),
      { numRuns: 500 },
    )
  },
)

// What GitHub and GitLab look for in the text of a finished page, whatever was escaped before; they leave code alone.
test('outside of code is nothing that a forge makes a mention, an issue, a commit, an address or a formula of', () => {
  fc.assert(
    fc.property(text, (value) => {
      const html = micromark(printMarkdown([paragraph(inline`x ${value}`)]))
      const plain = unescape(html.replace(/<code>[^]*?<\/code>/g, ' ').replace(/<[^>]*>/g, ''))
      expect(plain).not.toMatch(/[@#<>[\]{}~$&`*_^=+/\\]|[:!%]\w|[a-z]\.\w|\w-\d|\b[\da-f]{7}/i)
    }),
    { numRuns: 1000 },
  )
})

test('sentences stay readable: words are words, and names are code', () => {
  const sentence = '2 of 3 files ran (1.5 s ago): "pay" holds - src/cart.tsx <b> did not.'
  expect(printMarkdown([paragraph(sentence)])).toBe(
    '2 of 3 files ran (1.5 s ago): "pay" holds \\- `src/cart.tsx <b>` did not.\n',
  )
})
