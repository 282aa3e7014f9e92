// Which processes of a command have failed, as far as its output says so: what runners and supervisors print about them, and ports that were
// taken.

import { clip } from '../../base/text/clip.ts'

interface FailedProcess {
  readonly line: string
  /** The name that a runner puts before each line of a process. */
  readonly prefix: string
  /** The port that it could not have. */
  readonly port?: number
  /** Whether its supervisor starts it again after a change. */
  readonly isSupervised: boolean
}

export interface FailedProcesses {
  add(line: string): void
  /** The last of them; of those that wanted a port which `listens` now none. */
  list(listens: (port: number) => boolean): readonly FailedProcess[]
}

const FAILURE_LIMIT = 3
const LINE_LIMIT_CHARS = 200

/** `line`s are without terminal codes. */
export function createFailedProcesses(): FailedProcesses {
  let failures: readonly FailedProcess[] = []
  return {
    add(line) {
      const text = line.slice(0, LINE_LIMIT_CHARS * 2)
      if (!MENTION.test(text)) return
      const prefix = prefixOf(text)
      const isRestart = RESTART.test(text) && !SUPERVISED.test(text)
      if (isRestart)
        failures = failures.filter(
          (failure) => failure.prefix !== prefix || !(failure.isSupervised || prefix),
        )
      if (isRestart || !isFailure(text)) return
      const port = findTakenPort(text)
      const failure = {
        line: clip(text.trim(), LINE_LIMIT_CHARS),
        prefix,
        port,
        isSupervised: SUPERVISED.test(text),
      }
      failures = [...failures.filter((other) => other.line !== failure.line), failure].slice(-FAILURE_LIMIT)
    },
    list: (listens) => failures.filter(({ port }) => port === undefined || !listens(port)),
  }
}

/** The port that a line says is taken, unless it says that another is used; undefined if it names none. */
export function findTakenPort(line: string): number | undefined {
  const [, ...ports] = OTHER_PORT.test(line) ? [] : (TAKEN_PORT.exec(line) ?? [])
  const port = Number(ports.find((text) => text !== undefined))
  return port >= 1 && port <= 65_535 ? port : undefined
}

/** Whether a line says that a port is taken. */
export const isTakenPort = (line: string): boolean => TAKEN.test(line) && !OTHER_PORT.test(line)

// --- internal ---

// concurrently, npm-run-all, npm, pnpm, yarn, bun, Turborepo, foreman and its like, Docker; nodemon and node --watch.
const EXITED =
  /\bexit(?:ed)?(?: with)?(?: exit)?(?: code| status)?[ :=(]{1,3}(?:[1-9]\d{0,2}\b|SIG(?!TERM|INT)[A-Z]+)/i
const NPM_ERROR = /^npm (?:ERR!|error) (?:Lifecycle script|code ELIFECYCLE)/i
const SUPERVISED = /\bapp crashed\b|\bFailed running '/
const TAKEN =
  /\bEADDRINUSE\b|\baddress already in use\b|\bport(?: \d+)? is (?:already )?(?:in use|allocated|used)\b|\balready running on port\b/i
const TAKEN_PORT =
  /(?:\bEADDRINUSE\b|\baddress (?:is )?already in use\b)[^\n]{0,80}?[:\s](\d{2,5})(?![\d.])|:(\d{2,5}): (?:bind: )?address already in use|\bport (\d{2,5})\b (?:is|was) (?:already |currently )?(?:in use|being used|used|taken|occupied|allocated|not available|unavailable)|\bon port (\d{2,5})\b/i
const OTHER_PORT =
  /\b(?:trying|using|switch\w*|fall\w* back)\b.{0,30}\b(?:another|available|port|one|next)\b|\binstead\b/i
const RESTART = /\b(?:restarting|restarted|starting `)/i

// Servers print many lines, and few of them have one of these words.
const MENTION = /exit|lifecycle|crash|failed running|eaddrinuse|in use|already|restart|starting/i

const isFailure = (text: string): boolean =>
  EXITED.test(text) || NPM_ERROR.test(text) || SUPERVISED.test(text) || isTakenPort(text)

const prefixOf = (text: string): string =>
  /^\s*(\[[^\]]{1,40}\]|[\w.-]{1,40}\s*\||[\w@/-]{1,40}:[\w-]{1,40}:)/.exec(text)?.[1]?.trim() ?? ''
