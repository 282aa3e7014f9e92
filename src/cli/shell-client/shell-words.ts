/** The commands of this program that are no verbs of the shell. */
const OTHER_COMMANDS: readonly string[] = [
  'attach-relay',
  'browsers',
  'call',
  'completion',
  'daemon',
  'demo',
  'demo-app',
  'doctor',
  'help',
  'login',
  'record',
  'release-grid-sessions',
  'serve',
  'serve-shell',
  'setup',
  'skill',
  'supervise',
  'tools',
  'version',
]

/** Options that stand before a verb. */
const FIRST_OPTIONS = ['-s', '--session', '--owner-pid']

/** Whether these words are a command for the server of the shell, also if there is no such verb. */
export function isShellCommand([first = '', ...rest]: readonly string[]): boolean {
  if (FIRST_OPTIONS.includes(first)) return true
  return (
    /^[a-z]/i.test(first) &&
    !OTHER_COMMANDS.includes(first) &&
    !rest.some((word) => word === '--help' || word === '-h')
  )
}
