// How much memory this process and all below it use. Looking takes a while, so it is done beside the work, and decisions are made on the
// last look. Only Linux tells it without another program.

import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'

export interface MemoryWatch {
  /** Bytes at the last look, which is a few seconds old at most once sessions are being opened. */
  used(): number
}

const AGE = 2000

export function createMemoryWatch(measure: () => number = measured): MemoryWatch {
  let last = 0
  let at = -Infinity
  return {
    used() {
      if (performance.now() - at > AGE) {
        at = performance.now()
        setImmediate(() => {
          last = measure()
        })
      }
      return last
    },
  }
}

/** What is shared is counted once: each process has its part of it. */
export function measured(): number {
  if (process.platform !== 'linux') return 0
  const parents = new Map<string, string>()
  for (const pid of readdirSync('/proc'))
    if (/^\d+$/.test(pid)) parents.set(pid, /\) \w (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1] ?? '')
  const own = String(process.pid)
  const below = (pid: string | undefined, steps = 0): boolean =>
    pid === own || (pid !== undefined && steps < 50 && below(parents.get(pid), steps + 1))
  return [...parents.keys()].filter((pid) => below(pid)).reduce((sum, pid) => sum + shareOf(pid), 0)
}

const shareOf = (pid: string): number =>
  Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
