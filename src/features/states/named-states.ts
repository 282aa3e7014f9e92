// States that are saved under a name, one file each, readable for this user only. A file is replaced as a whole, so a process that is
// killed leaves the last one. The first session with a name saves it; a lock file with the number of its process says that it is open, and
// in which namespace the process has this number. A profile has a state too, and the folders of its browsers; one session at a time has it.

import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, realpath, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { uptime } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { invalidParameter, type Outcome } from '../../core/base/failure.ts'
import type { NamedState, NamedStates } from '../../core/base/files/files.ts'
import { createNewFile, isTemporaryOf, replaceFile } from '../../core/base/files/kept-files.ts'
import { diskFailure } from '../../core/base/files/output-folder.ts'
import { err, ok } from '../../core/base/result.ts'
import type { StorageState } from '../../core/base/storage.ts'
import { isRunning } from '../../core/base/system/is-running.ts'
import { readLink, readStatFields } from '../../core/base/system/proc-files.ts'
import { startTimer, type Timer } from '../../core/base/system/timer.ts'
import { isStateName, STATE_NAME_RULE } from '../../core/sessions/store/session-name.ts'
import type { ServerStart } from '../../core/tool/feature.ts'
import { findStateFolder } from '../lib/state-folder.ts'

/** Whose states a server opens: those of the user who runs it, of each authenticated client its own, or nobody's. */
export type StateOwnership = 'user' | 'client' | 'nobody'

/** The states that the clients of a server open. */
export const namedStatesOf = ({ settings: { profile }, access }: ServerStart): NamedStates => ({
  ...createNamedStates(findStatesFolder(), stateOwnershipOf(access)),
  defaultProfile: profile,
})

export function createNamedStates(root: string, ownership: StateOwnership = 'user'): NamedStates {
  async function openIn(
    kind: StateKind,
    { name, owner }: { readonly name: string; readonly owner: string },
    openNamed: (folder: string) => Promise<Outcome<NamedState>>,
  ): Promise<Outcome<NamedState>> {
    if (!isStateName(name)) return err(invalidParameter(kind, STATE_NAME_RULE, JSON.stringify(name)))
    if (ownership === 'nobody') return err({ ...OWNERLESS_FAILURE, subject: kind })
    const ownRoot = ownership === 'client' ? join(root, 'owners', hashOf(owner)) : root
    const folder = kind === 'profile' ? join(ownRoot, 'profiles') : ownRoot
    try {
      return await openNamed(folder)
    } catch (error) {
      return err(diskFailure(folder, error))
    }
  }
  return {
    open: (name, owner) => openIn('restore', { name, owner }, (folder) => openState(folder, name, 'restore')),
    openProfile: (name, owner) => openIn('profile', { name, owner }, (folder) => openProfile(folder, name)),
  }
}

/** Replaces a file of the folder as a whole. Throws for errors of the file system. */
export async function writeState(folder: string, fileName: string, state: StorageState): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await replaceFile(join(await realpath(folder), fileName), JSON.stringify(state), { isSynced: true })
}

function stateOwnershipOf(access: ServerStart['access']): StateOwnership {
  if (!access) return 'user'
  return access.isAnonymous ? 'nobody' : 'client'
}

/** The field of create_session that names it. */
type StateKind = 'restore' | 'profile'

// Whoever reaches the port would have the logins of the user.
const OWNERLESS_FAILURE = {
  code: 'ACCESS_DENIED',
  rule: 'saved states have an owner, and HTTP without authentication has none',
  allowed: 'storageState; or restore and profile on stdio or with --auth',
} as const

async function openProfile(folder: string, name: string): Promise<Outcome<NamedState>> {
  const state = await openState(folder, name, 'profile')
  if (!state.ok) return state
  if (state.value.isSaved) return ok({ ...state.value, profileFolder: join(folder, name) })
  const holder = await readHolder(lockPathOf(folder, name))
  const current = `${JSON.stringify(name)}, which ${holder} has open`
  const next = 'Close that session, or choose another name.'
  return err(invalidParameter('profile', 'a profile that no session has open', current, next))
}

const HOLDER_TIMEOUT_MS = 1000
const HOLDER_INTERVAL_MS = 20

/** Who has a lock, which is written when their session has its name. */
async function readHolder(path: string): Promise<string> {
  const end = Date.now() + HOLDER_TIMEOUT_MS
  for (;;) {
    const [pid, , ...words] = (await readFile(path, 'utf8').catch(() => '')).split(' ')
    if (words.length > 0 || Date.now() > end)
      return `${words.join(' ') || 'another session'}${pid ? ` of process ${pid}` : ''}`
    await sleep(HOLDER_INTERVAL_MS)
  }
}

const lockPathOf = (folder: string, name: string): string => join(folder, `${name}.lock`)

async function openState(folder: string, name: string, kind: StateKind): Promise<Outcome<NamedState>> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lockPath = lockPathOf(folder, name)
  const isSaved = await takeLock(lockPath)
  const stopTouching = isSaved ? keepTouched(lockPath) : () => {}
  const release = async () => {
    stopTouching()
    if (isSaved) await rm(lockPath, { force: true })
  }
  if (isSaved) await removeTemporaryFiles(folder, name)
  const path = join(folder, `${name}.json`)
  const state = await readState(path)
  if (state === 'damaged') {
    await release()
    const expected = 'a state that can be read; the user can remove the file'
    return err(invalidParameter(kind, expected, path))
  }
  return ok({
    name,
    state,
    isSaved,
    release,
    async nameHolder(holder) {
      if (isSaved) await writeFile(lockPath, `${lockText()} ${holder}`, { flag: 'r+' }).catch(() => {})
    },
    async save(newState) {
      if (!isSaved) return ok(undefined)
      try {
        await writeState(folder, `${name}.json`, newState)
        return ok(undefined)
      } catch (error) {
        return err(diskFailure(folder, error))
      }
    },
  })
}

async function readState(path: string): Promise<StorageState | 'damaged' | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  try {
    const state = JSON.parse(text) as StorageState
    return Array.isArray(state.cookies) && Array.isArray(state.origins) ? state : 'damaged'
  } catch {
    return 'damaged'
  }
}

/** Whether this process has the lock now. That of a process that has ended is taken over, by one at a time. */
async function takeLock(path: string): Promise<boolean> {
  if (await createFile(path)) return true
  if (!(await isAbandoned(path))) return false
  const takeoverPath = `${path}.takeover`
  if (!(await createFile(takeoverPath))) {
    // A process that is killed during a takeover leaves its file to the next one.
    if (await isAbandoned(takeoverPath)) await rm(takeoverPath, { force: true })
    return false
  }
  try {
    if (!(await isAbandoned(path))) return false
    await rm(path, { force: true })
    return await createFile(path)
  } finally {
    await rm(takeoverPath, { force: true })
  }
}

/** Keeps the time of a lock new, by which other namespaces judge it. */
function keepTouched(path: string): () => void {
  let timer: Timer
  const touch = (): void => {
    const now = new Date()
    void utimes(path, now, now).catch(() => {})
    timer = startTimer(TOUCH_INTERVAL_MS, touch)
  }
  timer = startTimer(TOUCH_INTERVAL_MS, touch)
  return () => timer.stop()
}

const TOUCH_INTERVAL_MS = 3_600_000

/** Creates a file with the number of this process and its namespace; false if it exists. */
async function createFile(path: string): Promise<boolean> {
  try {
    await createNewFile(path, lockText())
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

const lockText = (): string =>
  `${process.pid} ${[readNamespace(), readStartTime(process.pid)].filter(Boolean).join('@')}`

/** When a process started, in ticks since the machine did; undefined where that is not known. */
const readStartTime = (pid: number): string | undefined => readStatFields(pid)[19]

/** Of a lock whose process cannot be asked for. One that is held is newer. */
const LOCK_AGE_LIMIT_MS = 25 * 3_600_000
/** A process that is killed may leave a lock without its pid. */
const EMPTY_LOCK_AGE_LIMIT_MS = 10_000

async function isAbandoned(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  const status = await stat(path).catch(() => undefined)
  if (text === undefined || status === undefined) return false
  const ageMs = Date.now() - status.mtimeMs
  const [pidText, place = readNamespace()] = text.split(' ')
  const [namespace, startTime] = place.split('@')
  const pid = Number(pidText)
  if (!Number.isInteger(pid) || pid <= 0) return ageMs > EMPTY_LOCK_AGE_LIMIT_MS
  // In another container another process has this number, or none.
  if (namespace !== readNamespace()) return ageMs > LOCK_AGE_LIMIT_MS
  if (!isRunning(pid)) return true
  if (startTime !== undefined) return readStartTime(pid) !== startTime
  // Pids start again with the machine.
  return ageMs > uptime() * 1000
}

// Only Linux has several.
const readNamespace = (): string => readLink('/proc/self/ns/pid') || 'pid'

async function removeTemporaryFiles(folder: string, name: string): Promise<void> {
  const names = await readdir(folder)
  const isTemporary = (file: string) => isTemporaryOf(file, `${name}.json`)
  await Promise.all(names.filter(isTemporary).map((file) => rm(join(folder, file), { force: true })))
}

const hashOf = (owner: string): string => createHash('sha256').update(owner).digest('hex').slice(0, 32)

/** The folder of the states that are saved under a name. */
export const findStatesFolder = (): string => join(findStateFolder(), 'states')
