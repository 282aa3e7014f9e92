// The logs of a server that writes them itself, at the paths of its start document.

import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { createLogFollower, nameLog, readLogs, resolveLogPaths, searchLogs } from '../logs/log-files.ts'
import { watchLogRotations } from '../logs/log-rotation.ts'
import { createRedactedLogs } from '../logs/redacted-logs.ts'
import type { LogPaths } from '../../core/dev-server.ts'
import { removeFolder } from '../../runtime/files/remove-folder.ts'
import type { LogStarts, OwnedServer, ServerHooks } from '../../runtime/ports/servers.ts'

/** What was printed before the start was complete. */
const COPIED_LINES = 1000

export interface ContractLogs extends Pick<OwnedServer, 'logs' | 'searchLogs'> {
  /** The files that answers name: redacted copies, unless everything may be shown. */
  readonly named: LogPaths
  /** Reports new lines, and returns the bytes of each log before the start of its current file. */
  sync(): LogStarts
  /** Reports new lines only. */
  reportLines(): void
  /** Removes the copies. */
  close(): void
}

/** Copies are written in a new folder in `parent`. */
export function createContractLogs(
  logs: LogPaths,
  parent: string,
  { onLine, redact }: Pick<ServerHooks, 'onLine' | 'redact'>,
): ContractLogs {
  const paths = resolveLogPaths(logs)
  const folder = redact && mkdtempSync(join(parent, 'server-'))
  const copies = folder === undefined || !redact ? undefined : createRedactedLogs(folder, redact)
  const named = copies?.paths ?? logs
  for (const type of copies ? (['stdout', 'stderr'] as const) : []) {
    const printed = readLogs(paths, { type, lines: COPIED_LINES })
    if (printed.ok) copies?.add(type, printed.value.lines)
  }
  const follower = createLogFollower(paths, (stream, text) => {
    copies?.add(stream, [text])
    onLine(stream, text)
  })
  const rotations = watchLogRotations(paths)
  const sync = () => {
    rotations.check()
    follower.reportLines()
    return rotations.starts()
  }
  return {
    sync,
    reportLines: () => follower.reportLines(),
    named,
    logs: (query) => nameLog(readLogs(paths, query, sync()), named, query),
    searchLogs: async (query, search) =>
      nameLog(await searchLogs(paths, query, search, sync()), named, query),
    close() {
      if (folder !== undefined) removeFolder(folder)
    },
  }
}
