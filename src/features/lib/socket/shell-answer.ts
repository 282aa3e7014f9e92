// What a command of the shell prints.

export interface ShellAnswer {
  /** With the end of its last line; empty if there is nothing to print. */
  readonly text: string
  readonly exitCode: number
  /** A usage error goes to stderr, everything else to stdout. */
  readonly stream: 'stdout' | 'stderr'
  /** Nothing was done: the server has ended, because it is of another version and has no session. */
  readonly hasEnded?: true
}
