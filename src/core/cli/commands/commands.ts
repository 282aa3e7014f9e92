// Every command by name: those of features, in their order, and those of the core. Each is loaded when it runs.

import { features } from '../../../features/index.ts'
import { SUPERVISOR_COMMAND } from '../../devserver/dev-server.ts'
import type { Command, InnerCommand } from '../../tool/command.ts'

type Commands<C> = Readonly<Record<string, () => Promise<C>>>

const loadCore = () => import('./core-commands.ts')

const commands: Commands<Command> = {
  ...(Object.assign({}, ...features.map((feature) => feature.commands)) as Commands<Command>),
  tools: async () => (await loadCore()).toolsCommand,
  version: async () => (await loadCore()).versionCommand,
  help: async () => (await loadCore()).helpCommand,
}

const innerCommands: Commands<InnerCommand> = {
  ...(Object.assign({}, ...features.map((feature) => feature.innerCommands)) as Commands<InnerCommand>),
  serve: async () => (await loadCore()).serveCommand,
  [SUPERVISOR_COMMAND]: async () => (await loadCore()).superviseCommand,
}

/** The commands that its help lists. */
export const commandNames: readonly string[] = Object.keys(commands)
export const innerNames: readonly string[] = Object.keys(innerCommands)

/** Undefined if there is no such command. */
export const loadCommand = async (name: string): Promise<Command | undefined> =>
  Object.hasOwn(commands, name) ? commands[name]?.() : undefined

export const loadInnerCommand = async (name: string): Promise<InnerCommand | undefined> =>
  Object.hasOwn(innerCommands, name) ? innerCommands[name]?.() : undefined

export const isCommandName = (name: string): boolean => Object.hasOwn(commands, name)
export const isInnerName = (name: string): boolean => Object.hasOwn(innerCommands, name)

/** Options that stand before a verb. */
const FIRST_OPTION = /^(-s|--session|--owner-pid)(=|$)/

/** Whether these words are a command for the server of the shell, if there is a shell, also if there is no such verb. Completion was removed, and says so. */
export function isShellCommand([first = '', ...rest]: readonly string[]): boolean {
  if (!isInnerName('run-verb')) return false
  if (FIRST_OPTION.test(first)) return true
  return (
    /^[a-z]/i.test(first) &&
    !isCommandName(first) &&
    !isInnerName(first) &&
    first !== 'completion' &&
    !rest.some((word) => word === '--help' || word === '-h')
  )
}
