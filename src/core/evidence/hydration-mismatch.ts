// The element whose text the server rendered differently than the browser, in what React and Vue print about a failed hydration.

/** `tag` is undefined if it is not printed; `text` is that of the browser, which the page shows afterwards. */
export interface HydrationMismatch {
  readonly tag?: string
  readonly text: string
}

/** The first mismatch of a text in a console message; undefined if it reports none. */
export function findHydrationMismatch(message: string): HydrationMismatch | undefined {
  if (!/hydrat/i.test(message)) return undefined
  const ofVue = /Hydration text (?:content )?mismatch[^]{0,2000}?\n\s*- expected on client: ([^\n]+)/.exec(
    message,
  )
  const vueText = ofVue?.[1]?.trim().replace(/^"(.*)"$/, '$1')
  if (vueText) return isShort(vueText) ? { text: vueText } : undefined
  return findInTree(message.split('\n'))
}

/** A selector for the element; it may match several. */
export const selectorOf = ({ tag = '', text }: HydrationMismatch): string =>
  `${tag}:text-is(${JSON.stringify(text)})`

// --- internal ---

const TEXT_LIMIT_CHARS = 200

const isShort = (text: string): boolean => text !== '' && text.length <= TEXT_LIMIT_CHARS

// React prints the tree of components with the text of the browser after `+`, below the line of its element.
function findInTree(lines: readonly string[]): HydrationMismatch | undefined {
  const index = lines.findIndex((line) => /^\+\s+[^<\s]/.test(line))
  const text = lines[index]?.slice(1).trim() ?? ''
  const indent = indentOf(lines[index] ?? '')
  const parent = lines.slice(0, Math.max(0, index)).findLast((line) => indentOf(line) < indent)
  const [, tag] = /^\s*<([a-z][a-z\d]*)(?=[\s>])/.exec(parent ?? '') ?? []
  return tag !== undefined && isShort(text) ? { tag, text } : undefined
}

const indentOf = (line: string): number => line.slice(1).search(/\S/) + 1
