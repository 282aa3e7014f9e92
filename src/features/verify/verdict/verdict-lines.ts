// A verdict in the lines of an answer, at most about 1,000 tokens.

import { showPageText } from '../../../core/base/text/invisible-characters.ts'
import type { VerdictAnswer } from './verdict-answer.ts'

const FILE_LIMIT = 12
const CLAIM_LIMIT = 20
const RANGES_LIMIT_CHARS = 60

export function linesOfVerdict(answer: VerdictAnswer): readonly string[] {
  const { verdict, message, files, claims, flows, errors, stale } = answer
  const row = (name: string, texts: readonly string[], limit = FILE_LIMIT) =>
    texts.length === 0 ? [] : [oneLine(` ${name.padEnd(9)} ${shorten(texts, limit)}`)]
  const placesOf = (part: Part) =>
    files.filter((file) => file[part].length > 0).map((file) => placeOf(file, part))
  return [
    oneLine(`verify: ${verdict} - ${message}`),
    ...row('ran', placesOf('ran')),
    ...row('partly', [
      ...placesOf('partly'),
      ...placesOf('idle').map((place) => `${place} (a function on it did not run)`),
    ]),
    ...row('not run', placesOf('notRun')),
    ...row('not loaded', placesOf('notLoaded')),
    ...row(
      'not seen',
      files.flatMap(({ file, notSeen }) => (notSeen === undefined ? [] : `${file} (${notSeen})`)),
    ),
    ...row('stale', stale),
    ...row('errors', errors),
    ...row(
      'claims',
      claims.map(
        ({ say, verdict: word, seen }) => `${JSON.stringify(say)} ${word}${seen ? `: ${seen}` : ''}`,
      ),
      CLAIM_LIMIT,
    ),
    ...row('flows', flows.map(describeFlow)),
  ]
}

// --- internal ---

/** Such as `checkout.spec.ts touches src/cart.tsx:41: passed 8 s ago`. */
function describeFlow({ path, touches, verdict, at }: VerdictAnswer['flows'][number]): string {
  if (at === undefined) return `${path}: not known what it runs`
  const state = FLOW_STATES[verdict] + (verdict === 'UNVERIFIED' ? '' : ` ${at}`)
  const own = touches.filter((place) => place !== path)
  const places = shorten(own.length > 0 ? own : ['its own steps'], PLACE_LIMIT)
  return `${path} touches ${places}: ${state}`
}

const PLACE_LIMIT = 3
const FLOW_STATES = { PASS: 'passed', FAIL: 'failed', UNVERIFIED: 'not run since the edit' }

type FileAnswer = VerdictAnswer['files'][number]
type Part = 'ran' | 'partly' | 'idle' | 'notRun' | 'notLoaded'

// The names of files and what a page showed must not read as other lines.
const oneLine = (text: string): string => showPageText(text, 'continued').replace(/\n ?/g, ' ')

function placeOf(file: FileAnswer, part: Part): string {
  // Who has loaded nothing of a file needs no lines.
  const hasRun = file.ran.length + file.partly.length + file.notRun.length > 0
  if (part === 'notLoaded' && !hasRun) return file.file
  const ranges = file[part].join(',')
  const cut = ranges.lastIndexOf(',', RANGES_LIMIT_CHARS)
  const place = ranges.length <= RANGES_LIMIT_CHARS ? ranges : `${ranges.slice(0, cut)},…`
  return `${file.file}:${place}${part === 'ran' && file.by ? ` (${file.by})` : ''}`
}

const shorten = (texts: readonly string[], limit: number): string =>
  [...texts.slice(0, limit), ...(texts.length > limit ? [`… ${texts.length - limit} more`] : [])].join(', ')
