// What the ledger keeps: which lines of which version of a file a call ran, and where an error left the page. No text of a page and no
// value is in it. An entry is one line of JSON; a line that is none of these is no entry.

import { isRecord, parseJson } from '../../../core/base/text/json.ts'
import type { FunctionRuns } from '../coverage/counted-script.ts'
import {
  type CommonEntry,
  type FlowEntry,
  flowFieldsOf,
  parseFlow,
  parseText,
  type TextEntry,
  textFieldsOf,
} from './flow-entry.ts'
import { formatLines, parseLines } from './line-ranges.ts'

export type LedgerEntry = RunEntry | ErrorEntry | FlowEntry | TextEntry | SeenEntry

export interface RunEntry extends CommonEntry {
  readonly kind: 'run'
  /** The call that ran it, in a few words. */
  readonly call: string
  readonly functions: readonly FunctionEntry[]
  /** Whether an uncaught error came meanwhile: what ran only partly may have ended there. */
  readonly isCutOff?: true
  /** What ran it; a page's script without it. Each compiles a file in its own way. */
  readonly part?: 'server' | 'style'
}

/** A function of the source from its first to its last line, with the hash of these; the whole source for what is in none. */
export interface FunctionEntry extends FunctionRuns {
  readonly text: string
  /** How many functions before it have the same lines. */
  readonly copy?: number
}

/** An uncaught error whose place is known, or the one that left the page blank. */
export interface ErrorEntry extends CommonEntry {
  readonly kind: 'error'
  readonly line: number
  /** Such as TypeError. */
  readonly name: string
  readonly isBlank: boolean
}

/** A file of which nobody counts lines: a page has received its bytes, of which `content` is the hash. */
interface SeenEntry extends CommonEntry {
  readonly kind: 'seen'
  /** The call during which it came. */
  readonly call: string
}

export const splitLines = (content: string): readonly string[] =>
  content.replace(/^\uFEFF/, '').split(/\r\n?|\n/)

export function formatEntry(entry: LedgerEntry): string {
  const { kind, at, session, file, content } = entry
  const common = { kind, at, session, file, content }
  if (entry.kind === 'flow') return JSON.stringify({ ...common, ...flowFieldsOf(entry) })
  if (entry.kind === 'text') return JSON.stringify({ ...common, ...textFieldsOf(entry) })
  if (entry.kind === 'seen') return JSON.stringify({ ...common, call: entry.call })
  if (entry.kind === 'error') {
    const { line, name, isBlank } = entry
    return JSON.stringify({ ...common, line, name, isBlank })
  }
  const functions = entry.functions.map(({ firstLine, lastLine, text, copy, ran, partly, notRun }) => [
    firstLine,
    lastLine - firstLine,
    text,
    ...[ran, partly, notRun].map((lines) => formatLines(lines, firstLine)),
    ...(copy === undefined ? [] : [copy]),
  ])
  const { call, isCutOff, part } = entry
  return JSON.stringify({ ...common, call, functions, isCutOff, part })
}

export function parseEntry(line: string): LedgerEntry | undefined {
  const record = parseJson(line)
  if (!isRecord(record)) return undefined
  const { kind, at, session, file, content, call, functions, line: place, name, isBlank } = record
  if (typeof at !== 'number' || !areTexts(session, file, content)) return undefined
  const common = { at, session: String(session), file: String(file), content: String(content) }
  if (kind === 'error' && typeof place === 'number' && typeof name === 'string')
    return { kind, ...common, line: place, name, isBlank: isBlank === true }
  if (kind === 'flow') return parseFlow(record, common)
  if (kind === 'seen' && typeof call === 'string') return { kind, ...common, call }
  if (kind === 'text') return parseText(record, common)
  if (kind !== 'run' || typeof call !== 'string' || !Array.isArray(functions)) return undefined
  const entries = functions.map(parseFunction)
  return entries.includes(undefined)
    ? undefined
    : {
        kind,
        ...common,
        call,
        functions: entries.filter((entry) => entry !== undefined),
        ...(record['isCutOff'] === true && { isCutOff: true }),
        ...((record['part'] === 'server' || record['part'] === 'style') && { part: record['part'] }),
      }
}

// --- internal ---

const areTexts = (...values: readonly unknown[]): boolean =>
  values.every((value) => typeof value === 'string' && value.length <= TEXT_LIMIT_CHARS)

const TEXT_LIMIT_CHARS = 4096

function parseFunction(value: unknown): FunctionEntry | undefined {
  if (!Array.isArray(value)) return undefined
  const [firstLine, more, text, ...rest] = value as readonly unknown[]
  const [states, copy] = [rest.slice(0, 3), rest[3]]
  if (!Number.isSafeInteger(firstLine) || !Number.isSafeInteger(more) || typeof text !== 'string')
    return undefined
  const first = Number(firstLine)
  const [ran, partly, notRun] = states.map((state) =>
    typeof state === 'string' ? parseLines(state, first) : undefined,
  )
  return ran && partly && notRun
    ? {
        ...{ firstLine: first, lastLine: first + Number(more), text, ran, partly, notRun },
        ...(typeof copy === 'number' && { copy }),
      }
    : undefined
}
