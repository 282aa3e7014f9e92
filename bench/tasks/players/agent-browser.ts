// agent-browser as an MCP server with the profiles core and debug. After each round there is a snapshot of the interactive elements, which
// its documentation prefers; a full one where the agent wants to read text.

import { join } from 'node:path'
import { createOwnProgram } from './own-program.ts'
import { findRef, type Hands } from '../hands.ts'
import type { CreatePlayer, Player } from '../player.ts'
import type { Intent, Target } from '../task.ts'

type Command = readonly [name: string, ...words: string[]]

/** With its single tools, as its core guide does. */
export const createAgentBrowserPlayer: CreatePlayer = (hands) =>
  createPlayer(hands, async (commands, isText) => {
    for (const command of commands) await callSingly(hands, command)
    await hands.call('agent_browser_snapshot', isText ? { interactive: false } : {})
  })

/** With `agent_browser_batch`: one call for each round. */
export const createAgentBrowserBatchPlayer: CreatePlayer = (hands) =>
  createPlayer(hands, async (commands, isText) => {
    const look = isText ? ['snapshot'] : ['snapshot', '-i']
    await hands.call('agent_browser_batch', { commands: [...commands, look], omitCommand: true })
  })

function createPlayer(
  hands: Hands,
  run: (commands: readonly Command[], isText: boolean) => Promise<void>,
): Player {
  const program = createOwnProgram(hands, (url) => run([['open', url]], false))
  return {
    open: program.open,
    knows: (target) => refOf(hands, target) !== undefined,
    act: (intents, isLast) =>
      run(
        intents.flatMap((intent) => commandsFor(hands, intent)),
        isLast,
      ),
    look: (isText) => run([], isText),
    readLog: program.readLog,
    async close() {
      await hands.call('agent_browser_close')
      await program.stop()
    },
  }
}

const refOf = (hands: Hands, target: Target): string | undefined =>
  findRef(hands.latest, target, (role, name) => `${role} "${name}" \\[.*?ref=(\\w+)`)

function commandsFor(hands: Hands, intent: Intent): readonly Command[] {
  const ref = `@${refOf(hands, intent.target)}`
  switch (intent.kind) {
    case 'fill':
      return [['fill', ref, intent.value], ...(intent.submit ? [['press', 'Enter'] as const] : [])]
    case 'select':
      return [['select', ref, intent.value]]
    case 'check':
      return [['check', ref]]
    case 'drag':
      return [['drag', ref, `@${refOf(hands, intent.to)}`]]
    case 'upload':
      return [['upload', ref, join(hands.cwd, intent.path)]]
    case 'click':
      return [['click', ref]]
    case 'download':
      return [['download', ref, 'template.csv']]
  }
}

/** The single tool of a command, with its words as the fields of the tool. */
async function callSingly({ call }: Hands, [name, first = '', second = '']: Command): Promise<void> {
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
