/** The commands of this program that are no verbs of the shell. A client of the shell knows them before it loads anything. */
export const commandWords: readonly string[] = [
  'browsers',
  'call',
  'completion',
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
]

/** These, and the commands with which Footlight starts itself. */
export const otherCommands: readonly string[] = [
  ...commandWords,
  'attach-relay',
  'demo-app',
  'release-remote-browsers',
  'serve',
  'serve-shell',
  'supervise',
]
