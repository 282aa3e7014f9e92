// A verdict in the lines of an answer, at most about 1,000 tokens.

import { showPageText } from '../../../core/base/text/invisible-characters.ts'
import type { VerdictAnswer } from './verdict-answer.ts'

const ROW_LIMIT = 12
const RANGES_LIMIT_CHARS = 60

export function linesOfVerdict(answer: VerdictAnswer): readonly string[] {
  const { verdict, message, files, claims, flows, errors, stale } = answer
  const row = (name: string, texts: readonly string[], next?: string) => {
    const step = next === undefined ? '' : `: ${next}`
    return texts.length === 0 ? [] : [oneLine(` ${name.padEnd(9)} ${shorten(texts, ROW_LIMIT)}${step}`)]
  }
  const rowOfLines = (name: string, part: Part) => {
    const own = files.filter((file) => file[part].length > 0)
    return row(
      name,
      own.map((file) => placeOf(file, part)),
      part === 'notLoaded' ? own[0]?.next : undefined,
    )
  }
  const rowOfFiles = (name: string, part: 'seen' | 'vouched' | 'notSeen' | 'notCounted') => {
    const own = files.filter((file) => file[part] !== undefined)
    return row(
      name,
      own.map((file) => `${file.file} (${file[part]})`),
      part === 'notSeen' ? own[0]?.next : undefined,
    )
  }
  return [
    oneLine(`verify: ${verdict} - ${message}`),
    ...rowOfLines('ran', 'ran'),
    ...rowOfLines('partly', 'partly'),
    ...rowOfLines('not run', 'notRun'),
    ...rowOfLines('not loaded', 'notLoaded'),
    ...rowOfFiles('seen', 'seen'),
    ...rowOfFiles('vouched', 'vouched'),
    ...rowOfFiles('not seen', 'notSeen'),
    ...rowOfFiles('not counted', 'notCounted'),
    ...row('stale', stale),
    ...row('errors', errors),
    ...row('claims', claims.map(describeClaim)),
    ...row('flows', flows.map(describeFlow)),
  ]
}

// --- internal ---

const describeClaim = ({ say, verdict, seen }: VerdictAnswer['claims'][number]): string =>
  `${JSON.stringify(say)} ${verdict}${seen ? `: ${seen}` : ''}`

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
type Part = 'ran' | 'partly' | 'notRun' | 'notLoaded'

// The names of files and what a page showed must not read as other lines.
const oneLine = (text: string): string => showPageText(text, 'continued').replace(/\n ?/g, ' ')

function placeOf(file: FileAnswer, part: Part): string {
  // Who has loaded nothing of a file needs no lines.
  const hasRun = file.ran.length + file.partly.length + file.notRun.length > 0
  if (part === 'notLoaded' && !hasRun) return file.file
  const ranges = file[part].map((range) => besideOf(file, range)).join(',')
  const cut = ranges.lastIndexOf(',', RANGES_LIMIT_CHARS)
  const place = ranges.length <= RANGES_LIMIT_CHARS ? ranges : `${ranges.slice(0, cut)},…`
  return `${file.file}:${place}${part === 'ran' && file.by ? ` (${file.by})` : ''}`
}

/** A line that stands for what was removed says so. */
const besideOf = ({ beside }: FileAnswer, range: string): string =>
  beside.find((text) => text.startsWith(`${range} `)) ?? range

const shorten = (texts: readonly string[], limit: number): string =>
  [...texts.slice(0, limit), ...(texts.length > limit ? [`… ${texts.length - limit} more`] : [])].join(', ')
