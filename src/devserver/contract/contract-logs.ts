// The logs of a server that writes them itself, at the paths of its start document.

import { createLogFollower, readLogs, resolveLogPaths, searchLogs } from '../logs/log-files.ts'
import { watchLogRotations } from '../logs/log-rotation.ts'
import type { LogPaths } from '../../core/dev-server.ts'
import type { LogStarts, OwnedServer, ServerHooks } from '../../runtime/ports/servers.ts'

export interface ContractLogs extends Pick<OwnedServer, 'logs' | 'searchLogs'> {
  /** Reports new lines, and returns the bytes of each log before the start of its current file. */
  sync(): LogStarts
  /** Reports new lines only. */
  reportLines(): void
}

export function createContractLogs(logs: LogPaths, onLine: ServerHooks['onLine']): ContractLogs {
  const paths = resolveLogPaths(logs)
  const follower = createLogFollower(paths, onLine)
  const rotations = watchLogRotations(paths)
  const sync = () => {
    rotations.check()
    follower.reportLines()
    return rotations.starts()
  }
  return {
    sync,
    reportLines: () => follower.reportLines(),
    logs: (query) => readLogs(paths, query, sync()),
    searchLogs: (query, search) => searchLogs(paths, query, search, sync()),
  }
}
