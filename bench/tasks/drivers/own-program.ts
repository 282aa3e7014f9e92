// Starting the program of a task with the agent's own shell, for servers that start none.

import type { Agent } from '../agent.ts'
import type { Driver } from '../driver.ts'

const LOG = 'app.log'

/** The parts of a driver that concern the program of the task. */
export function createOwnProgram(
  { shell }: Agent,
  openPage: (url: string) => Promise<void>,
): Pick<Driver, 'open' | 'readLog'> & { stop(): Promise<void> } {
  let pid: string | undefined
  return {
    async open(url, program) {
      let opened = url
      if (program !== undefined) {
        // Waiting for its first line is a part of the same command.
        const started = await shell(
          `PORT=0 node ${program} > ${LOG} 2>&1 & echo $!; until grep -m1 http ${LOG}; do sleep 0.1; done`,
        )
        pid = /^\d+/.exec(started)?.[0]
        opened = /http:\/\/\S+/.exec(started)?.[0] ?? ''
      }
      await openPage(opened)
      return opened
    },
    readLog: async () => void (await shell(`cat ${LOG}`)),
    async stop() {
      if (pid !== undefined) await shell(`kill ${pid}`)
    },
  }
}
