// The key of this user, by which the lines of a ledger show that a Footlight of this user wrote them. It is kept outside of the work tree, so
// that nothing that a repository brings can have it.

import { createHmac, randomBytes } from 'node:crypto'
import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { createNewFile, readKeptFile, replaceFile } from '../../../core/base/files/kept-files.ts'
import { isBelow, resolveRealPath } from '../../../core/base/files/workspace-roots.ts'
import { race } from '../../../core/base/system/race-deadline.ts'

/** A short hash of a text that only who has the key can make. */
export type Sign = (text: string) => string

/** Signs for the work tree at `top`; undefined where there is no key. */
export function findSignature(stateFolder: string, top: string): Sign | undefined {
  const key = (isOutside(stateFolder, top) && readKey(stateFolder)) || ownKeys.get(stateFolder)
  return (
    key &&
    ((text) => createHmac('sha256', key).update(`${top}\0${text}`).digest('base64url').slice(0, SIGN_CHARS))
  )
}

/** Creates the key of the user where there is none. One that cannot be kept is for this process alone. */
export async function createKey(stateFolder: string, top: string): Promise<void> {
  if (findSignature(stateFolder, top)) return
  const key = randomBytes(KEY_BYTES)
  try {
    if (!isOutside(stateFolder, top)) throw new Error('it would be in the work tree')
    await mkdir(stateFolder, { recursive: true, mode: 0o700 })
    await writeKey(join(await realpath(stateFolder), FILE_NAME), key.toString('hex'))
  } catch {
    ownKeys.set(stateFolder, key)
  }
}

// --- internal ---

const FILE_NAME = 'ledger-key'
const KEY_BYTES = 32
/** 128 bits. */
const SIGN_CHARS = 22

const ownKeys = new Map<string, Buffer>()

const isOutside = (stateFolder: string, top: string): boolean => !isBelow(resolveRealPath(stateFolder), top)

function readKey(stateFolder: string): Buffer | undefined {
  const file = readKeptFile(join(stateFolder, FILE_NAME), 2 * KEY_BYTES)
  const key = file.ok && file.value ? Buffer.from(file.value.toString('latin1'), 'hex') : undefined
  return key?.length === KEY_BYTES ? key : undefined
}

const OTHER_WRITER_MS = 200

async function writeKey(path: string, key: string): Promise<void> {
  try {
    await createNewFile(path, key)
  } catch {
    // Another process may be about to write it. What a killed one left is replaced.
    await race(OTHER_WRITER_MS, [], () => new Promise<never>(() => {}))
    if (!readKey(join(path, '..'))) await replaceFile(path, key)
  }
}
