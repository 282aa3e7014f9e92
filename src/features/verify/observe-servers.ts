// Counts in the servers that a run of tests starts: each test waits at its end until it is read what they ran.

import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { createDeadline } from '../../core/base/system/race-deadline.ts'
import { pathInTree } from './change/path-in-tree.ts'
import type { Change } from './change/read-change.ts'
import type { RunEntry } from './ledger/entry.ts'
import type { ServerCoverage } from './node/server-coverage.ts'
import type { Flush } from './node/server-processes.ts'
import type { RunNotes } from './run-notes.ts'

/** Undefined where servers are not counted. */
export type OpenServers = (flush: Flush) => Promise<ServerCoverage | undefined>

interface ServerObservation {
  readonly coverage: ServerCoverage
  /** What the servers ran of the changed files. */
  runs(): Promise<readonly RunEntry[]>
}

const READ_TIMEOUT_MS = 4000

/** Undefined where nothing is changed or counted. `session` is what the entries name as theirs. */
export async function observeServers(
  open: OpenServers,
  { top, files }: Change,
  notes: RunNotes,
  session: string,
): Promise<ServerObservation | undefined> {
  const paths = new Set(files.map(({ path }) => join(top, path)))
  if (paths.size === 0) return undefined
  const runs: RunEntry[] = []
  let last: Promise<void> = Promise.resolve()
  const coverage = await open((test) => {
    const read = async () => {
      const deadline = createDeadline(READ_TIMEOUT_MS, new AbortController().signal, Date.now)
      const modules = (await coverage?.take(paths, deadline)) ?? []
      const call = test === '' ? 'a test' : pathInTree(top, realpathSync(test))
      const source = { at: Date.now(), session, call }
      runs.push(
        ...(await notes.entriesOf(
          { pages: { scripts: [], styles: [], received: [] }, modules },
          top,
          source,
        )),
      )
    }
    last = last.then(read).catch(() => {})
    return last
  })
  return coverage && { coverage, runs: () => last.then(() => runs) }
}
