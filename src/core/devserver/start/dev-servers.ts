// Implements the port `Servers`: starts dev servers in both modes.

import { resolve, sep } from 'node:path'
import { type Failure, invalidParameter } from '../../base/failure.ts'
import { isFolder } from '../../base/files/read-stats.ts'
import { err, ok } from '../../base/result.ts'
import type { OwnedServer, ServerHooks, ServerRequest, Servers } from '../../sessions/types/servers.ts'
import type { FeatureParts } from '../../tool/feature.ts'
import { findCommandDenial, type ProgramLimits, resolveAllowedProgram } from '../process/allowed-programs.ts'
import type { FindFreePort } from '../process/free-port.ts'
import type { ServerContext } from '../process/start-context.ts'
import { createWatchdog, type Watchdog } from '../process/watchdog.ts'
import type { startContractServer } from './contract-server.ts'
import type { startDirectServer } from './direct-server.ts'

interface ServersOptions {
  /** The temporary folder of this run, for logs; the watchdog removes it if this process is killed. */
  readonly folder: string
  /** The environment before this process changed it, for child processes. */
  readonly parentEnv: Readonly<Record<string, string | undefined>>
  /** The allowed programs, if they are restricted. */
  readonly limits?: ProgramLimits | undefined
  /** The output directory, of which nothing runs. */
  readonly outputFolder: string
  /** The command line of this program as the supervisor of a server, on Windows. */
  readonly supervisor?: readonly string[] | undefined
  readonly features?: readonly FeatureParts[]
}

export interface GuardedServers extends Servers {
  /** Starts the watchdog, which cleans up however this process ends. */
  guard(): void
  /** Has the socket of this process removed if it is killed after it has started a browser or server. */
  guardSocket(path: string): void
  /** The context for one tree of processes of this run, with the watchdog running. Their temporary files are removed with those of the run. */
  createContext(): ServerContext
}

export function createServers({
  folder,
  outputFolder,
  parentEnv,
  limits,
  supervisor,
  features,
}: ServersOptions): GuardedServers {
  const run = crypto.randomUUID()
  const isOutput = createOutputCheck(outputFolder)
  let watchdog: Watchdog | undefined
  let socketPath: string | undefined
  const startWatchdog = () => {
    const created = createWatchdog(run, folder)
    if (socketPath !== undefined) created.guardSocket(socketPath)
    return created
  }
  const findFreePort = createPortFinder()
  const createContext = () => {
    watchdog ??= startWatchdog()
    const tag = crypto.randomUUID()
    return { run, tag, folder, isOutput, parentEnv, watchdog, supervisor, findFreePort, features }
  }
  return {
    guard: () => void (watchdog ??= startWatchdog()),
    guardSocket(path) {
      socketPath = path
      watchdog?.guardSocket(path)
    },
    createContext: () => ({
      ...createContext(),
      parentEnv: { ...parentEnv, TMPDIR: folder, TMP: folder, TEMP: folder },
    }),
    async start(options, hooks, signal, checkServerAddress) {
      const { commandPath, command } = options
      const programResult = limits ? resolveAllowedProgram(options, limits) : ok(undefined)
      if (!programResult.ok) return programResult
      const denial = findCommandDenial(options, outputFolder) ?? findInvalidField(options)
      if (denial) return err(denial)
      const program = programResult.value
      const request = { ...options, program, ...(program?.cwd !== undefined && { cwd: program.cwd }) }
      try {
        const context = { ...createContext(), checkServerAddress }
        const server = await (commandPath === undefined
          ? loadDirectServer({ ...request, command: command ?? '' }, context, hooks, signal)
          : loadContractServer({ ...request, commandPath }, context, hooks, signal))
        if (!server.ok) return server
        const ownedServer = serializeRestarts(server.value, hooks.onStarted)
        await hooks.onStarted(ownedServer.info(), ownedServer)
        return ok(ownedServer)
      } catch (error) {
        // An argument that cannot be passed to a program, or a temporary folder that is not writable.
        const text = error instanceof Error ? error.message : String(error)
        const name = [commandPath ?? command ?? ''].flat().join(' ')
        return err({ code: 'SERVER_START_FAILED', reason: 'command_not_found', command: name, text })
      }
    },
  }
}

// Loaded with the first server, because the network modules take a while to load.
const loadDirectServer: typeof startDirectServer = async (...options) =>
  (await import('./direct-server.ts')).startDirectServer(...options)
function createPortFinder(): FindFreePort {
  let finder: Promise<FindFreePort> | undefined
  return async () => {
    finder ??= import('../process/free-port.ts').then((module) => module.createFreePortFinder())
    return (await finder)()
  }
}
const loadContractServer: typeof startContractServer = async (...options) =>
  (await import('./contract-server.ts')).startContractServer(...options)

function createOutputCheck(outputFolder: string): (path: string) => boolean {
  const output = resolve(outputFolder)
  return (path) => path === output || path.startsWith(output + sep)
}

function findInvalidField({ env, cwd }: ServerRequest): Failure | undefined {
  // A shell command may have it without quotes, and would split any other text into arguments.
  if (env?.['PORT'] !== undefined && !isPort(env['PORT']))
    return invalidParameter('env.PORT', 'a number from 1 to 65535', JSON.stringify(env['PORT']))
  if (cwd !== undefined && !isFolder(cwd))
    return invalidParameter('cwd', 'an existing folder', JSON.stringify(cwd))
  return undefined
}

const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535

const SESSION_CLOSED_FAILURE: Failure = {
  code: 'SERVER_START_FAILED',
  reason: 'exited',
  command: 'restart',
  text: 'its session was closed during the restart',
}

/** The server whose restarts and stop run one after the other. A stop aborts a running restart and prevents further ones. */
export function serializeRestarts(server: OwnedServer, onStarted: ServerHooks['onStarted']): OwnedServer {
  const closing = new AbortController()
  let last: Promise<unknown> = Promise.resolve()
  const enqueue = <T>(task: () => Promise<T>): Promise<T> => {
    const result = last.then(task)
    last = result.catch(() => {})
    return result
  }
  const { pause, endGroup, leavesTakenPort } = server
  return {
    ...server,
    async restart(signal, progress) {
      const outcome = await enqueue(async (): ReturnType<OwnedServer['restart']> => {
        const restartResult = closing.signal.aborted
          ? undefined
          : await server.restart(AbortSignal.any([signal, closing.signal]), progress)
        return restartResult && !closing.signal.aborted ? restartResult : err(SESSION_CLOSED_FAILURE)
      })
      // Outside the queue, so that a page that hangs does not keep the server from being stopped.
      if (outcome.ok) await onStarted(outcome.value.server, server)
      return outcome
    },
    ...(pause && { pause: () => enqueue(pause) }),
    ...(endGroup && { endGroup: () => enqueue(endGroup) }),
    ...(leavesTakenPort && {
      leavesTakenPort: (signal: AbortSignal) => enqueue(() => leavesTakenPort(signal)),
    }),
    stop(timeoutMs) {
      closing.abort()
      return enqueue(() => server.stop(timeoutMs))
    },
  }
}
