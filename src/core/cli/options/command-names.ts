/** The commands of this program that are no verbs of the shell, as its help lists them. A client of the shell knows them before it loads anything. */
export const commandNames = [
  'setup',
  'skill',
  'doctor',
  'browsers',
  'demo',
  'call',
  'daemon',
  'view',
  'tools',
  'login',
  'record',
  'version',
  'help',
] as const

/** The commands with which Footlight starts itself. */
const innerNames = [
  'attach-relay',
  'demo-app',
  'release-remote-browsers',
  'serve',
  'serve-shell',
  'supervise',
] as const

export type CommandName = (typeof commandNames)[number]
export type InnerName = (typeof innerNames)[number]

export const isCommandName = (name: string): name is CommandName => commandNames.some((one) => one === name)

// Completion was removed, and says so.
const otherCommands: readonly string[] = [...commandNames, ...innerNames, 'completion']

/** Options that stand before a verb. */
const FIRST_OPTION = /^(-s|--session|--owner-pid)(=|$)/

/** Whether these words are a command for the server of the shell, also if there is no such verb. */
export function isShellCommand([first = '', ...rest]: readonly string[]): boolean {
  if (FIRST_OPTION.test(first)) return true
  return (
    /^[a-z]/i.test(first) &&
    !otherCommands.includes(first) &&
    !rest.some((word) => word === '--help' || word === '-h')
  )
}
