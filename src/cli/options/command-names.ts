/** The commands of this program that are no verbs of the shell. A client of the shell knows them before it loads anything. */
export const commandWords: readonly string[] = [
  'browsers',
  'call',
  'daemon',
  'demo',
  'doctor',
  'help',
  'login',
  'record',
  'setup',
  'skill',
  'tools',
  'version',
  'view',
]

/** These, and the commands with which Footlight starts itself. */
const otherCommands: readonly string[] = [
  ...commandWords,
  'attach-relay',
  // It was removed, and says so.
  'completion',
  'demo-app',
  'release-remote-browsers',
  'serve',
  'serve-shell',
  'supervise',
]

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
