// agent-browser as an MCP server with the profiles core and debug: `agent_browser_batch` runs the commands of a round, and a snapshot of the
// interactive elements at its end; a full one where the agent wants to read text.

import { createOwnProgram } from './own-program.ts'
import { findRef, type Hands } from '../hands.ts'
import type { CreatePlayer } from '../player.ts'
import type { Intent, Target } from '../task.ts'

let sessionCount = 0

export const createAgentBrowserPlayer: CreatePlayer = (hands) => {
  const session = `s${(sessionCount += 1)}`
  const batch = async (commands: readonly (readonly string[])[]) => {
    await hands.call('agent_browser_batch', { session, commands, omitCommand: true })
  }
  const program = createOwnProgram(hands, (url) => batch([['open', url], lookCommand(false)]))
  return {
    open: program.open,
    knows: (target) => refOf(hands, target) !== undefined,
    act: (intents, isLast) =>
      batch([...intents.flatMap((intent) => commandsFor(hands, intent)), lookCommand(isLast)]),
    look: (isLast) => batch([lookCommand(isLast)]),
    readLog: program.readLog,
    async close() {
      await hands.call('agent_browser_close', { session })
      await program.stop()
    },
  }
}

const lookCommand = (isText: boolean) => (isText ? ['snapshot'] : ['snapshot', '-i'])

const refOf = (hands: Hands, target: Target): string | undefined =>
  findRef(hands, target, (role, name) => `${role} \\\\?"${name}\\\\?" \\[.*?ref=(\\w+)`)

function commandsFor(hands: Hands, intent: Intent): readonly (readonly string[])[] {
  const ref = `@${refOf(hands, intent.target)}`
  switch (intent.kind) {
    case 'fill':
      return [['fill', ref, intent.value], ...(intent.submit ? [['press', 'Enter']] : [])]
    case 'select':
      return [['select', ref, intent.value]]
    case 'check':
      return [['check', ref]]
    case 'drag':
      return [['drag', ref, `@${refOf(hands, intent.to)}`]]
    case 'upload':
      return [['upload', ref, intent.path]]
    case 'click':
      return [['click', ref]]
    case 'download':
      return [['download', ref, 'template.csv']]
  }
}
