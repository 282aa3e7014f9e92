// The logs of a server that writes them itself may begin anew: it empties them when it is restarted, or something rotates them. Positions
// go on all the same, so that who follows a log gets each line once.

import { statSync } from 'node:fs'
import type { LogPaths } from '../../core/dev-server.ts'
import type { LogStarts } from '../../runtime/ports/servers.ts'

export interface LogRotations {
  /** How much each log had held before its file began anew. */
  starts(): LogStarts
  /** Finds out whether a file began anew since it was looked at last. */
  check(): void
}

const LOG_NAMES = ['stdout', 'stderr', 'combined'] as const

export function watchLogRotations(paths: LogPaths): LogRotations {
  const starts = { stdout: 0, stderr: 0, combined: 0 }
  const lastStates = {
    stdout: readFileState(paths.stdout),
    stderr: readFileState(paths.stderr),
    combined: readFileState(paths.combined),
  }
  return {
    starts: () => ({ ...starts }),
    check() {
      for (const name of LOG_NAMES) {
        const [previous, current] = [lastStates[name], readFileState(paths[name])]
        // One that is gone for a moment is compared when it is back.
        if (!current) continue
        if (previous && (current.file !== previous.file || current.size < previous.size))
          starts[name] += previous.size
        lastStates[name] = current
      }
    },
  }
}

interface FileState {
  readonly file: number
  readonly size: number
}

function readFileState(path: string): FileState | undefined {
  try {
    const { ino, size } = statSync(path)
    return { file: ino, size }
  } catch {
    return undefined
  }
}
