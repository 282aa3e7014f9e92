// A command of the program, in citty's form: what its help says of it, and what may follow it.

import type { ArgsDef } from 'citty'

export interface Command {
  readonly meta: { readonly name: string; readonly description: string }
  /** The heading under which the help lists it; none for a command with which Footlight starts itself. */
  readonly group?: 'Set up' | 'Use' | 'With a window' | 'About'
  /** Its own arguments and flags. */
  readonly args: ArgsDef
  /** Footlight's options that it uses. */
  readonly options: readonly string[]
  readonly examples: readonly [string, string]
  readonly subCommands?: Readonly<Record<string, Omit<Command, 'run'>>>
  /** Runs it with the words that follow its name. */
  readonly run: (rawArgs: readonly string[]) => Promise<unknown>
}

/** A command with which Footlight starts itself: its work alone. */
export type InnerCommand = Pick<Command, 'run'>
