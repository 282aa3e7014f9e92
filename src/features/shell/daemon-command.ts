// `footlight daemon`: the servers that answer the shell, and their end.

import process from 'node:process'
import { printLine, printMessage } from '../../core/cli/terminal/output.ts'
import { EXIT_CODES } from '../lib/socket/shell-message.ts'
import { findWorkTree, listAllSockets, listSockets, openSocketFolder } from '../lib/socket/socket-folder.ts'
import { findCallingAgent } from './calling-agent.ts'
import { askServer } from './run-client.ts'

/** What a server says of itself. */
export interface ServerFacts {
  readonly pid: number
  readonly version: string
  /** The root of its work tree. */
  readonly tree: string
  readonly path: string
  /** The process whose end ends it, if it is known. */
  readonly owner?: number
  readonly sessions: number
  /** Whether no client has started it over stdio. Such a client ends it itself. */
  readonly isShellOnly: boolean
}

interface DaemonRequest {
  readonly action: 'list' | 'stop'
  /** Whether all servers are stopped, or those of this work tree and agent. */
  readonly isAll: boolean
  readonly isJson: boolean
}

/** Lists or stops servers. Answers the exit code. */
export async function runDaemonCommand({ action, isAll, isJson }: DaemonRequest): Promise<number> {
  const socketFolder = openSocketFolder()
  if (typeof socketFolder === 'string') {
    printMessage(socketFolder)
    return EXIT_CODES.noServer
  }
  const { folder } = socketFolder
  const { key } = await findCallingAgent(undefined)
  const place = { tree: findWorkTree(process.cwd()), agent: key }
  const own = listSockets(folder, place).flatMap(({ path, isOfAgent }) => (isOfAgent ? [path] : []))
  const paths = action === 'stop' && !isAll ? own : listAllSockets(folder)
  const answers = await Promise.all(
    paths.map((path) => askServer(path, { argv: ['daemon', action], cwd: process.cwd() })),
  )
  const servers = answers.flatMap((answer) =>
    answer?.exitCode === EXIT_CODES.success ? [JSON.parse(answer.text) as ServerFacts] : [],
  )
  if (isJson) printLine(JSON.stringify(servers))
  else if (servers.length === 0)
    printLine(action === 'list' ? 'No server runs.' : 'No server runs for this work tree and agent.')
  else for (const server of servers) printLine(describeServer(server, action, own.includes(server.path)))
  return EXIT_CODES.success
}

function describeServer(
  { pid, tree, sessions, owner, isShellOnly }: ServerFacts,
  action: DaemonRequest['action'],
  isOwn: boolean,
): string {
  const count = sessions === 1 ? '1 session' : `${sessions} sessions`
  const end = isShellOnly ? owner && `ends with process ${owner}` : 'of a client, which ends it'
  const state = action === 'list' ? isOwn && 'used here' : isShellOnly ? 'stopped' : 'not stopped'
  return [`${pid}  ${tree}  ${count}`, end, state].filter(Boolean).join(', ')
}
