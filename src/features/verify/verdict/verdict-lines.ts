// A verdict in the lines of an answer, at most about 1,000 tokens.

import { formatLines } from '../ledger/line-ranges.ts'
import { type FileVerdict, hasRun, type Verdict } from './verdict.ts'

const FILE_LIMIT = 12
const CLAIM_LIMIT = 20
const RANGES_LIMIT_CHARS = 60

/** `now` is in Unix milliseconds. */
export function linesOfVerdict(verdict: Verdict, now: number): readonly string[] {
  const { files, claims, errors, stale } = verdict
  const row = (name: string, texts: readonly string[], limit = FILE_LIMIT) =>
    texts.length === 0 ? [] : [` ${name.padEnd(9)} ${shorten(texts, limit)}`]
  const placesOf = (part: 'notRun' | 'notLoaded') =>
    files.filter((file) => file[part].length > 0).map((file) => placeOf(file, part))
  return [
    `verify: ${verdict.verdict} - ${summaryOf(verdict)}`,
    ...row('ran', ranPlaces(files, now)),
    ...row('partly', partlyPlaces(files)),
    ...row('not run', placesOf('notRun')),
    ...row('not loaded', placesOf('notLoaded')),
    ...row(
      'not seen',
      files.flatMap(({ file, notSeen }) => (notSeen === undefined ? [] : `${file} (${notSeen})`)),
    ),
    ...row('stale', stale),
    ...row(
      'errors',
      errors.map(
        ({ file, line, name, at, isBlank }) =>
          `${file}:${line} ${name}${isBlank ? ', which left the page blank' : ''} (${ageOf(at, now)})`,
      ),
    ),
    ...row(
      'claims',
      claims.map(
        ({ say, verdict: word, seen }) => `${JSON.stringify(say)} ${word}${seen ? `: ${seen}` : ''}`,
      ),
      CLAIM_LIMIT,
    ),
  ]
}

/** Such as `3 of 5 changed files ran since their last edit, 1 not seen`. */
export function summaryOf({ files, base }: Verdict): string {
  const countedFiles = files.filter(({ notSeen }) => notSeen === undefined)
  const unseenCount = files.length - countedFiles.length
  if (files.length === 0) return `nothing that can run differs from ${base}`
  const unseen = unseenCount > 0 ? `, ${unseenCount} not seen` : ''
  if (countedFiles.length === 0)
    return `nothing can tell whether the ${count(unseenCount, 'changed file')} ran`
  const ranCount = countedFiles.filter(hasRun).length
  return `${ranCount} of ${count(countedFiles.length, 'changed file')} ran since ${countedFiles.length === 1 ? 'its' : 'their'} last edit${unseen}`
}

/** Such as `ran 12 of 14 changed lines`. */
export function lineSummaryOf({ files }: Pick<Verdict, 'files'>): string {
  const sum = (part: 'ran' | 'partly' | 'notRun' | 'notLoaded') =>
    files.reduce((total, file) => total + file[part].length, 0)
  const ranCount = sum('ran') + sum('partly')
  return `ran ${ranCount} of ${count(ranCount + sum('notRun') + sum('notLoaded'), 'changed line')}`
}

export const ageOf = (at: number, now: number): string => {
  const seconds = Math.max(0, Math.round((now - at) / 1000))
  if (seconds < 120) return `${seconds} s ago`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min ago` : `${Math.round(seconds / 3600)} h ago`
}

// --- internal ---

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

function placeOf(file: FileVerdict, part: 'ran' | 'partly' | 'notRun' | 'notLoaded' | 'idle'): string {
  // Who has loaded nothing of a file needs no lines.
  const isWhole = part === 'notLoaded' && !hasRun(file) && file.notRun.length === 0
  if (isWhole) return file.file
  const ranges = formatLines(file[part])
  if (ranges.length <= RANGES_LIMIT_CHARS) return `${file.file}:${ranges}`
  const cut = ranges.lastIndexOf(',', RANGES_LIMIT_CHARS)
  return `${file.file}:${ranges.slice(0, cut)},…`
}

const partlyPlaces = (files: readonly FileVerdict[]): readonly string[] =>
  files.flatMap((file) => {
    const rest = file.partly.filter((line) => !file.idle.includes(line))
    return [
      ...(rest.length > 0 ? [placeOf({ ...file, partly: rest }, 'partly')] : []),
      ...(file.idle.length > 0 ? [`${placeOf(file, 'idle')} (a function on it did not run)`] : []),
    ]
  })

const ranPlaces = (files: readonly FileVerdict[], now: number): readonly string[] =>
  files
    .filter(({ ran }) => ran.length > 0)
    .map((file) => {
      const { by } = file
      return `${placeOf(file, 'ran')}${by ? ` (${by.call}, ${ageOf(by.at, now)})` : ''}`
    })

const shorten = (texts: readonly string[], limit: number): string =>
  [...texts.slice(0, limit), ...(texts.length > limit ? [`… ${texts.length - limit} more`] : [])].join(', ')
