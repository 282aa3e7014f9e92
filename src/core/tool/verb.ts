// A verb of the shell: the short way to call a tool.

import type { Outcome } from '../base/failure.ts'
import type { Tool } from './tool.ts'

export type Fields = Readonly<Record<string, unknown>>

interface Judgement {
  /** The path of the Markdown that `--ci` prints. */
  readonly markdown: string
  readonly exitCode: number
  /** Whether it is the exit code without `--ci` too. */
  readonly isVerdict?: true
}

interface VerbDetails {
  readonly about?: string
  readonly fixed?: Fields
  /** Its own options: the fields that a switch sets, or the field that it is another name of. */
  readonly flags?: Readonly<Record<string, Fields | string>>
  /** Makes a judgement of the data of a success. */
  readonly judge?: (data: Fields) => Judgement | undefined
  /** Runs its first tool in the process of the command, where no server runs or it has no session. */
  readonly runAlone?: (input: Fields) => Promise<Outcome<Fields>>
  /** The fields of the words, where they are not what their places say. */
  readonly read?: (words: readonly string[], options: Fields) => Fields
}

export interface Verb extends VerbDetails {
  /** The first one is shown. */
  readonly names: readonly string[]
  /** Those whose fields are its options. */
  readonly tools: readonly [Tool, ...Tool[]]
  /** The words after it, as its help shows them: `TARGET`, `[PATH]`, `VALUES...`. */
  readonly usage: string
  readonly about: string
  readonly examples: readonly [string, string]
}

/** A verb with what follows its name in two examples. */
export function verb(
  name: string,
  tool: Tool | Verb['tools'],
  usage: string,
  first: string,
  second: string,
  details: VerbDetails = {},
): Verb {
  const tools = 'name' in tool ? ([tool] as const) : tool
  const examples = [`${name} ${first}`.trim(), `${name} ${second}`.trim()] as const
  return { about: tools[0].description, ...details, names: [name], tools, usage, examples }
}
