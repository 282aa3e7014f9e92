// What a client of the shell sends and gets, and what the server does for it.

import type { Outcome } from '../../core/failure.ts'
import type { successResult } from '../../mcp/answers/format-result.ts'

/** A command line as a client sends it. */
export interface ShellRequest {
  /** Without the program's name; may begin with -s NAME. */
  readonly argv: readonly string[]
  /** The folder of the caller: relative paths and `cwd` of a dev server are resolved against it. */
  readonly cwd: string
  /** What the caller piped in; only for verbs that read it (`do`). */
  readonly stdin?: string
  /** Width of the caller's terminal; undefined in a pipe. */
  readonly columns?: number
  /** Answer SESSION_NOT_FOUND (exit 3) rather than open the session: the caller looks through several servers for it. */
  readonly isOnlyExisting?: boolean
}

export interface ShellAnswer {
  /** With the end of its last line; empty if there is nothing to print. */
  readonly text: string
  readonly exitCode: number
  /** A usage error goes to stderr, everything else to stdout. */
  readonly stream: 'stdout' | 'stderr'
}

export type CallToolResult = ReturnType<typeof successResult>

export interface ShellServer {
  /** Calls one tool as an MCP client of this server would; every tool, also of a group. */
  readonly callTool: (name: string, input: Readonly<Record<string, unknown>>) => Promise<CallToolResult>
  /** Writes a file that outlives the command. */
  readonly writeFile: (
    name: string,
    bytes: Uint8Array | string,
  ) => Promise<Outcome<{ readonly path: string }>>
}
