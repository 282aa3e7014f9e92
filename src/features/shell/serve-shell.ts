// The private socket of a server: the commands of the shell, and how long a server lives that has no other client.

import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'
import { invalidParameter } from '../../core/base/failure.ts'
import { startTimer } from '../../core/base/system/timer.ts'
import { VERSION } from '../../core/cli/options/version.ts'
import { viewLineOf } from '../../core/cli/serve/serve.ts'
import { type RunningServer, STDIO_OWNER } from '../../core/cli/serve/server-parts.ts'
import { everyTool } from '../../core/cli/tools/catalogue.ts'
import { isSameProcess } from '../../core/devserver/process/process-table.ts'
import { failureRecordOf } from '../../core/mcp/answers/failure-text.ts'
import { failureResult } from '../../core/mcp/answers/format-result.ts'
import { dispatch, suggestTool } from '../../core/mcp/calls/serve-tools.ts'
import type { ServerOptions } from '../../core/mcp/calls/server-options.ts'
import { createToolNames } from '../../core/mcp/calls/tool-names.ts'
import { createServer } from '../../core/mcp/mcp-server.ts'
import { createListenToResources } from '../../core/mcp/subscriptions.ts'
import type { SessionManager } from '../../core/sessions/types/session-manager.ts'
import type { ShellAnswer } from '../lib/socket/shell-answer.ts'
import { EXIT_CODES } from '../lib/socket/shell-message.ts'
import { findWorkTree, listSockets, newSocketPath, openSocketFolder } from '../lib/socket/socket-folder.ts'
import { findCallingAgent } from './calling-agent.ts'
import type { ServerFacts } from './daemon-command.ts'
import { KILLED, LEFT, rememberEnding } from './last-ending.ts'
import { type AnswerCommand, type AnswerView, listenOnPrivateSocket } from './private-socket.ts'
import { askServer } from './run-client.ts'
import { runShellCommand } from './run-shell-command.ts'
import { READY_LINE, type ShellServerStart } from './start-server.ts'

const CHECK_INTERVAL_MS = 1000
const IDLE_LIMIT_MS = 30 * 60_000

/** `why` ends a sentence about the sessions. */
type End = (why: string) => void

interface ShellSocket {
  /** How long nobody has used it. */
  idleMs(): number
  close(): void
}

/** Listens beside stdin. Without a socket everything but the shell works. */
export async function listenBeside(server: RunningServer): Promise<void> {
  const { servers, log } = server.services
  const { key } = await findCallingAgent(undefined)
  const place = { tree: findWorkTree(process.cwd()), agent: key }
  const folder = openSocketFolder()
  const socket = typeof folder === 'string' ? folder : newSocketPath(folder.folder, place)
  if (typeof socket === 'string') return log.info('the shell cannot use this server', { reason: socket })
  servers.guardSocket(socket.path)
  await listenForShell({ ...place, path: socket.path }, server).catch((error: Error) =>
    log.info('the shell cannot use this server', { reason: error.message }),
  )
}

/** Serves the shell alone, until the owner of the server is gone or nobody uses it. */
export async function serveShell(start: ShellServerStart, server: RunningServer): Promise<void> {
  const end = endAndRemember(start, server)
  const { browsers, servers } = server.services
  // A server that is killed before its first browser would leave its temporary folder.
  servers.guard()
  const viewLine = await viewLineOf(server)
  const { idleMs } = await listenForShell(start, server, end)
  if (await isSecondServer(start)) void server.end(0)
  else {
    endWithOwner(start, idleMs, end)
    browsers.prepare()
  }
  process.stdout.on('error', () => {})
  process.stdout.write(READY_LINE + viewLine)
}

/** Ends a server for the shell when its owner, its socket or its work tree is gone, or nobody has used it for long. */
export function endWithOwner({ path, tree, owner }: ShellServerStart, idleMs: () => number, end: End): void {
  const inode = inodeOf(path)
  const check = () => {
    const isOwned = owner === undefined || isSameProcess(owner)
    const hasSocket = process.platform === 'win32' || inodeOf(path) === inode
    if (!isOwned) return end(`process ${owner.pid}, whose they were, has ended`)
    if (!hasSocket) return end('the file of its socket was removed')
    if (inodeOf(tree) === undefined) return end('its work tree was removed')
    if (idleMs() > IDLE_LIMIT_MS) return end('nobody used it for 30 minutes')
    startTimer(CHECK_INTERVAL_MS, check)
  }
  check()
}

// --- internal ---

function remember(start: ShellServerStart, ending: Parameters<typeof rememberEnding>[2]): void {
  rememberEnding(dirname(start.path), start, ending)
}

/** Ends a server once, and remembers the first reason. */
function endAndRemember(start: ShellServerStart, server: RunningServer): End {
  let hasEnded = false
  return (why) => {
    if (hasEnded) return
    hasEnded = true
    remember(start, { why, at: Date.now() })
    void server.end(0)
  }
}

/** `end`: of one that has no other clients. One of another version than its client then makes place for a new one. */
function listenForShell(start: ShellServerStart, server: RunningServer, end?: End): Promise<ShellSocket> {
  const opening = openShellSocket(start, server, end)
  server.socket = { path: start.path, opening }
  return opening
}

async function openShellSocket(
  start: ShellServerStart,
  server: RunningServer,
  end?: End,
): Promise<ShellSocket> {
  const { options, view, services } = server
  const { browsers, log } = services
  const isShellOnly = end !== undefined
  const { sessions } = options
  let [openCount, lastUseAt] = [0, performance.now()]
  const answer = createAnswerCommand({ ...options, tools: everyTool }, STDIO_OWNER)
  const socket = await listenOnPrivateSocket({
    path: start.path,
    createServer: (era) => createServer(options, STDIO_OWNER, { era }),
    listenToResources: createListenToResources(sessions, STDIO_OWNER),
    onError: (error) => log.debug('a message on the socket was not understood', { error: error.message }),
    onFirstAnswer: browsers.prepare,
    answerView: view?.answerCall ?? refuseView,
    async answerCommand(command, caller) {
      if (isShellOnly && caller.version !== VERSION && sessions.count() === 0) {
        setImmediate(() => void server.end(0))
        return { text: '', exitCode: EXIT_CODES.success, stream: 'stdout', hasEnded: true }
      }
      openCount += 1
      const [verb, action] = command.argv
      try {
        if (verb === 'daemon') return controlServer(action, { start, sessions, end })
        if (verb === 'view' && view) return printed(await view.createAddress())
        const count = sessions.count()
        const result = await answer(command, caller)
        const change = sessions.count() - count
        if (change > 0) remember(start, isShellOnly ? KILLED : LEFT)
        if (change < 0) remember(start, { why: 'footlight close closed it', at: Date.now() })
        return result
      } finally {
        openCount -= 1
        lastUseAt = performance.now()
      }
    },
  })
  return {
    close: socket.close,
    idleMs: () =>
      openCount > 0 || socket.count() > 0 || view?.isInUse() ? 0 : performance.now() - lastUseAt,
  }
}

/** The clock of a file system may tick slowly; what got its name in the same tick must be seen. */
const CLOCK_TICK_MS = 20

/** Whether another server of the same work tree and agent was there first: of those that start at once all but one end. */
async function isSecondServer(start: ShellServerStart): Promise<boolean> {
  await new Promise<void>((resolve) => void startTimer(CLOCK_TICK_MS, resolve))
  const folder = openSocketFolder()
  const paths = typeof folder === 'string' ? [] : listSockets(folder.folder, start).map(({ path }) => path)
  const older = paths.slice(0, paths.indexOf(start.path))
  const answers = await Promise.all(
    older.map((path) => askServer(path, { argv: ['daemon'], cwd: start.tree })),
  )
  return answers.some((answer) => answer?.exitCode === EXIT_CODES.success)
}

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { throwIfNoEntry: false, bigint: true })?.ino
}

const refuseView: AnswerView = async () => ({ ok: false, text: 'The server has no view.' })

interface ControlledServer {
  readonly end: End | undefined
  readonly start: ShellServerStart
  readonly sessions: Pick<SessionManager, 'count'>
}

// A client that has started its server over stdio would lose it.
function controlServer(
  word: string | undefined,
  { start: { tree, path, owner }, sessions, end }: ControlledServer,
): ShellAnswer {
  if (word === 'stop' && end) setImmediate(end, 'footlight daemon stop')
  const facts: ServerFacts = {
    pid: process.pid,
    version: VERSION,
    tree,
    path,
    owner: owner?.pid,
    sessions: sessions.count(),
    isShellOnly: end !== undefined,
  }
  return printed(JSON.stringify(facts))
}

const printed = (line: string): ShellAnswer => ({
  text: `${line}\n`,
  exitCode: EXIT_CODES.success,
  stream: 'stdout',
})

/** Runs commands with all tools. What they open belongs to `owner`. */
function createAnswerCommand(options: ServerOptions, owner: string): AnswerCommand {
  const { files } = options
  const names = createToolNames(everyTool, 'footlight')
  const folder = files.folder('shell')
  return (command, { signal, progress }) => {
    const context = {
      ...options,
      caller: { owner, signal, progress, ask: undefined, keepsSessions: true },
    }
    return runShellCommand(command, {
      writeFile: (name, bytes) => folder.write(name, Buffer.from(bytes)),
      saveCopy: async (from, to) =>
        files.create(to, await readFile(from), { createsFolders: true, isShared: true }),
      async callTool(name, input) {
        const result = await dispatch({ ...options, names, isSessionOptional: false }, name, input, context)
        const unknown = invalidParameter(
          'tool',
          'the name of a tool',
          name,
          suggestTool({ names, everyTool }, name),
        )
        return result ?? failureResult(failureRecordOf(unknown, Date.now()))
      },
    })
  }
}
