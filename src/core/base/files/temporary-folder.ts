// All temporary files of one run are in one folder, which is removed at the end. A socket in it, on which the process listens, says that it
// is in use: also to other containers that share it, where the number of a process says nothing. The next run removes the folders of runs
// that were killed.

import { mkdirSync, mkdtempSync, rename, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { isRunning } from '../system/is-running.ts'
import { listFolder } from '../system/proc-files.ts'
import { removeFolder } from './remove-folder.ts'

export interface TemporaryFolder {
  readonly folder: string
  remove(): void
}

const FOLDER_PREFIX = 'footlight-'
const SOCKET_NAME = 'in-use'

/** A browser that is ending may still write to its files. */
const REMOVAL_RETRY_COUNT = 3

/** A folder without a socket may be in use: it has just been made, or its file system or path has no sockets. */
const SOCKETLESS_AGE_LIMIT_MS = 24 * 3_600_000

/** The folders that killed runs left in `root`. */
export async function findLeftoverFolders(root: string = tmpdir()): Promise<string[]> {
  const folders = listFolder(root)
    .filter((name) => new RegExp(`^${FOLDER_PREFIX}\\d+-[A-Za-z0-9]{6}$`).test(name))
    .map((name) => join(root, name))
  const uses = await Promise.all(folders.map(isInUse))
  return folders.filter((_, index) => !uses[index])
}

/** Creates this run's folder and sets TMPDIR, TMP and TEMP to it, for the browser and for Playwright. `sweep` removes leftovers in the
 * background. */
export function createTemporaryFolder({ sweep = true } = {}): TemporaryFolder {
  const root = tmpdir()
  mkdirSync(root, { recursive: true })
  const folder = mkdtempSync(join(root, `${FOLDER_PREFIX}${process.pid}-`))
  void markInUse(folder)
  if (sweep)
    void findLeftoverFolders(root).then((leftovers) =>
      leftovers.forEach((leftover) => removeFolder(leftover)),
    )
  const variables = ['TMPDIR', 'TMP', 'TEMP'] as const
  const previousValues = variables.map((name) => [name, process.env[name]] as const)
  for (const name of variables) process.env[name] = folder
  return {
    folder,
    remove() {
      for (const [name, value] of previousValues) {
        if (value === undefined) delete process.env[name]
        if (value !== undefined) process.env[name] = value
      }
      removeFolder(folder, REMOVAL_RETRY_COUNT)
    },
  }
}

// --- internal ---

// The network module is loaded after the start. Windows has neither such sockets nor containers that share a folder.
async function markInUse(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const { createServer } = await import('node:net')
  const server = createServer((connection) => connection.destroy())
  server.on('error', () => {})
  // Between its creation and `listen` a socket refuses connections, as that of a process that was killed does.
  const starting = join(folder, `${SOCKET_NAME}-starting`)
  server.listen(starting, () => rename(starting, join(folder, SOCKET_NAME), () => {})).unref()
}

async function isInUse(folder: string): Promise<boolean> {
  if (process.platform === 'win32') return isRunning(Number(/-(\d+)-\w+$/.exec(folder)?.[1]))
  const { connect } = await import('node:net')
  const code = await new Promise<string | undefined>((resolve) => {
    const connection = connect(join(folder, SOCKET_NAME))
    connection.once('connect', () => {
      connection.destroy()
      resolve(undefined)
    })
    connection.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
  })
  if (code === 'ECONNREFUSED') return false
  const isSocketless = code === 'ENOENT' || code === 'ENOTSOCK'
  const status = isSocketless ? statSync(folder, { throwIfNoEntry: false }) : undefined
  return status === undefined || Date.now() - status.mtimeMs < SOCKETLESS_AGE_LIMIT_MS
}
