// The packages of the applications, outside of the checkout: installed once for each lock file. As a program it installs what is missing,
// two at a time, and says how long each took.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'

const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'footlight-apps')
const MANIFEST = ['package.json', 'bun.lock']
const INSTALL_LIMIT_MS = 600_000
const AT_ONCE = 2

/** The folder of an application's own files. */
export const sourceOf = (name: string): string => join(import.meta.dir, name)

/** Answers the folder that has the packages of an application, in which they are installed if they are not there. */
export async function installed(name: string, source = sourceOf(name)): Promise<string> {
  const folder = folderOf(name, source)
  if (!existsSync(folder)) await installInto(folder, source)
  return folder
}

// --- internal ---

function folderOf(name: string, source: string): string {
  const hash = createHash('sha256')
  for (const file of MANIFEST) hash.update(readFileSync(join(source, file)))
  return join(cache, `${name}-${hash.digest('hex').slice(0, 12)}`)
}

// An installation that was interrupted must not be taken for one.
async function installInto(folder: string, own: string): Promise<void> {
  mkdirSync(cache, { recursive: true })
  const begun = mkdtempSync(join(cache, 'installing-'))
  try {
    for (const file of MANIFEST) cpSync(join(own, file), join(begun, file))
    const args = ['install', '--frozen-lockfile', '--ignore-scripts', '--silent']
    const child = spawn(process.execPath, args, {
      cwd: begun,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: INSTALL_LIMIT_MS,
    })
    const [errors, [code, signal]] = await Promise.all([text(child.stderr), once(child, 'close')])
    if (code !== 0) throw new Error(`bun install in ${own}: ${signal ?? code} ${errors}`)
    // Another run may have been faster.
    if (!existsSync(folder)) renameSync(begun, folder)
  } finally {
    rmSync(begun, { recursive: true, force: true })
  }
}

async function installMissing(): Promise<void> {
  const names = readdirSync(import.meta.dir).filter((name) => existsSync(join(sourceOf(name), 'bun.lock')))
  const missing = names.filter((name) => !existsSync(folderOf(name, sourceOf(name))))
  console.log(`packages of ${names.length} applications in ${cache}: ${missing.length} to install`)
  const queue = missing.values()
  let count = 0
  const work = async () => {
    for (const name of queue) {
      const since = performance.now()
      await installed(name)
      const seconds = ((performance.now() - since) / 1000).toFixed(1)
      console.log(`${(count += 1)}/${missing.length} ${name}: ${seconds} s`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

if (import.meta.main) await installMissing()
