// The packages of the applications, outside of the checkout. The applications are one workspace with one lock file, but each has an
// installation of its own, with its packages alone. As a program it installs what is missing, two at a time, and says how long each took.

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
const workspace = import.meta.dir
const INSTALL_LIMIT_MS = 600_000
const AT_ONCE = 2

/** The folder of an application's own files. */
export const sourceOf = (name: string): string => join(workspace, name)

/** Answers a folder with the manifests of `source` and the packages of its lock file, which are installed if they are not there. Of a
 * workspace they are those of the member with this name, and are linked in its folder. */
export async function installed(name: string, source = workspace): Promise<string> {
  const folder = folderOf(name, source)
  if (!existsSync(folder)) await installInto(folder, name, source)
  return folder
}

// --- internal ---

const membersIn = (source: string): string[] =>
  readdirSync(source)
    .filter((name) => existsSync(join(source, name, 'package.json')))
    .toSorted()

const manifestsIn = (source: string): string[] => [
  'package.json',
  'bun.lock',
  ...membersIn(source).map((name) => join(name, 'package.json')),
]

function folderOf(name: string, source: string): string {
  const hash = createHash('sha256')
  for (const file of manifestsIn(source)) hash.update(readFileSync(join(source, file)))
  return join(cache, `${name}-${hash.digest('hex').slice(0, 12)}`)
}

// An installation that was interrupted must not be taken for one.
async function installInto(folder: string, name: string, source: string): Promise<void> {
  mkdirSync(cache, { recursive: true })
  const begun = mkdtempSync(join(cache, 'installing-'))
  try {
    for (const file of manifestsIn(source)) cpSync(join(source, file), join(begun, file))
    const args = ['install', '--frozen-lockfile', '--ignore-scripts', '--silent']
    if (membersIn(source).includes(name)) args.push('--filter', `./${name}`)
    const child = spawn(process.execPath, args, {
      cwd: begun,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: INSTALL_LIMIT_MS,
    })
    const [errors, [code, signal]] = await Promise.all([text(child.stderr), once(child, 'close')])
    if (code !== 0) throw new Error(`bun install of ${name} in ${source}: ${signal ?? code} ${errors}`)
    // Another run may have been faster.
    if (!existsSync(folder)) renameSync(begun, folder)
  } finally {
    rmSync(begun, { recursive: true, force: true })
  }
}

async function installMissing(): Promise<void> {
  const names = membersIn(workspace)
  const missing = names.filter((name) => !existsSync(folderOf(name, workspace)))
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
