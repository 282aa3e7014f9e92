// What the ledger keeps of tests: which lines of which files the pages of one ran, and whether it passed. A text is kept as hashes of its
// lines, so that lines can be followed when it is edited.

import { isRecord } from '../../../core/base/text/json.ts'
import { formatLines, parseLines } from './line-ranges.ts'

export interface CommonEntry {
  /** Unix milliseconds. */
  readonly at: number
  /** The name of the session. */
  readonly session: string
  /** Relative to the top of the work tree. */
  readonly file: string
  /** The hash of the file's content then. */
  readonly content: string
}

/** The last attempt of a test in one run; `file` and `content` are those of the test. */
export interface FlowEntry extends CommonEntry {
  readonly kind: 'flow'
  /** Its title, with its project. */
  readonly test: string
  readonly isPassed: boolean
  /** Milliseconds. */
  readonly duration: number
  /** Whether it is known of all its pages what they ran. */
  readonly isWhole: boolean
  /** Whether all tests of the file ran with it. */
  readonly isAll: boolean
  readonly files: readonly FlowFile[]
  /** The paths of everything that its pages loaded from this machine. */
  readonly resources: readonly string[]
  /** Identifies the contents of all that it ran. */
  readonly inputs: string
  /** Its last runs, the oldest first. */
  readonly past: readonly PastRun[]
  /** The marks of the elements that its locators found when it passed last, by the hashes of their selectors. */
  readonly elements: Readonly<Record<string, readonly string[]>>
}

/** A file that the pages of a test loaded, as it was then; the content is empty where that is not known. */
export interface FlowFile {
  readonly file: string
  readonly content: string
  readonly ran: readonly number[]
}

interface PastRun {
  readonly inputs: string
  readonly isPassed: boolean
}

export interface TextEntry extends CommonEntry {
  readonly kind: 'text'
  /** The hashes of its lines. */
  readonly lines: readonly string[]
}

type Fields = Readonly<Record<string, unknown>>

export const flowFieldsOf = ({
  test,
  isPassed,
  duration,
  isWhole,
  isAll,
  files,
  resources,
  inputs,
  past,
  elements,
}: FlowEntry): Fields => ({
  ...{ test, isPassed, duration: Math.round(duration), isWhole, isAll, resources, inputs },
  files: files.map(({ file, content, ran }) => [file, content, formatLines(ran)]),
  past: past.map((run) => `${run.inputs}${run.isPassed ? '+' : '-'}`).join(' '),
  elements,
})

export const textFieldsOf = ({ lines }: TextEntry): Fields => ({ lines: lines.join('') })

export function parseFlow(record: Fields, common: CommonEntry): FlowEntry | undefined {
  const { test, isPassed, duration, isWhole, isAll, files, resources, inputs, past } = record
  if (typeof test !== 'string' || typeof duration !== 'number' || !Array.isArray(files)) return undefined
  if (!Array.isArray(resources) || typeof inputs !== 'string' || typeof past !== 'string') return undefined
  const flowFiles = files.map(parseFile)
  return flowFiles.includes(undefined)
    ? undefined
    : {
        ...{ kind: 'flow', ...common, test, duration, inputs },
        ...{ isPassed: isPassed === true, isWhole: isWhole === true, isAll: isAll === true },
        files: flowFiles.filter((one) => one !== undefined),
        resources: resources.filter((path) => typeof path === 'string'),
        past: past.split(' ').flatMap((run) => {
          const [, key, sign] = /^(\w+)([+-])$/.exec(run) ?? []
          return key ? [{ inputs: key, isPassed: sign === '+' }] : []
        }),
        elements: parseElements(record['elements']),
      }
}

export function parseText({ lines }: Fields, common: CommonEntry): TextEntry | undefined {
  if (typeof lines !== 'string' || lines.length % LINE_HASH_CHARS !== 0) return undefined
  return { kind: 'text', ...common, lines: lines.match(/.../g) ?? [] }
}

export const LINE_HASH_CHARS = 3

// --- internal ---

const parseElements = (value: unknown): FlowEntry['elements'] =>
  Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).flatMap(([key, marks]) =>
      Array.isArray(marks) ? [[key, marks.filter((mark) => typeof mark === 'string')]] : [],
    ),
  )

function parseFile(value: unknown): FlowFile | undefined {
  const [file, content, ran] = Array.isArray(value) ? (value as readonly unknown[]) : []
  const lines = typeof ran === 'string' ? parseLines(ran) : undefined
  return typeof file === 'string' && typeof content === 'string' && lines
    ? { file, content, ran: lines }
    : undefined
}
