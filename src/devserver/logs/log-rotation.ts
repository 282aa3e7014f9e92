// Detects truncation and rotation of the logs of a server that writes them itself. Positions continue across files, so that a reader gets
// each line once.

import { statSync } from 'node:fs'
import type { LogPaths } from '../../core/dev-server.ts'
import type { LogStarts } from '../../runtime/ports/servers.ts'

export interface LogRotations {
  /** The bytes of each log before the start of its current file. */
  starts(): LogStarts
  /** Checks whether a file was truncated or replaced since the last call. */
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
        // A missing file is compared when it exists again.
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
