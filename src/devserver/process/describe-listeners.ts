// What the caller should know of the listeners of a started command: the others, and who has hidden PORT from them.

import type { ProcessActivity } from './process-activity.ts'
import type { ProcessEntry } from './process-table.ts'
import { readProcFile } from '../../runtime/processes/proc-files.ts'
import { portOf } from '../../core/dev-server.ts'

/** How to let PORT through, by the name of the program that hides it. */
const REMEDIES: Readonly<Record<string, string>> = {
  turbo: 'add it to "passThroughEnv" of the task in turbo.json',
}
const OTHER_REMEDY = 'pass it on there, or pass the port of the server as "port"'

/** The listeners beside the one at `url`, as URLs where these were announced. */
export function describeOtherListeners(
  url: string,
  activity: ProcessActivity,
  announced: ReadonlySet<string>,
): string {
  const others = activity.ports
    .filter((port) => port !== portOf(url))
    .map((port) => [...announced].findLast((other) => portOf(other) === port) ?? `port ${port}`)
  return others.length === 0 ? '' : ` (also listening: ${others.join(', ')})`
}

/** Says that the server did not take the port that its caller asked for; `hidden` is why, if that is known. */
export const describeIgnoredPort = (port: number, hidden: string): string =>
  `It did not take port ${port}: ${hidden || 'its program may not read PORT; pass the port in the command, as in "npm run dev -- --port 5199"'}`

/** Says which program of the command starts others without the variable PORT, if the server does not listen there; else empty. `members`
 * are the running processes of the command. */
export function describeHiddenPort(members: readonly ProcessEntry[], port: number): string {
  const hasPort = (pid: number) => readProcFile(pid, 'environ').split('\0').includes(`PORT=${port}`)
  // A program that writes its title over its environment has no PATH either.
  const lacksPort = (pid: number) => /(^|\0)PATH=/.test(readProcFile(pid, 'environ')) && !hasPort(pid)
  const first = members.find(
    ({ pid, parent }) => lacksPort(pid) && members.some((entry) => entry.pid === parent) && hasPort(parent),
  )
  if (!first) return ''
  const name = readProcFile(first.parent, 'comm').trim()
  return `${name} does not pass PORT on: ${REMEDIES[name] ?? OTHER_REMEDY}`
}
