// agent-browser as an MCP server with the profiles core and debug. After each round there is a snapshot of the interactive elements, which
// its documentation prefers; a full one where the agent wants to read text.

import { join } from 'node:path'
import { type Agent, findRef } from '../agent.ts'
import type { CreateDriver, Driver } from '../driver.ts'
import type { Intent, Target } from '../task.ts'
import { createOwnProgram } from './own-program.ts'

type Command = readonly [name: string, ...words: string[]]

/** With its single tools, as its core guide does. */
export const createAgentBrowserDriver: CreateDriver = (agent) =>
  createDriver(agent, async (commands, isText) => {
    for (const command of commands) await callSingly(agent, command)
    await agent.call('agent_browser_snapshot', isText ? { interactive: false } : {})
  })

/** With `agent_browser_batch`: one call for each round. */
export const createAgentBrowserBatchDriver: CreateDriver = (agent) =>
  createDriver(agent, async (commands, isText) => {
    const look = isText ? ['snapshot'] : ['snapshot', '-i']
    await agent.call('agent_browser_batch', { commands: [...commands, look], omitCommand: true })
  })

function createDriver(
  agent: Agent,
  run: (commands: readonly Command[], isText: boolean) => Promise<void>,
): Driver {
  const program = createOwnProgram(agent, (url) => run([['open', url]], false))
  return {
    open: program.open,
    knows: (target) => refOf(agent, target) !== undefined,
    act: (intents, isLast) =>
      run(
        intents.flatMap((intent) => commandsFor(agent, intent)),
        isLast,
      ),
    look: (isText) => run([], isText),
    readLog: program.readLog,
    async close() {
      await agent.call('agent_browser_close')
      await program.stop()
    },
  }
}

const refOf = (agent: Agent, target: Target): string | undefined =>
  findRef(agent.latest, target, (role, name) => `${role} "${name}" \\[.*?ref=(\\w+)`)

function commandsFor(agent: Agent, intent: Intent): readonly Command[] {
  const ref = `@${refOf(agent, intent.target)}`
  switch (intent.kind) {
    case 'fill':
      return [['fill', ref, intent.value], ...(intent.submit ? [['press', 'Enter'] as const] : [])]
    case 'select':
      return [['select', ref, intent.value]]
    case 'check':
      return [['check', ref]]
    case 'drag':
      return [['drag', ref, `@${refOf(agent, intent.to)}`]]
    case 'upload':
      return [['upload', ref, join(agent.cwd, intent.path)]]
    case 'click':
      return [['click', ref]]
    case 'download':
      return [['download', ref, 'template.csv']]
  }
}

/** The single tool of a command, with its words as the fields of the tool. */
async function callSingly({ call }: Agent, [name, first = '', second = '']: Command): Promise<void> {
  // Only the profile with all tools has one for this.
  if (name === 'drag')
    return void (await call('agent_browser_batch', { commands: [['drag', first, second]] }))
  const inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    open: { url: first },
    fill: { selector: first, text: second },
    press: { key: first },
    select: { selector: first, values: [second] },
    check: { selector: first },
    upload: { selector: first, files: [second] },
    click: { selector: first },
    download: { selector: first, path: second },
  }
  await call(`agent_browser_${name}`, inputs[name])
}
