// What ended the sessions of a work tree and agent last. A file beside the sockets has it for a day, so that a session is never missed in silence.

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseJson } from '../../core/base/text/json.ts'
import { quickHash } from '../../core/base/text/quick-hash.ts'
import type { SocketPlace } from '../lib/socket/socket-folder.ts'

const DAY_MS = 86_400_000
const ENDING = '.ended'

/** `at` is undefined where only what has ended is known. In Unix milliseconds. */
interface LastEnding {
  readonly why: string
  readonly at: number | undefined
}

/** Remembers why the sessions have ended; `at` is undefined while they are open, for a server that is killed. */
export function rememberEnding(folder: string, place: SocketPlace, ending: LastEnding): void {
  // A named pipe has no folder.
  if (process.platform === 'win32') return
  try {
    for (const name of readdirSync(folder).filter((one) => one.endsWith(ENDING)))
      if (Date.now() - statSync(join(folder, name)).mtimeMs > DAY_MS) rmSync(join(folder, name))
    writeFileSync(pathOf(folder, place), JSON.stringify(ending), { mode: 0o600 })
  } catch {
    // Only a sentence is missing then.
  }
}

/** `The last one ended 12 s ago: footlight close closed it.` Empty where none has ended within a day. `isServed`: their server still answers. */
export function describeLastEnding(folder: string, place: SocketPlace, isServed: boolean): string {
  try {
    const path = pathOf(folder, place)
    const ending = parseJson(readFileSync(path, 'utf8')) as LastEnding
    const now = Date.now()
    if (ending.at === undefined && isServed) return ''
    if (now - (ending.at ?? statSync(path).mtimeMs) > DAY_MS) return ''
    const when = ending.at === undefined ? '' : ` ${describeAge(now - ending.at)} ago`
    return `The last one ended${when}: ${ending.why}.`
  } catch {
    return ''
  }
}

export const KILLED: LastEnding = { why: 'its server was killed, or failed', at: undefined }
export const LEFT: LastEnding = {
  why: 'the client that had started its server over MCP has ended',
  at: undefined,
}

// --- internal ---

const pathOf = (folder: string, { tree, agent }: SocketPlace): string =>
  join(folder, `${quickHash(tree)}-${quickHash(agent)}${ENDING}`)

function describeAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
