// The printer of HTML. Only what stands in a template of `markup` is HTML; every value in it is text, whatever it says, and an address only
// within the file. A document loads nothing: its policy allows its own style and script, and pictures in it.

import { escapeInvisible } from '../../../core/base/text/invisible-characters.ts'

const source = Symbol('HTML')

/** A piece of HTML. Only this file makes one. */
export interface Html {
  readonly [source]: string
}

/** Nothing for `undefined` and `false`. */
export type Content = string | number | Html | undefined | false | readonly Content[]

/** The words of the template as HTML, and the values in it as text: as the content of elements, or within quoted attributes. */
export const markup = (words: TemplateStringsArray, ...values: readonly Content[]): Html => ({
  [source]: words
    .map((word, index) => word + (ADDRESS_START.test(word) ? addressSource : sourceOf)(values[index]))
    .join(''),
})

export const bytesOf = (content: Html): number => Buffer.byteLength(content[source])

/** The hash of a text for a Content-Security-Policy: `sha256-…`. */
export type HashOf = (text: string) => string

interface DocumentParts {
  readonly title: string
  /** In addition to what each document has. */
  readonly head?: Html
  readonly body: Html
  readonly style: string
  /** Without one the page allows none. */
  readonly script?: string
}

/** An HTML document without a policy of its own. */
export const printPage = ({ title, head, body, style, script }: DocumentParts): string =>
  markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">${head}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
${body}${script !== undefined && markup`\n<script>${raw(script)}</script>`}
</body>
</html>
`[source]

/** An HTML document that is opened from disk. */
export function printDocument({ head, ...parts }: DocumentParts, hashOf: HashOf): string {
  const scriptRule = parts.script === undefined ? '' : `script-src '${hashOf(parts.script)}'; `
  const policy = `default-src 'none'; style-src '${hashOf(parts.style)}'; ${scriptRule}img-src data:; base-uri 'none'; form-action 'none'`
  const ownHead = markup`
<meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
<meta name="referrer" content="no-referrer">${head}`
  return printPage({ ...parts, head: ownHead })
}

/** The text that was printed as this. */
export const unescapeHtml = (text: string): string =>
  text.replace(/&#(\d{1,3});/g, (_, digits: string) => String.fromCharCode(Number(digits)))

// --- internal ---

const ADDRESS_START = /\s(?:href|src)="$/
const OWN_ADDRESS = /^(?:#|\.\/|data:image\/(?:png|jpeg);base64,[\w+/]*=*$)/

const addressSource = (value: Content): string =>
  sourceOf(typeof value === 'string' && OWN_ADDRESS.test(value) ? value : '#')

const raw = (text: string): Html => ({ [source]: text })

function sourceOf(value: Content): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string') return escapeHtml(escapeInvisible(value.toWellFormed()))
  if (typeof value === 'number') return String(value)
  return source in value ? value[source] : value.map(sourceOf).join('')
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'\r]/g, (character) => `&#${character.charCodeAt(0)};`)
