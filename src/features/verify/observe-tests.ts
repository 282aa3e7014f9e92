// Keeps in the ledger what the tests of a run have run, and says of failed ones what that tells.

import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from '../../core/base/failure.ts'
import { readStats } from '../../core/base/files/read-stats.ts'
import { ok } from '../../core/base/result.ts'
import type { KnownElements, ObservedRun, ObservedTest, TestRunObserver } from '../run-test/test-runner.ts'
import { pathInTree } from './change/path-in-tree.ts'
import { type Change, readTreeFile } from './change/read-change.ts'
import { explainFailure } from './flows/explain-failure.ts'
import { type FlowVerdict, pageFilesOf, serverFilesOf, versionOf } from './flows/judge-flows.ts'
import { hashLines } from './flows/line-changes.ts'
import { createReportReader, type ReadReports as Read } from './flows/read-reports.ts'
import type { LedgerEntry, RunEntry } from './ledger/entry.ts'
import type { FlowEntry, FlowFile, TextEntry } from './ledger/flow-entry.ts'
import type { Ledger } from './ledger/ledger-file.ts'
import { hashText } from './ledger/text-hash.ts'
import { observeServers, type OpenServers } from './observe-servers.ts'
import { isDocumentation } from './pieces/documentation.ts'
import { createRunNotes, type RunNotes } from './run-notes.ts'

interface ObserverParts {
  /** The top of the work tree of a folder; undefined outside of one. */
  readonly findTop: (folder: string) => Promise<string | undefined>
  readonly readChange: (folder: string, base?: string) => Promise<Outcome<Change>>
  readonly findTouched: (change: Change) => Promise<Outcome<readonly FlowVerdict[]>>
  readonly ledgerOf: (top: string) => Ledger
  readonly openServers: OpenServers
}

export function createTestObserver(parts: ObserverParts): TestRunObserver {
  const { findTop, readChange, findTouched, ledgerOf, openServers } = parts
  return {
    async findTouched(folder, base) {
      const change = await readChange(folder, base)
      if (!change.ok) return change
      const touched = await findTouched(change.value)
      if (!touched.ok) return touched
      const open = touched.value.filter(({ verdict }) => verdict !== 'PASS')
      return ok(open.map(({ path }) => join(change.value.top, path)))
    },
    async begin(folder) {
      const top = await findTop(folder)
      if (top === undefined) return undefined
      const change = await readChange(top)
      const notes = createRunNotes()
      const servers = change.ok
        ? await observeServers(openServers, change.value, notes, RUN_SESSION)
        : undefined
      return {
        environmentFor: (variables) => servers?.coverage.environmentFor(variables) ?? {},
        socket: servers?.coverage.socket,
        elements: elementsIn((await ledgerOf(top).read()).entries, top),
        observe: async (run) => observe(run, top, notes, (await servers?.runs()) ?? []),
        end: async () => servers?.coverage.end(),
      }
    },
  }

  async function observe(run: ObservedRun, top: string, notes: RunNotes, serverRuns: readonly RunEntry[]) {
    const ledger = ledgerOf(top)
    const { entries: known } = await ledger.read()
    const read = await readChange(top)
    const change = read.ok ? read.value : undefined
    const reader = createReportReader({ coverage: run.coverage, project: run.folder, top })
    const changedFiles = new Set(change?.files.map(({ path }) => path))
    const flows = new Map<string, FlowEntry>()
    const runs: RunEntry[] = [...serverRuns]
    for (const test of run.tests) {
      const reports = await reader.read(test.reports, changedFiles)
      const flow = flowOf(test, reports, run, top, known, change)
      flows.set(test.id, flow)
      runs.push(...(await notes.entriesOf(...runsOf(reports, flow, top))))
    }
    await reader.end()
    const entries = [...flows.values()]
    if (entries.length > 0) await ledger.append([...textsOf(entries, known, top), ...runs, ...entries])
    const failed = run.tests.filter(({ isPassed }) => !isPassed)
    const all = [...known, ...entries]
    return new Map(
      failed.flatMap(({ id }) => {
        const notes = explainFailure(flows.get(id), change, all)
        return notes.length > 0 ? [[id, notes] as const] : []
      }),
    )
  }
}

// --- internal ---

const PAST_LIMIT = 20
const RUN_SESSION = 'test'

const elementsIn = (entries: readonly LedgerEntry[], top: string): KnownElements =>
  Object.fromEntries(
    entries.flatMap((entry) =>
      entry.kind === 'flow' ? [[`${join(top, entry.file)} ${entry.test}`, entry.elements]] : [],
    ),
  )

function flowOf(
  { file, title, project, isPassed, duration, isWhole, elements }: ObservedTest,
  { files, resources, isWhole: isRead }: Read,
  { startedAt, isAll }: ObservedRun,
  top: string,
  known: readonly LedgerEntry[],
  change: Change | undefined,
): FlowEntry {
  const path = pathInTree(top, realpathSync(file))
  const test = project === '' ? title : `${title} [${project}]`
  const content = hashText(readTreeFile(top, path) ?? '')
  // What was edited meanwhile may have been there before or after.
  const isEdited = (one: string) => (readStats(join(top, one))?.mtimeMs ?? 0) >= startedAt
  const own = files.map((one) => (isEdited(one.file) ? { ...one, content: '' } : one))
  const runs = known.filter(
    (entry): entry is FlowEntry => entry.kind === 'flow' && entry.file === path && entry.test === test,
  )
  const isKnown = isWhole && isRead && files.length > 0
  const others = change ? othersOf(change, own, known, isKnown) : String(startedAt)
  const inputs = inputsOf(content, own, others, runs.at(-1))
  return {
    ...{ kind: 'flow', at: startedAt, session: RUN_SESSION, file: path, content, test },
    ...{ isPassed, duration, isAll, files: own, resources, inputs },
    isWhole: isKnown,
    elements: isPassed ? elements : (runs.at(-1)?.elements ?? {}),
    past: [...(runs.at(-1)?.past ?? []), { inputs, isPassed }].slice(-PAST_LIMIT),
  }
}

/** What its pages ran of the changed files, as that of a call. */
const runsOf = ({ scripts, hasError }: Read, { at, session, file }: FlowEntry, top: string) =>
  [
    { pages: { scripts, styles: [], received: [] }, modules: [] },
    top,
    { at, session, call: file, ...(hasError && { isCutOff: true as const }) },
  ] as const

/** What a test may meet beside the scripts of its pages: templates, styles, data, servers, helpers. */
function othersOf(
  { base, files }: Change,
  own: readonly FlowFile[],
  known: readonly LedgerEntry[],
  isKnown: boolean,
): string {
  const counted = new Set(own.map(({ file }) => file))
  const ofPages = isKnown ? new Set(known.flatMap(pageFilesOf)) : new Set<string>()
  const ofServers = new Set(known.flatMap(serverFilesOf))
  const others = files.filter(
    ({ path, content }) =>
      !isDocumentation(path, content) && !counted.has(path) && (!ofPages.has(path) || ofServers.has(path)),
  )
  return [base, ...others.map(({ path, content, editedAt }) => `${path} ${content ?? editedAt}`)].join('\n')
}

/** Identifies all that a test ran. One that ended early has loaded less of the same. */
function inputsOf(
  content: string,
  files: readonly FlowFile[],
  others: string,
  last: FlowEntry | undefined,
): string {
  const own = hashText(others).slice(0, OTHERS_CHARS)
  const contents = new Map(files.map((file) => [file.file, file.content]))
  const isSame =
    last?.content === content &&
    last.inputs.endsWith(own) &&
    files.every((file) => last.files.some((one) => one.file === file.file && one.content === file.content))
  if (isSame && last.files.length >= contents.size) return last.inputs
  const texts = [...contents].map((pair) => pair.join(' ')).toSorted()
  return `${hashText([content, ...texts].join('\n')).slice(0, INPUTS_CHARS)}${own}`
}

const INPUTS_CHARS = 10
const OTHERS_CHARS = 8

/** The texts that the entries name and the ledger does not have yet. */
function textsOf(
  flows: readonly FlowEntry[],
  known: readonly LedgerEntry[],
  top: string,
): readonly TextEntry[] {
  const keys = new Set(known.flatMap((one) => (one.kind === 'text' ? versionOf(one) : [])))
  return flows.flatMap(({ files, at, session }) =>
    files.flatMap(({ file, content }): readonly TextEntry[] => {
      if (content === '' || keys.has(versionOf({ file, content }))) return []
      keys.add(versionOf({ file, content }))
      const text = readTreeFile(top, file)
      if (text === undefined || hashText(text) !== content) return []
      return [{ kind: 'text', at, session, file, content, lines: hashLines(text) }]
    }),
  )
}
