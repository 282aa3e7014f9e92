// The rule that all servers are driven by: one look at each new state of the page; then everything that can be done with what was seen is
// done, in one call where the server has a tool for that, otherwise call by call. Nothing is used that was not read before.

import type { Agent } from './agent.ts'
import type { Intent, Target, Task } from './task.ts'

export interface Driver {
  /** Opens a session of its own on this page, and looks at it. With a program, that is started first; answers where the page is. */
  open(url: string, program: string | undefined): Promise<string>
  /** Whether this element can be named by what was read. */
  knows(target: Target): boolean
  /** Does all of this and looks at the page. With `isLast` the agent wants to read its text. */
  act(intents: readonly Intent[], isLast: boolean): Promise<void>
  look(isLast: boolean): Promise<void>
  readLog(): Promise<void>
  close(): Promise<void>
}

export type CreateDriver = (agent: Agent) => Driver

// After an action whose effect comes later than its answer.
const LOOK_LIMIT = 5

/** Does the task to its end. `verify` gets the address of its page before the session is closed. Throws if the agent could not have known
 * what it needed. */
export async function runTask(
  task: Task,
  driver: Driver,
  agent: Agent,
  url: string,
  verify: (url: string) => Promise<void>,
): Promise<void> {
  const opened = await driver.open(url, task.program)
  for (const [index, round] of task.rounds.entries()) {
    const isLast = index === task.rounds.length - 1
    const intents = await planRound(round, driver, agent.seen)
    await lookUntil(driver, false, () => intents.flatMap(targetsOf).every((target) => driver.knows(target)))
    const start = agent.seen.length
    await driver.act(intents, isLast)
    agent.forgetBefore(start)
    if (isLast) await lookUntil(driver, true, () => agent.latest.some((text) => task.result.test(text)))
  }
  await verify(opened)
  await driver.close()
}

async function planRound(
  round: Task['rounds'][number],
  driver: Driver,
  seen: readonly string[],
): Promise<readonly Intent[]> {
  if (typeof round !== 'function') return round
  for (let looks = 0; looks <= LOOK_LIMIT; looks += 1) {
    const next = round(seen.join('\n'))
    if (typeof next !== 'string') return next
    await (next === 'log' ? driver.readLog() : driver.look(true))
  }
  throw new Error(`neither the page nor the log says what is needed:\n${seen.at(-1)}`)
}

async function lookUntil(driver: Driver, isLast: boolean, isSeen: () => boolean): Promise<void> {
  for (let looks = 0; !isSeen(); looks += 1) {
    if (looks === LOOK_LIMIT) throw new Error('what is needed was not seen')
    await driver.look(isLast)
  }
}

const targetsOf = (intent: Intent): readonly Target[] =>
  intent.kind === 'drag' ? [intent.target, intent.to] : [intent.target]
