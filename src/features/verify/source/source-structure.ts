// What the text of a source consists of, by the parser of its language: its functions, elements and statements, and which lines have code.

import { createBoundedMap } from '../../../core/base/bounded-collections.ts'
import { parseCode } from './parse-code.ts'
import { type ComponentLanguage, parseMarkup } from './parse-markup.ts'
import { parseStyle } from './parse-style.ts'
import type { SourcePart, SourceStructure } from './structure.ts'

/** Undefined where the language has no parser here, or the text is none of it. `content` is without a mark of byte order. */
export function readStructure(path: string, content: string): SourceStructure | undefined {
  if (content.length > TEXT_LIMIT_CHARS) return undefined
  const key = `${path}\0${content}`
  const known = structures.get(key) ?? { structure: parse(path, content) }
  structures.set(key, known)
  return known.structure
}

/** Whether what has this name only styles. */
export const isStyle = (path: string): boolean => STYLE.test(path)

/** Whether what has this name is written in a language that runs, or styles. */
export const isCode = (path: string): boolean => LANGUAGE.test(path)

/** The innermost function that has all these lines; undefined where only the whole text has. */
export const functionAround = (
  { parts }: SourceStructure,
  firstLine: number,
  lastLine: number,
): SourcePart | undefined =>
  parts.findLast(
    (part) => part.kind === 'function' && part.firstLine <= firstLine && lastLine <= part.lastLine,
  )

// --- internal ---

const STRUCTURE_LIMIT = 100
/** The last ones are not parsed again: the same texts are asked for after each call. */
const structures = createBoundedMap<string, { readonly structure: SourceStructure | undefined }>(
  STRUCTURE_LIMIT,
)

function parse(path: string, content: string): SourceStructure | undefined {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  const options = CODE[extension]
  if (options) return parseCode(content, options)
  if (extension === 'css' || extension === 'scss' || extension === 'less')
    return parseStyle(content, extension !== 'css')
  return COMPONENTS.has(extension) ? parseMarkup(content, extension as ComponentLanguage) : undefined
}

const STYLE = /\.(?:css|s[ac]ss|less|styl)$/i
const LANGUAGE = /\.(?:[cm]?[jt]s|[jt]sx|vue|svelte|astro|css|scss|less|sass|styl|mdx)$/i
const TEXT_LIMIT_CHARS = 2_000_000

const CODE: Readonly<Record<string, { readonly isTypeScript: boolean; readonly isJsx: boolean }>> = {
  ...Object.fromEntries(
    ['js', 'mjs', 'cjs', 'jsx'].map((name) => [name, { isTypeScript: false, isJsx: true }]),
  ),
  ...Object.fromEntries(['ts', 'mts', 'cts'].map((name) => [name, { isTypeScript: true, isJsx: false }])),
  tsx: { isTypeScript: true, isJsx: true },
}
const COMPONENTS: ReadonlySet<string> = new Set(['vue', 'svelte', 'astro'])
