// What is wrong with a server that is up: processes of its command that have failed, and a PORT that another process took than the one of
// its page.

import { showPageText } from '../../base/text/invisible-characters.ts'
import type { ServerHooks } from '../../sessions/types/servers.ts'
import { portOf } from '../dev-server.ts'
import type { ServerProcess } from '../process/child-process.ts'
import { commandLineOf, describePortHolder, findPortHolder } from '../process/port-holder.ts'
import { type ProcessActivity, readActivity } from '../process/process-activity.ts'
import { createFailedProcesses } from './failed-processes.ts'

export interface Problems {
  /** A line of output. */
  add(line: string): void
  /** Sentences about what is wrong now; empty if nothing is known. `url` is that of the page. */
  describe(url: string): Promise<string>
}

type PortRequest = { readonly port: number | undefined; readonly isPortGiven: boolean }

const REFUSED_PORT = /ECONNREFUSED\b\S{0,3} \S{0,60}[:.](\d{2,5})\b/

export function createProblems(
  child: () => ServerProcess,
  request: PortRequest,
  hooks: Pick<ServerHooks, 'sessionAt'>,
): Problems {
  const failed = createFailedProcesses()
  let refusedPort: number | undefined
  return {
    add(line) {
      failed.add(line)
      const port = line.includes('ECONNREFUSED') ? REFUSED_PORT.exec(line)?.[1] : undefined
      if (port !== undefined) refusedPort = Number(port)
    },
    async describe(url) {
      const isElsewhere = request.port !== undefined && portOf(url) !== request.port
      // A look at the processes is a look at all those of the machine.
      if (!isElsewhere && failed.list(() => false).length === 0) return ''
      const activity = readActivity(child().tree)
      const failures = failed.list((port) => activity.listens(port) === true)
      const lines = failures.map(({ line }) => showPageText(line, 'quoted'))
      const ports = new Set(failures.flatMap(({ port = [] }) => port))
      const holders = await Promise.all([...ports].map((port) => findHeldPort(port, hooks)))
      const reasons = holders.flatMap((holder) => holder?.text ?? []).map((text) => `; ${text}`)
      const failure =
        lines.length === 0
          ? ''
          : `Its output says that a process has failed: ${lines.join(', ')}${reasons.join('')}.`
      return [failure, describeTakenPort(url, activity, request, refusedPort)].filter(Boolean).join(' ')
    },
  }
}

export interface HeldPort {
  readonly port: number
  readonly session?: string
  readonly pid?: number
  /** Such as `port 3000 is held by the server of session s1 (npm run dev)`. */
  readonly text: string
}

/** Who listens on a port; undefined if nobody does or that is unknown. */
export async function findHeldPort(
  port: number,
  { sessionAt }: Pick<ServerHooks, 'sessionAt'>,
): Promise<HeldPort | undefined> {
  const holder = findPortHolder(port)
  if (!holder) return undefined
  const session = await sessionAt?.(port)
  const { pid } = holder
  if (session === undefined) return { port, pid, text: describePortHolder(holder) }
  const { name, command } = session
  return { port, session: name, text: `port ${port} is held by the server of session ${name} (${command})` }
}

// --- internal ---

function describeTakenPort(
  url: string,
  activity: ProcessActivity,
  { port, isPortGiven }: PortRequest,
  refusedPort: number | undefined,
): string {
  if (port === undefined || isPortGiven || portOf(url) === port || activity.listens(port) !== true) return ''
  const [holder] = activity.holdersOf(port)
  const name = holder === undefined ? 'another process' : commandLineOf(holder.pid)
  const isExpected = refusedPort !== undefined && findPortHolder(refusedPort) === undefined
  const advice = isExpected
    ? `; the page expects ${refusedPort}: pass port: "none"`
    : '. If the page expects it at another port, pass port: "none"'
  return `PORT=${port} was set by Footlight and ${name} took it${advice}.`
}
