// What the server does for a command.

import type { Outcome } from '../../core/base/failure.ts'
import type { CallToolResult } from '../lib/calls/save-images.ts'

export interface ShellServer {
  /** Calls one tool as an MCP client of this server would; every tool, also of a group. */
  readonly callTool: (name: string, input: Readonly<Record<string, unknown>>) => Promise<CallToolResult>
  /** Writes a file that outlives the command. */
  readonly writeFile: (
    name: string,
    bytes: Uint8Array | string,
  ) => Promise<Outcome<{ readonly path: string }>>
  /** Copies a file of an answer to a new path that the caller names, and returns its real path. */
  readonly saveCopy: (from: string, to: string) => Promise<Outcome<string>>
}
