// What `git diff` says about one file, and where a changed line stands.

import { selectorsAround } from './selectors-around.ts'

interface ChangedLine {
  readonly change: 'added' | 'removed'
  readonly text: string
  /** The line of the current file: for a removed line the one that is in its place. */
  readonly line: number
}

export interface Hunk {
  /** The lines of the current file that it shows, from `start` to before `end`; `oldStart` and `oldEnd` are those of the base. */
  readonly start: number
  readonly end: number
  readonly oldStart: number
  readonly oldEnd: number
  readonly changes: readonly ChangedLine[]
  /** Its text, as git shows it. */
  readonly text: string
}

export interface ChangedFile {
  readonly path: string
  readonly hunks: readonly Hunk[]
  /** The text of the current file, where it has styles. */
  readonly content?: string
  /** Whether its hunks are left out: they may have every text. */
  readonly isTooLong?: true
}

/** What a generated file can have is left out; so is what is beyond the sum. */
const SECTION_LIMIT_CHARS = 500_000
const SUM_LIMIT_CHARS = 1_000_000

/** The files in the output of `git diff` with the prefixes a/ and b/; those without a text, such as pictures, have no hunks. */
export function parseDiff(output: string): readonly ChangedFile[] {
  let left = SUM_LIMIT_CHARS
  // A line ends with a line feed alone, whatever else the texts and names have.
  return output.split(/(?<![^\n])diff --git /).flatMap((section) => {
    const start = section.search(/(?<![^\n])@@ -/)
    const path = pathOf(start < 0 ? section : section.slice(0, start))
    if (path === undefined) return []
    if (section.length > Math.min(left, SECTION_LIMIT_CHARS)) return [{ path, hunks: [], isTooLong: true }]
    left -= section.length
    const hunks = start < 0 ? [] : section.slice(start).split(/(?<![^\n])(?=@@ -)/)
    return [{ path, hunks: hunks.flatMap(parseHunk) }]
  })
}

/** The path in the header of a file of such an output, as it is now, or as it was if it is gone. */
export function pathOf(header: string): string | undefined {
  const [first = '', ...rows] = header.split('\n')
  const [current, previous] = ['+++ ', '--- '].map((mark) =>
    nameIn(
      rows
        .find((row) => row.startsWith(mark))
        ?.slice(mark.length)
        .replace(/\t$/, ''),
    ),
  )
  if (current ?? previous) return current ?? previous
  return /^a\/([^]+) b\/\1$/.exec(first)?.[1] ?? nameIn(/ ("b\/.*")$/.exec(first)?.[1])
}

/** A file that is new as a whole. */
export function addedFile(path: string, content: string): ChangedFile {
  const texts = content.replace(/\n$/, '').split('\n')
  const changes = texts.map((text, index) => ({ change: 'added' as const, text, line: index + 1 }))
  const end = texts.length + 1
  const text = [`@@ -0,0 +1,${texts.length} @@`, ...texts.map((line) => `+${line}`)].join('\n')
  return { path, hunks: [{ start: 1, end, oldStart: 0, oldEnd: 0, changes, text }] }
}

/** Where a line of one of the versions is in the current file, and whether the change has added or removed it. */
export function placeNow(
  { hunks }: ChangedFile,
  line: number,
  side: 'base' | 'current',
): { readonly line: number | undefined; readonly isChanged: boolean } {
  if (side === 'current')
    return {
      line,
      isChanged: hunks.some(({ changes }) =>
        changes.some((one) => one.change === 'added' && one.line === line),
      ),
    }
  // Without its hunks nothing tells where a line of the base has gone.
  if (hunks.length === 0) return { line: undefined, isChanged: false }
  let shift = 0
  for (const { start, end, oldStart, oldEnd, text } of hunks) {
    if (line < oldStart || (line === oldStart && oldEnd === oldStart)) break
    let [old, now] = [oldStart, start]
    for (const row of line < oldEnd ? text.split('\n').slice(1) : []) {
      const isRemoved = row.startsWith('-')
      if (row.startsWith('\\')) continue
      if (old === line && !row.startsWith('+'))
        return { line: isRemoved ? Math.min(now, Math.max(end - 1, 0)) : now, isChanged: isRemoved }
      if (!row.startsWith('+')) old += 1
      if (!isRemoved) now += 1
    }
    shift += end - start - (oldEnd - oldStart)
  }
  return { line: line + shift, isChanged: false }
}

interface ChangedSelector {
  readonly selector: string
  readonly line: number
}

const selectorsByFile = new WeakMap<ChangedFile, readonly ChangedSelector[]>()

/** The selectors of style rules whose lines were changed, each with its line. They are read once for a file. */
export function changedSelectors(file: ChangedFile): readonly ChangedSelector[] {
  const known = selectorsByFile.get(file) ?? (STYLE_FILE.test(file.path) ? findSelectors(file) : [])
  selectorsByFile.set(file, known)
  return known
}

// --- internal ---

/** Without its prefix and its quotes; undefined for no file. */
function nameIn(text: string | undefined): string | undefined {
  const isQuoted = text?.startsWith('"')
  const name = isQuoted
    ? text?.slice(1, -1).replace(/\\([0-7]{3}|.)/g, (_, code: string) => unescape(code))
    : text
  return name === '/dev/null' ? undefined : name?.replace(/^[ab]\//, '')
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

const unescape = (code: string): string =>
  /^\d/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code)

const STYLE_FILE = /\.(css|scss|sass|less|styl|vue|svelte|astro|html?)$/
const RULE_LIMIT_CHARS = 1000

function findSelectors({ hunks, content = '' }: ChangedFile): readonly ChangedSelector[] {
  const changes = hunks.flatMap((hunk) => hunk.changes)
  const findAround = selectorsAround(content)
  // The line of a rule that is still there is that of the added text.
  const ordered = changes.toSorted((a, b) => Number(a.change === 'removed') - Number(b.change === 'removed'))
  const lines = new Map<string, number>()
  for (const { change, text, line } of ordered) {
    const own = /^([^{}@/]+)\{/.exec(text.slice(0, RULE_LIMIT_CHARS).trimStart())?.[1]?.trim()
    const around = change === 'added' || own === undefined ? findAround(line) : undefined
    for (const selector of [own, around]) if (selector && !lines.has(selector)) lines.set(selector, line)
  }
  return [...lines].map(([selector, line]) => ({ selector, line }))
}

function parseHunk(text: string): Hunk[] {
  const [, oldStart, oldCount = '1', start, count = '1'] =
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text) ?? []
  if (oldStart === undefined || start === undefined) return []
  let line = Number(start)
  // What is removed at the end of a file has its last line in its place.
  const last = line + Number(count) - 1
  const changes: ChangedLine[] = []
  for (const row of text.split('\n').slice(1)) {
    if (row.startsWith('-'))
      changes.push({ change: 'removed', text: row.slice(1), line: Math.min(line, Math.max(last, 0)) })
    else if (row.startsWith('+')) changes.push({ change: 'added', text: row.slice(1), line: line++ })
    // With diff.suppressBlankEmpty an empty line has no mark.
    else if (row === '' || row.startsWith(' ')) line += 1
  }
  const [first, oldFirst] = [Number(start), Number(oldStart)]
  return [
    {
      start: first,
      end: first + Number(count),
      oldStart: oldFirst,
      oldEnd: oldFirst + Number(oldCount),
      changes,
      text: text.trimEnd(),
    },
  ]
}
