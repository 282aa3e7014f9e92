// How much memory this process and all below it use. Looking takes a while, so it is done beside the work, and decisions are made on the
// last look. Only Linux tells it without another program.

import { readdir, readFile } from 'node:fs/promises'
import process from 'node:process'

export interface MemoryWatch {
  /** Bytes at the last look, which is a few seconds old at most once sessions are being opened. */
  used(): number
}

const AGE = 2000

export function createMemoryWatch(measure: () => Promise<number> = measured): MemoryWatch {
  let last = 0
  let at = -Infinity
  return {
    used() {
      if (performance.now() - at > AGE) {
        at = performance.now()
        measure().then(
          (bytes) => (last = bytes),
          () => {},
        )
      }
      return last
    },
  }
}

/** What is shared is counted once: each process has its part of it. */
export async function measured(): Promise<number> {
  if (process.platform !== 'linux') return 0
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const parents = new Map(
    await Promise.all(
      pids.map(async (pid) => [pid, /\) \w (\d+)/.exec(await read(`/proc/${pid}/stat`))?.[1]] as const),
    ),
  )
  const own = String(process.pid)
  const below = (pid: string | undefined, steps = 0): boolean =>
    pid === own || (pid !== undefined && steps < 50 && below(parents.get(pid), steps + 1))
  const shares = await Promise.all(pids.filter((pid) => below(pid)).map(shareOf))
  return shares.reduce((sum, share) => sum + share, 0)
}

const shareOf = async (pid: string): Promise<number> =>
  Number(/^Pss:\s+(\d+) kB/m.exec(await read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024

const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')
