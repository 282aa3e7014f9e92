// How what a page received compares with a file: as it is, decoded in any way that browsers do, with a script that the server puts into
// documents, as a source of its map, as a stylesheet in a script, or as a module whose imports have other addresses.

import { hashContent } from '../../core/base/files/hash-content.ts'
import type { FileChange } from '../../core/sessions/types/freshness.ts'

/** `body` is what came from the path `url`, `content` that of the file. Undefined if it is neither. */
export function compareText(
  body: string,
  url: string,
  content: Uint8Array,
  { hash, earlierHashes = [] }: Pick<FileChange, 'hash' | 'earlierHashes'>,
): 'present' | 'earlier' | undefined {
  const texts = [body, ...sourcesIn(body, url), ...stylesIn(body)]
  const hashes = texts.map((text) => hashContent(text))
  if (hashes.some((one) => one === hash) || texts.some((text) => hasSameText(text, content))) return 'present'
  if (hashes.some((one) => earlierHashes.includes(one))) return 'earlier'
  return isSameModule(body, url, new TextDecoder().decode(content)) ? 'present' : undefined
}

export function hasSameText(text: string, content: Uint8Array): boolean {
  return ENCODINGS.some((encoding) => {
    const file = new TextDecoder(encoding).decode(content)
    return file === text || hasScriptMore(text, file)
  })
}

// --- internal ---

const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16le']
// The texts before and after a script may be alike.
const SHIFT_LIMIT = 20

function hasScriptMore(text: string, file: string): boolean {
  const length = text.length - file.length
  if (length <= 0) return false
  let shared = 0
  while (shared < file.length && text[shared] === file[shared]) shared += 1
  for (let at = shared; at >= Math.max(0, shared - SHIFT_LIMIT); at -= 1) {
    const isRest = text.endsWith(file.slice(at))
    if (isRest && isScript(text.slice(at, at + length))) return true
  }
  return false
}

// In steps that take linear time: a server may put anything into a document.
function isScript(addition: string): boolean {
  const [before = '', ...comments] = addition.split('<!--')
  const isClosed = comments.every((comment) => comment.includes('-->'))
  const code = [before, ...comments.map((comment) => comment.slice(comment.indexOf('-->') + 3))]
    .join('')
    .trim()
  return isClosed && /^<script\b/i.test(code) && /<\/script\s{0,9}>$/i.test(code)
}

const MAP_START = '//# sourceMappingURL=data:application/json'
const BASE64 = ';base64,'

/** The texts that the map of a script has of the file at its address. */
function sourcesIn(body: string, url: string): readonly string[] {
  const start = body.lastIndexOf(MAP_START)
  const data = start < 0 ? '' : body.slice(start + MAP_START.length).replace(/\s[^]*$/, '')
  if (!data.includes(BASE64)) return []
  try {
    const json = Buffer.from(data.slice(data.indexOf(BASE64) + BASE64.length), 'base64').toString('utf8')
    const map = JSON.parse(json) as { sources?: unknown; sourcesContent?: unknown }
    if (!Array.isArray(map.sources) || !Array.isArray(map.sourcesContent)) return []
    const contents: readonly unknown[] = map.sourcesContent
    return map.sources.flatMap((source: unknown, index) => {
      const content = contents[index]
      return nameOf(String(source)) === nameOf(url) && typeof content === 'string' ? [content] : []
    })
  } catch {
    return []
  }
}

const nameOf = (path: string): string => path.replace(/[?#].*$/, '').replace(/^.*\//, '')

// A string that is JSON too.
const STYLE_PATTERN = /\b__vite__css = ("(?:[^"\\\p{Cc}]|\\["\\/bfnrt]|\\u[\da-f]{4})*")/iu

/** The text of a stylesheet that a script puts into the page. */
function stylesIn(body: string): readonly string[] {
  const literal = STYLE_PATTERN.exec(body)?.[1]
  return literal === undefined ? [] : [String(JSON.parse(literal))]
}

/** Whether a text is the module with what Vite puts in front of it, and with other addresses of what it imports: these are compared by what
 * they resolve to. */
function isSameModule(body: string, url: string, file: string): boolean {
  const code = body.replace(/\n\/\/# source\w+=\S*\s*$/, '').replace(PREAMBLE_PATTERN, '')
  return withPlainImports(code, url).trim() === withPlainImports(file, url).trim()
}

const PREAMBLE_PATTERN =
  /^(?:import \{[^}]*\b__vite__\w+ \} from "[^"]*";|import\.meta\.(?:hot = __vite__\w+\("[^"]*"\)|env = \{[^\n]*?\});)+/
const IMPORT_PATTERN = /(\bfrom\s*|\bimport\s*\(?\s*|\baccept\(\s*)(["'])([^"'\n]*)\2/g

const withPlainImports = (code: string, url: string): string =>
  code.replace(IMPORT_PATTERN, (_, before: string, _quote, specifier: string) => {
    return `${before}<${plainName(specifier, url)}>`
  })

// A relative specifier by its path, a package by its last name: its file is named after it.
function plainName(specifier: string, url: string): string {
  const base = `http://localhost/${encodeURI(url)}`
  const address = specifier.replace(/[?#].*$/, '')
  if (!URL.canParse(address, base)) return specifier
  const { pathname } = new URL(address, base)
  const isPackage = !/^[./]/.test(specifier) || /\/node_modules\/|^\/@id\//.test(specifier)
  return isPackage
    ? `package ${pathname.replace(/^.*[/_]/, '').replace(/\..*$/, '')}`
    : pathname.replace(/\.\w+$/, '')
}
