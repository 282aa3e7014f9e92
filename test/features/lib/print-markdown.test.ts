import { expect, test } from 'bun:test'
import fc from 'fast-check'
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
import {
  hostileText as text,
  readHtml as read,
  renderers,
  unescape,
  withoutSpace,
} from '../../support/rendered-markdown.ts'

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

test.each(Object.entries(renderers))(
  'whatever a text says, %s makes of it the elements that the printer made, and the text',
  (_, renderMarkdown) => {
    const render = (texts: readonly string[]) => {
      const { markdown, text } = print(texts)
      expect(markdown).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]/)
      return { ...read(renderMarkdown(markdown)), expected: text }
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
  60_000,
)

// What GitHub and GitLab look for in the text of a finished page, whatever was escaped before; they leave code alone.
test('outside of code is nothing that a forge makes a mention, an issue, a commit, an address or a formula of', () => {
  fc.assert(
    fc.property(text, (value) => {
      const html = renderers.micromark(printMarkdown([paragraph(inline`x ${value}`)]))
      const plain = unescape(html.replace(/<code>[^]*?<\/code>/g, ' ').replace(/<[^>]*>/g, ''))
      expect(plain).not.toMatch(/[@#<>[\]{}~$&`*_^=/\\]|[:!%]\w|[a-z]\.\w|\w-\d|\b[\da-f]{7}/i)
    }),
    { numRuns: 1000 },
  )
}, 60_000)

test('sentences stay readable: words are words, and names are code', () => {
  const sentence = '2 of 3 files ran (1.5 s ago): "pay" holds - src/cart.tsx <b> did not.'
  expect(printMarkdown([paragraph(sentence)])).toBe(
    '2 of 3 files ran (1.5 s ago): "pay" holds \\- `src/cart.tsx <b>` did not.\n',
  )
})
