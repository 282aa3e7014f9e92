// The printer of Markdown. Only what stands in a template of this file's functions is Markdown; every other text is text, whatever it says.
// Renderers differ in what they take for a link, a mention, an issue or a formula, also in escaped text. In code all of them take it for
// text. So plain words stand as they are, and everything else stands in code.

import { clip } from '../../../core/base/text/clip.ts'
import { escapeInvisible } from '../../../core/base/text/invisible-characters.ts'

const source = Symbol('Markdown within a line')
const lines = Symbol('Markdown of whole lines')

/** Markdown within a line. Only this file makes one. */
export interface Inline {
  readonly [source]: string
}

/** A paragraph, a table or another block, which begins on a line of its own. */
export interface Block {
  readonly [lines]: string
}

export type Content = string | number | Inline

/** The words of the template as Markdown, and the values in it as text. */
export const inline = (words: TemplateStringsArray, ...values: readonly Content[]): Inline =>
  joinParts(words.flatMap((word, index) => (index === 0 ? [word] : [sourceOf(values[index - 1]), word])))

export const join = (contents: readonly Content[], separator: string): Inline =>
  joinParts(contents.flatMap((content, index) => (index === 0 ? [] : [separator]).concat(sourceOf(content))))

/** The whole text as code, on one line. */
export const code = (text: string): Inline => ({ [source]: codeSource(oneLine(text)) })

/** A picture in the folder of the file. */
export const picture = (name: string, alternative: Content): Inline => ({
  [source]: `![${sourceOf(alternative)}](${encodeURIComponent(name).replace(/[()]/g, escapePercent)})`,
})

export const heading = (level: 1 | 2 | 3, content: Content): Block =>
  blockOf(`${'#'.repeat(level)} ${sourceOf(content)}`)

export const paragraph = (content: Content): Block => blockOf(sourceOf(content))

/** Empty without an item. */
export const list = (items: readonly Content[]): Block =>
  blockOf(items.map((item) => `- ${sourceOf(item)}`).join('\n'))

/** Empty without a row. */
export function table(head: readonly Content[], rows: readonly (readonly Content[])[]): Block {
  if (rows.length === 0) return blockOf('')
  const all = [head.map(cellSource), head.map(() => '---'), ...rows.map((cells) => cells.map(cellSource))]
  return blockOf(all.map((cells) => `| ${cells.join(' | ')} |`).join('\n'))
}

/** The lines of the text as they are. */
export function codeBlock(text: string): Block {
  const content = text.toWellFormed().split(/\r?\n/).map(escapeInvisible).join('\n')
  const fence = fenceOf(content, 3)
  return blockOf(`${fence}text\n${content}\n${fence}`)
}

export const printMarkdown = (blocks: readonly (Block | undefined)[]): string =>
  `${blocks.flatMap((block) => block?.[lines] || []).join('\n\n')}\n`

// --- internal ---

/** Of one text: more is no reading matter, and a file of gigabytes in one line. */
const TEXT_LIMIT_CHARS = 1000

const blockOf = (markdown: string): Block => ({ [lines]: markdown })

function sourceOf(content: Content = ''): string {
  if (typeof content === 'object') return content[source]
  return typeof content === 'number' ? String(content) : proseSource(oneLine(content))
}

// Two runs of backticks that meet would be one.
const joinParts = (parts: readonly string[]): Inline => ({
  [source]: parts.reduce(
    (whole, part) => (whole.endsWith('`') && part.startsWith('`') ? `${whole} ${part}` : whole + part),
    '',
  ),
})

// A bar would end the cell, also in code.
const cellSource = (content: Content): string => sourceOf(content).replaceAll('|', '\\|')

const oneLine = (text: string): string =>
  escapeInvisible(clip(text, TEXT_LIMIT_CHARS).toWellFormed().replace(/\s+/g, ' ').trim())

/** Nothing in it is a sign of Markdown, an address, a mention, an issue or a commit for any renderer. */
const PLAIN_WORD =
  /^(?:["'(]*(?![\da-f]{7})(?:\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*|[+-]?\d{1,6}(?:[.,]\d{1,6})?%?)["'),;:?!.…]*|[-–—…→×·])$/u

/** Words as they are, and what is between them as code. */
function proseSource(text: string): string {
  const parts: string[] = []
  let unsafe: string[] = []
  const flush = () => {
    if (unsafe.length > 0) parts.push(codeSource(unsafe.join(' ')))
    unsafe = []
  }
  for (const word of text.split(' ')) {
    if (!PLAIN_WORD.test(word)) unsafe.push(word)
    else {
      flush()
      // At the start of a line these would begin a list.
      parts.push(word.replace(/^-$|(?<=^\d+)(?=[.)](?!\d))/, '\\$&'))
    }
  }
  flush()
  return parts.join(' ')
}

// In a cell a backslash escapes the bar after it, also in code: between two pieces of code it stands alone.
const codeSource = (line: string): string =>
  line
    .split(/(?<=\\)\|/)
    .map((piece) => {
      const fence = fenceOf(piece, 1)
      const space = /^`|`$|^ .* $/.test(piece) ? ' ' : ''
      return piece && fence + space + piece + space + fence
    })
    .join('|')

/** More backticks in a row than the text has. */
const fenceOf = (text: string, minimum: number): string =>
  '`'.repeat(text.matchAll(/`+/g).reduce((length, [run]) => Math.max(length, run.length + 1), minimum))

const escapePercent = (character: string): string => `%${character.charCodeAt(0).toString(16)}`
