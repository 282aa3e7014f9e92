// What is left running when a server ends with a page open: after its client has closed the connection, and after it was killed.

import process from 'node:process'
import { until } from '../test/support/leftovers.ts'
import { type Contender, end } from './contenders.ts'

export interface Remains {
  readonly name: string
  /** Processes that still run five seconds after the client has left, and after SIGKILL of the server. */
  readonly left: number
  readonly killed: number
}

const EXIT_TIMEOUT_MS = 5000

export async function remainsOf(contender: Contender, url: string): Promise<Remains> {
  const countProcessesAfter = async (
    stop: (pid: number, leave: () => Promise<void>) => unknown,
  ): Promise<number> => {
    const peer = await contender.start()
    await contender.open(peer, url)
    void stop(peer.pid, () => peer.client.close())
    await until(() => peer.trace.processes().length === 0, EXIT_TIMEOUT_MS)
    const count = peer.trace.processes().length
    await end(peer, contender)
    return count
  }
  return {
    name: contender.name,
    left: await countProcessesAfter((_, leave) => leave().catch(() => {})),
    killed: await countProcessesAfter((pid) => process.kill(pid, 'SIGKILL')),
  }
}

export const remainsTable = (rows: readonly Remains[]): string =>
  [
    '| processes left after 5 s | client gone | server killed |',
    '| --- | --- | --- |',
    ...rows.map(({ name, left, killed }) => `| ${name} | ${left} | ${killed} |`),
  ].join('\n')
