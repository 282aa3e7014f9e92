// Which line of the user's change made a difference: by the text that it shows, by the source of its element, by the style rules that match
// it, by what that source imports, and at last by what the page has loaded.

import {
  changedSelectors,
  firstChangeOf,
  nearestChange,
  type ChangedFile,
  type ChangedLine,
} from './changed-file.ts'
import type { FilePosition } from '../source/element-source.ts'

/** What is known about a difference without the change. Paths are relative to the folder of the server, as those of the change. */
export interface Facts {
  readonly before?: string
  readonly after?: string
  /** The version that `sources` are of. */
  readonly side: 'base' | 'current'
  /** Where the element is written, or the message or request comes from. */
  readonly source?: FilePosition
  /** Where the components that it is in are used, the nearest first. */
  readonly uses: readonly FilePosition[]
  /** The changed selectors that match it. */
  readonly selectors: readonly string[]
  /** The changed files that its source imports, and those that are imported where its components are used. */
  readonly imported: readonly string[]
  /** The changed files that the page has loaded. */
  readonly loaded: readonly string[]
}

export interface Explanation {
  readonly file?: string
  readonly line?: number
  readonly inDiff: boolean
}

export function explainDifference(facts: Facts, changed: readonly ChangedFile[]): Explanation {
  const { source, uses, side } = facts
  const files = new Map(changed.map((file) => [file.path, file]))
  const own = source && files.get(source.file)
  const nearest = own && source.line !== undefined ? nearestChange(own, source.line, side) : undefined
  const inOwn = own && findText(facts, [own])
  if (inOwn) return inOwn
  if (own && nearest?.isInside) return madeBy(own, nearest.line)
  const bySelector = findSelector(facts, changed)
  if (bySelector) return bySelector
  const byText = findText(facts, changed)
  if (byText) return byText
  if (own) return madeBy(own, nearest?.line ?? firstLineOf(own))
  for (const use of uses) {
    const file = files.get(use.file)
    if (file) return madeBy(file, nearestChange(file, use.line ?? 1, 'current')?.line ?? firstLineOf(file))
  }
  const [imported] = facts.imported.flatMap((path) => files.get(path) ?? [])
  if (imported) return madeBy(imported, firstLineOf(imported))
  if (source)
    return { file: source.file, ...(source.line !== undefined && { line: source.line }), inDiff: false }
  // Nothing is noted about its source: what the page has loaded is all that can be known.
  const [loaded] = facts.loaded.flatMap((path) => files.get(path) ?? [])
  const [only, another] = changed.filter(({ path }) => !isBeside(path))
  const likely = loaded ?? (another ? undefined : only)
  return likely ? madeBy(likely, firstLineOf(likely)) : { inDiff: false }
}

/** Whether a changed file cannot change what a user sees. */
export const isBeside = (path: string): boolean =>
  /\.(md|txt|lock|lockb)$|(^|\/)(package-lock\.json|LICENSE|\.gitignore)$|\.(spec|test)\.\w+$|(^|\/)(tests?|docs|__tests__)\//.test(
    path,
  )

// --- internal ---

const madeBy = ({ path }: ChangedFile, line: number | undefined): Explanation => ({
  file: path,
  ...(line !== undefined && { line }),
  inDiff: true,
})

const firstLineOf = ({ hunks: [hunk] }: ChangedFile): number | undefined => hunk && firstChangeOf(hunk)

function findSelector({ selectors }: Facts, changed: readonly ChangedFile[]): Explanation | undefined {
  for (const file of changed)
    for (const { selector, line } of changedSelectors(file))
      if (selectors.includes(selector)) return madeBy(file, line)
  return undefined
}

const TEXT_MINIMUM_CHARS = 3

/** The changed line that has a text which only one of the versions shows. */
function findText(
  { before = '', after = '' }: Facts,
  changed: readonly ChangedFile[],
): Explanation | undefined {
  const parts = { added: partsOf(after), removed: partsOf(before) }
  let best: { readonly file: ChangedFile; readonly line: ChangedLine; readonly score: number } | undefined
  for (const file of changed)
    for (const { changes } of isBeside(file.path) ? [] : file.hunks)
      for (const line of changes) {
        const [text, other] = line.change === 'added' ? [after, before] : [before, after]
        const score = scoreOf(line.text, parts[line.change], text, other)
        // Where the added line tells as much as the removed one, it is the one that is there now.
        if (score > (best?.score ?? 0)) best = { file, line, score }
      }
  return best && madeBy(best.file, best.line.line)
}

/** How many characters of the text that is shown are written in a line. */
function scoreOf(line: string, parts: readonly string[], text: string, other: string): number {
  if (text === '') return 0
  const whole = parts.filter((part) => line.includes(part) && !other.includes(part))
  const literals = [...line.matchAll(/'([^']+)'|"([^"]+)"|`([^`]+)`|>([^<>{}]+)<?|\}([^<>{}$`]+)/g)]
    .flatMap(([, ...groups]) => groups.filter((group) => group !== undefined))
    .flatMap((literal) => literal.split(/\$?\{[^}]*\}/))
    .map((literal) => literal.trim())
    .filter(
      (literal) => literal.length >= TEXT_MINIMUM_CHARS && text.includes(literal) && !other.includes(literal),
    )
  return Math.max(0, ...[...whole, ...literals].map((part) => part.length))
}

/** The name and the value of a line of the accessibility tree. */
function partsOf(text: string): readonly string[] {
  const name = /"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
  const value = /: (.+)$/s.exec(text)?.[1]
  const destination = / → (\S+)/.exec(text)?.[1]
  const whole = /^[\w-]+( |:|$)/.test(text) && (name ?? value) !== undefined ? [] : [text]
  return [name, value, destination, ...whole].filter(
    (part) => part !== undefined && part.trim().length >= TEXT_MINIMUM_CHARS,
  ) as string[]
}
