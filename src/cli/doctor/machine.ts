// The small facts about the machine: each is read in one place and never throws.

import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import process from 'node:process'
import type { Facts, FontFacts } from './facts.ts'
import { DAY_MS } from '../options/option-schemas.ts'

/** Bytes of /dev/shm. */
export function readSharedMemory(): number | undefined {
  try {
    const { blocks, bsize } = statfsSync('/dev/shm')
    return blocks * bsize
  } catch {
    return undefined
  }
}

export function readDisplay(): Facts['display'] {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  const number = /^(?:unix)?:(\d+)/.exec(DISPLAY ?? '')?.[1]
  const socket = number === undefined || WAYLAND_DISPLAY ? true : existsSync(`/tmp/.X11-unix/X${number}`)
  return { name: DISPLAY || WAYLAND_DISPLAY || undefined, socket }
}

/** Only Linux may have none. `browser` is the path of the one that would be used. */
export function findFonts(browser: string | undefined): FontFacts | undefined {
  if (process.platform !== 'linux') return undefined
  const data = process.env['XDG_DATA_HOME'] || join(homedir(), '.local/share')
  const folders = [
    '/usr/share/fonts',
    '/usr/local/share/fonts',
    join(data, 'fonts'),
    join(homedir(), '.fonts'),
  ]
  const files = folders
    .flatMap(listFilesBelow)
    .filter((name) => /\.(ttf|otf|ttc|otc|pfb|woff2?)$/i.test(name))
  const has = (pattern: RegExp) => files.some((name) => pattern.test(name))
  const config = existsSync('/etc/fonts/fonts.conf')
  return {
    config,
    kit: !config && browser !== undefined && existsSync(join(dirname(browser), 'fonts/fonts.conf')),
    files: files.length,
    emoji: has(/emoji|symbola/i),
    cjk: has(
      /cjk|noto(sans|serif)(sc|tc|hk|jp|kr)|wqy|ipa[egm]|takao|vlgothic|nanum|fallback|unifont|ukai|uming|baekmuk|sourcehan/i,
    ),
  }
}

export async function checkLoopback(): Promise<Facts['loopback']> {
  const [v4, v6] = await Promise.all([tryToBind('127.0.0.1'), tryToBind('::1')])
  return { v4, v6 }
}

/** How many people have an account here: by /etc/passwd, on macOS by their home folders. */
export function countUsers(platform: NodeJS.Platform = process.platform): number | undefined {
  try {
    if (platform === 'darwin')
      return readdirSync('/Users').filter((name) => !/^(\.|Shared$|Guest$)/.test(name)).length
    if (platform === 'win32') return undefined
    const accounts = readFileSync('/etc/passwd', 'utf8').trim().split('\n')
    return accounts.filter((line) => /^[^:]*:[^:]*:[1-9]\d{3,4}:.*(?<!nologin|false)$/.test(line)).length
  } catch {
    return undefined
  }
}

/** Whether the folder could be made and written, without making it, and the pictures of failures in it. */
export function checkOutputFolder(folder: string, isFixing: boolean): Facts['output'] {
  const path = resolve(folder)
  let existing = path
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing)
  const pictures = findOldPictures(path)
  try {
    rmdirSync(mkdtempSync(join(existing, '.footlight-')))
  } catch (error) {
    const problem = `${existing} is not writable (${(error as NodeJS.ErrnoException).code})`
    return { path, problem, pictures, removedCount: 0 }
  }
  return { path, problem: undefined, pictures, removedCount: isFixing ? removePictures(pictures) : 0 }
}

// --- internal ---

const tryToBind = (host: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(0, host, () => server.close(() => resolve(undefined)))
  })

function listFilesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch {
    return []
  }
}

// A session that is open is younger than a day.
function findOldPictures(folder: string): string[] {
  const isOld = (path: string) => Date.now() - statSync(path).mtimeMs > DAY_MS
  return listNames(folder)
    .filter((name) => /^[0-9a-f]{8}$/.test(name))
    .flatMap((name) => listNames(join(folder, name)).map((file) => join(folder, name, file)))
    .filter((path) => /^failure-\d+(-\d+)?\.jpeg$/.test(basename(path)) && isOld(path))
}

/** Removes them, and the folders that are empty then. Answers how many it removed. */
function removePictures(pictures: readonly string[]): number {
  pictures.forEach((path) => rmSync(path, { force: true }))
  for (const folder of new Set(pictures.map(dirname))) if (listNames(folder).length === 0) rmdirSync(folder)
  return pictures.length
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
