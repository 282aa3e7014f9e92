// What a feature adds to the core: data, and what is heavy behind functions that load it. Nothing here is known to the core by name.

import type { AnyDocumentType } from '../base/files/open-document.ts'
import type { Command, InnerCommand } from './command.ts'
import type { CallContext, Tool } from './tool.ts'
import type { Verb } from './verb.ts'

export interface Feature {
  readonly name: string
  /** The features that it imports. */
  readonly after?: readonly string[]
  /** Its commands by name, each loaded when it runs or its help is shown. */
  readonly commands?: Readonly<Record<string, () => Promise<Command>>>
  /** The commands with which Footlight starts itself. */
  readonly innerCommands?: Readonly<Record<string, () => Promise<InnerCommand>>>
  readonly help?: () => Promise<HelpTopics>
  /** What the thread for large documents can read. */
  readonly documents?: () => Promise<readonly AnyDocumentType[]>
  /** What a server needs of it, loaded at its start. */
  readonly load?: () => Promise<FeatureParts>
}

/** Texts of `footlight help` besides those of commands, such as of the verbs of the shell. */
export interface HelpTopics {
  /** Every word that is explained. */
  readonly names: readonly string[]
  /** Its lines in the help of the program. */
  readonly overview: readonly string[]
  textOf(name: string): string | undefined
}

/** Rooms above declare here what they take of a feature, in the file that uses it. */
export interface FeatureParts {
  /** The tools that are listed by default, behind those of the core. */
  readonly tools?: readonly Tool[]
  /** The tools that few tasks need: called through `steps`, and listed with `--tools +NAME`. */
  readonly otherTools?: readonly Tool[]
  /** Tools of the core that can do more with it, each in place of the one with its name. */
  readonly extended?: readonly Tool[]
  /** The commands of the shell for them. */
  readonly verbs?: readonly Verb[]
  /** Makes what calls can use of it, once for a server. */
  readonly start?: (start: ServerStart) => StartedFeature
}

/** What a feature is given as a server starts. The members are those of `cli`. */
export interface ServerStart {}

/** What it is for one server; its hooks stand beside those that it has for all.
 * @public Rooms above declare what they take of it. */
export interface StartedFeature {
  readonly context?: Partial<CallContext>
  readonly end?: () => Promise<void>
}
