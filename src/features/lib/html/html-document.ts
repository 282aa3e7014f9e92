// An HTML file that loads nothing. What a page said is text in it: everything is escaped, and the policy of the file allows its own style and
// script only.

import { REPORT_STYLE } from './page-code.ts'

/** The hash of a text for a Content-Security-Policy: `sha256-…`. */
export type HashOf = (text: string) => string

interface DocumentParts {
  readonly title: string
  readonly head?: string
  readonly body: string
  /** Without one the page allows none. */
  readonly script?: string
  /** What it has in addition to the style of reports. */
  readonly style?: string
}

/** An HTML document without a request. */
export const documentOf = (
  { title, head = '', body, script, style = '' }: DocumentParts,
  hashOf: HashOf,
): string => {
  const scriptRule = script === undefined ? '' : `script-src '${hashOf(script)}'; `
  const policy = `default-src 'none'; style-src '${hashOf(REPORT_STYLE + style)}'; ${scriptRule}img-src data:; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">${head}
<title>${escapeHtml(title)}</title>
<style>${REPORT_STYLE}${style}</style>
</head>
<body>
${body}${script === undefined ? '' : `\n<script>${script}</script>`}
</body>
</html>
`
}

/** The text as the content of an element or a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'\r]/g, (character) => `&#${character.charCodeAt(0)};`)

/** The text that `escapeHtml` made this of. */
export const unescapeHtml = (html: string): string =>
  html.replace(/&#(\d{1,3});/g, (_, code: string) => String.fromCharCode(Number(code)))
