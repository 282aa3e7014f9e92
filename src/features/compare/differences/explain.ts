// Which line of the user's change made a difference: by the text that it shows, by the source of its element, by the style rules that match
// it, by what that source imports, and at last by what the step has loaded and what could have made such a difference.

import type { FilePosition } from '../../../core/sessions/types/sources.ts'
import {
  type ChangedFile,
  type ChangedLine,
  changedSelectors,
  firstChangeOf,
  type Hunk,
  nearestChange,
} from '../../lib/changes/changed-file.ts'
import { codeChangesOf } from './comment-lines.ts'
import type { DifferenceKind } from './page-view.ts'

/** What is known about a difference without the change. Paths are relative to the folder of the server, as those of the change. */
export interface Facts {
  readonly kind?: DifferenceKind
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
  /** Whether the page was asked for those. */
  readonly isMatched?: boolean
  /** The changed files that its source imports, and those that are imported where its components are used. */
  readonly imported: readonly string[]
  /** The changed files that the step has loaded. */
  readonly loaded: readonly string[]
  /** Whether only lines that have the text as a whole literal are looked for, because so many lines were searched already. */
  readonly isQuick?: boolean
  /** Those that other steps have loaded, and this one has not: they are no cause. */
  readonly elsewhere?: readonly string[]
}

export interface Explanation {
  readonly file?: string
  readonly line?: number
  readonly inDiff: boolean
}

export function explainDifference(facts: Facts, change: readonly ChangedFile[]): Explanation {
  const { source, uses, side, kind, elsewhere = [] } = facts
  const changed = change
    .filter(({ path }) => !elsewhere.includes(path))
    .flatMap((file) => codeChangesOf(file) ?? [])
  const files = new Map(changed.map((file) => [file.path, file]))
  const own = source && files.get(source.file)
  const nearest = own && source.line !== undefined ? nearestChange(own, source.line, side) : undefined
  const bySelector = findSelector(facts, changed)
  // Where an element is and how large it is, its style says first.
  if (bySelector && (kind === 'layout' || kind === 'pixels')) return bySelector
  const inOwn = own && findText(facts, [own])
  if (inOwn) return inOwn
  if (own && nearest?.isInside) return madeBy(own, nearest.line)
  const byText = findText(facts, changed) ?? findSubstitution(facts, changed)
  // A style writes no text.
  const byEither = kind === 'accessibility' ? (bySelector ?? byText) : (byText ?? bySelector)
  if (byEither) return byEither
  if (own) return madeBy(own, nearest?.line ?? firstLineOf(own))
  for (const use of uses) {
    const file = files.get(use.file)
    if (file) return madeBy(file, nearestChange(file, use.line ?? 1, 'current')?.line ?? firstLineOf(file))
  }
  const [imported] = facts.imported.flatMap((path) => files.get(path) ?? [])
  if (imported) return madeBy(imported, firstLineOf(imported))
  if (source) return { file: source.file, line: source.line, inDiff: false }
  // Nothing is noted about its source: what the step has loaded is all that can be known.
  const likely = facts.loaded.flatMap((path) => files.get(path) ?? []).find((file) => canMake(file, facts))
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
  // A file that was deleted has no line.
  ...(line !== undefined && line > 0 && { line }),
  inDiff: true,
})

const firstLineOf = ({ hunks: [hunk] }: ChangedFile): number | undefined => hunk && firstChangeOf(hunk)

function findSelector({ selectors }: Facts, changed: readonly ChangedFile[]): Explanation | undefined {
  for (const file of changed)
    for (const { selector, line } of changedSelectors(file))
      if (selectors.includes(selector)) return madeBy(file, line)
  return undefined
}

/** Whether a loaded file could have made a difference that its text does not show. */
function canMake(file: ChangedFile, { kind, isMatched }: Facts): boolean {
  const isVisual = kind === undefined || ['pixels', 'layout', 'accessibility'].includes(kind)
  // A rule that matches nothing there is no cause; what is in no rule, such as a font, may be one.
  if (/\.(css|scss|sass|less|styl)$/.test(file.path))
    return isVisual && !(isMatched === true && changedSelectors(file).length > 0)
  if (file.isTooLong) return true
  const isDocument = /\.(html?|ejs|hbs|mustache|pug|njk|liquid|erb|twig|php)$/.test(file.path)
  return isVisual || !isDocument || file.hunks.some(({ text }) => /<script|\{[{%]|<[%?]/.test(text))
}

/** The changed lines of which one has the word that was shown and the other one the word that is shown, and nothing else differs. */
function findSubstitution(
  { before, after }: Facts,
  changed: readonly ChangedFile[],
): Explanation | undefined {
  const onPage = before !== undefined && after !== undefined ? substitutionOf(before, after) : undefined
  if (!onPage) return undefined
  for (const file of changed)
    for (const hunk of isBeside(file.path) ? [] : file.hunks) {
      const written = substitutionsOf(hunk).find(({ from, to }) => from === onPage.from && to === onPage.to)
      if (written) return madeBy(file, written.line)
    }
  return undefined
}

interface Substitution {
  readonly from: string
  readonly to: string
}

const substitutionsByHunk = new WeakMap<Hunk, readonly (Substitution & { readonly line: number })[]>()

/** Those between a removed line and the added one in its place. */
function substitutionsOf(hunk: Hunk): readonly (Substitution & { readonly line: number })[] {
  const known = substitutionsByHunk.get(hunk)
  if (known) return known
  const removed = new Map<number, string>()
  for (const { change, text, line } of hunk.changes)
    if (change === 'removed' && !removed.has(line)) removed.set(line, text)
  const substitutions = hunk.changes.flatMap(({ change, text, line }) => {
    const before = change === 'added' ? removed.get(line) : undefined
    const substitution = before === undefined ? undefined : substitutionOf(before, text)
    return substitution ? [{ ...substitution, line }] : []
  })
  substitutionsByHunk.set(hunk, substitutions)
  return substitutions
}

/** The only word in which two texts differ, in each of them. A number is the same however it is written. */
function substitutionOf(before: string, after: string): Substitution | undefined {
  const [old, current] = [before, after].map((text) => text.match(/\d+(?:\.\d+)?|[\p{L}_]+|[^\s]/gu) ?? [])
  if (!old || !current || old.length !== current.length) return undefined
  const different = old.flatMap((word, index) => (word === current[index] ? [] : [index]))
  const [at, another] = different
  if (at === undefined || another !== undefined) return undefined
  const normalize = (word = '') => (/^\d/.test(word) ? String(Number(word)) : word)
  return { from: normalize(old[at]), to: normalize(current[at]) }
}

const TEXT_MINIMUM_CHARS = 3

/** The changed line that has a text which only one of the versions shows. */
function findText(
  { before = '', after = '', isQuick = false }: Facts,
  changed: readonly ChangedFile[],
): Explanation | undefined {
  const parts = { added: partsOf(after), removed: partsOf(before) }
  if (isQuick) return findLiteral([...parts.added, ...parts.removed], changed)
  let best: { readonly file: ChangedFile; readonly line: ChangedLine; readonly score: number } | undefined
  for (const file of changed)
    for (const { changes } of isBeside(file.path) ? [] : file.hunks)
      for (const line of changes) {
        const [text, other] = line.change === 'added' ? [after, before] : [before, after]
        const score = scoreOf(line, parts[line.change], text, other)
        // Where the added line tells as much as the removed one, it is the one that is there now.
        if (score > (best?.score ?? 0)) best = { file, line, score }
      }
  return best && madeBy(best.file, best.line.line)
}

const linesByFile = new WeakMap<ChangedFile, ReadonlyMap<string, number>>()

function findLiteral(parts: readonly string[], changed: readonly ChangedFile[]): Explanation | undefined {
  for (const file of changed) {
    const lines = linesByFile.get(file) ?? linesOfLiterals(file)
    linesByFile.set(file, lines)
    const part = isBeside(file.path) ? undefined : parts.find((one) => lines.has(one))
    if (part !== undefined) return madeBy(file, lines.get(part))
  }
  return undefined
}

/** The first line of each. */
function linesOfLiterals({ hunks }: ChangedFile): ReadonlyMap<string, number> {
  const changes = hunks.flatMap((hunk) => hunk.changes).toReversed()
  return new Map(changes.flatMap((line) => literalsOf(line).map((literal) => [literal, line.line])))
}

/** How many characters of the text that is shown are written in a line. */
function scoreOf(line: ChangedLine, parts: readonly string[], text: string, other: string): number {
  if (text === '') return 0
  const whole = parts.filter((part) => hasWords(line.text, part) && !other.includes(part))
  const literals = literalsOf(line).filter((literal) => hasWords(text, literal) && !other.includes(literal))
  return Math.max(0, ...[...whole, ...literals].map((part) => part.length))
}

/** Scripts that put no space between words. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Whether a text has another one that neither begins nor ends within a word: "Add" is not in `address`. */
function hasWords(text: string, part: string): boolean {
  const isWord = (char = '') => /[\p{L}\p{N}_]/u.test(char) && !WITHOUT_SPACES.test(char)
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const end = at + part.length
    const isCut = (isWord(text[at - 1]) && isWord(text[at])) || (isWord(text[end - 1]) && isWord(text[end]))
    if (!isCut) return true
  }
  return false
}

const LITERAL_PATTERN = /'([^']+)'|"([^"]+)"|`([^`]+)`|>([^<>{}]+)<?|\}([^<>{}$`]+)/g
// A longer line is of a program that was made by another one.
const LINE_LIMIT_CHARS = 2000
const literalsByLine = new WeakMap<ChangedLine, readonly string[]>()

function literalsOf(line: ChangedLine): readonly string[] {
  const known = literalsByLine.get(line)
  if (known) return known
  const literals = [...line.text.slice(0, LINE_LIMIT_CHARS).matchAll(LITERAL_PATTERN)]
    .flatMap(([, ...groups]) => groups.filter((group) => group !== undefined))
    .flatMap((literal) => literal.split(/\$?\{[^{}]*\}/))
    .map((literal) => literal.trim())
    .filter((literal) => literal.length >= TEXT_MINIMUM_CHARS)
  literalsByLine.set(line, literals)
  return literals
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
