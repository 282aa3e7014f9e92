// The folder of the private sockets on which the servers of a user answer the shell. Its name, owner and mode are checked before each use,
// because whoever owns it could answer in place of a server.

import { lstatSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import process from 'node:process'
import { quickHash } from '../../../core/base/text/quick-hash.ts'

/** Systems limit the paths of sockets to 103 bytes; one more is needed while a socket starts. */
const SOCKET_PATH_LIMIT_BYTES = 102
const PIPE_FOLDER = '\\\\.\\pipe\\'

export interface SocketPlace {
  /** The root of the work tree. */
  readonly tree: string
  /** Names the agent that calls. */
  readonly agent: string
}

/** A socket file of a server. */
export interface SocketEntry {
  readonly path: string
  readonly isOfAgent: boolean
}

/** The folder, which is made if it does not exist. A text says why it cannot be used. */
export function openSocketFolder(env: NodeJS.ProcessEnv = process.env): { folder: string } | string {
  if (process.platform === 'win32') return findPipeFolder()
  const folder = socketFolderOf(env)
  try {
    mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
    const outer = statSync(dirname(folder))
    if ((outer.mode & 0o022) !== 0)
      return describeProblem(
        folder,
        `${(outer.mode & 0o002) === 0 ? 'its group' : 'everybody'} may write to the folder around it`,
      )
    // Its owner could put another folder in place of this one.
    if (outer.uid !== 0 && outer.uid !== process.getuid?.())
      return describeProblem(folder, `the folder around it belongs to user ${outer.uid}`)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const status = lstatSync(folder)
    if (!status.isDirectory()) return describeProblem(folder, 'it is no folder')
    if (status.uid !== process.getuid?.()) return describeProblem(folder, `it belongs to user ${status.uid}`)
    // Others could have put a socket there before.
    if ((status.mode & 0o077) !== 0)
      return describeProblem(
        folder,
        `its mode is ${(status.mode & 0o777).toString(8)}, so that others may have put something there. Remove it, and it is made anew`,
      )
    return { folder }
  } catch (error) {
    return describeProblem(folder, (error as Error).message)
  }
}

// The pipes of Windows are listed like files, but not by Wine.
function findPipeFolder(): { folder: string } | string {
  try {
    readdirSync(PIPE_FOLDER)
    return { folder: PIPE_FOLDER }
  } catch (error) {
    return `the named pipes of this machine, by which the shell finds its server, cannot be listed: ${(error as Error).message}. Add Footlight to a client instead: footlight setup`
  }
}

const describeProblem = (folder: string, problem: string): string =>
  `the folder for sockets, ${folder}, cannot be used: ${problem}. Set XDG_RUNTIME_DIR to a folder that is yours alone`

function socketFolderOf({ XDG_RUNTIME_DIR, XDG_STATE_HOME }: NodeJS.ProcessEnv): string {
  const root = [XDG_RUNTIME_DIR, XDG_STATE_HOME].find((path) => path !== undefined && isAbsolute(path))
  return join(root ?? join(homedir(), '.local/state'), 'footlight')
}

/** The path for a new socket. A text says why there can be none. */
export function newSocketPath(folder: string, { tree, agent }: SocketPlace): { path: string } | string {
  const birth = Date.now().toString(36)
  const name = `${quickHash(tree)}-${quickHash(agent)}-${birth}${process.pid.toString(36)}.sock`
  const path =
    process.platform === 'win32' ? `${folder}footlight-${quickHash(homedir())}-${name}` : join(folder, name)
  return Buffer.byteLength(path) > SOCKET_PATH_LIMIT_BYTES && process.platform !== 'win32'
    ? describeProblem(folder, 'its path is too long for sockets')
    : { path }
}

/** Whether a socket and the folder that it is in are the user's alone. Each end looks before it says a word. */
function isOwnSocket(path: string): boolean {
  if (process.platform === 'win32') return true
  const folder = lstatSync(dirname(path), { throwIfNoEntry: false })
  const socket = lstatSync(path, { throwIfNoEntry: false })
  const isOwn = (status: typeof folder): boolean =>
    status !== undefined && status.uid === process.getuid?.() && (status.mode & 0o077) === 0
  return isOwn(folder) && isOwn(socket) && socket?.isSocket() === true
}

/** The sockets of a work tree, those of the agent first, then the older ones. */
export function listSockets(folder: string, { tree, agent }: SocketPlace): readonly SocketEntry[] {
  const own = `${quickHash(tree)}-${quickHash(agent)}-`
  const entries = readdirSync(folder)
    .filter((name) => name.endsWith('.sock') && withoutPrefix(name).startsWith(`${quickHash(tree)}-`))
    .map((name) => {
      const path = process.platform === 'win32' ? folder + name : join(folder, name)
      return { path, isOfAgent: withoutPrefix(name).startsWith(own), age: ageOf(path, name) }
    })
    .filter(({ path }) => isOwnSocket(path))
  return entries.sort((a, b) => Number(b.isOfAgent) - Number(a.isOfAgent) || compare(a.age, b.age))
}

/** All sockets of the user, of any work tree. */
export const listAllSockets = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter(
      (name) => name.endsWith('.sock') && (process.platform !== 'win32' || name.startsWith(pipePrefix())),
    )
    .map((name) => (process.platform === 'win32' ? folder + name : join(folder, name)))
    .filter(isOwnSocket)

const pipePrefix = (): string => `footlight-${quickHash(homedir())}-`

const withoutPrefix = (name: string): string =>
  process.platform === 'win32' && name.startsWith(pipePrefix()) ? name.slice(pipePrefix().length) : name

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

// The time at which a socket got its name orders those that start at once: each of them sees the others that were earlier.
function ageOf(path: string, name: string): string {
  const status =
    process.platform === 'win32' ? undefined : statSync(path, { throwIfNoEntry: false, bigint: true })
  return `${String(status?.ctimeNs ?? 0).padStart(20, '0')} ${name}`
}

/** The root of the work tree of a folder: the nearest one with `.git`, else the folder itself. */
export function findWorkTree(cwd: string): string {
  let folder = realpathSync(cwd)
  for (;;) {
    if (statSync(join(folder, '.git'), { throwIfNoEntry: false })) return folder
    const outer = dirname(folder)
    if (outer === folder) return realpathSync(cwd)
    folder = outer
  }
}
