// `browsers install`: Playwright's own build, fetched into the folder where Playwright, and so Footlight, expects it.

import {
  chmodSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, posix, relative } from 'node:path'
import process from 'node:process'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type Entry, openPromise } from 'yauzl'
import { removeFolder } from '../../core/base/files/remove-folder.ts'
import { err, ok, type Result } from '../../core/base/result.ts'
import type { PlaywrightBuild } from '../../core/browser/process/find-executable.ts'
import { countBytes, createProgress } from '../../core/cli/terminal/progress.ts'
import { isLinkInside } from './kit-manifest.ts'
import { resolveLibraries } from './shared-libraries.ts'
import { createStagingFolder, moveIntoPlace } from './staging-folder.ts'

interface InstalledBuild {
  readonly program: string
  readonly wasInstalled: boolean
  /** Libraries that this machine lacks, so that it will not start. */
  readonly missing: readonly string[]
}

/** Fetches and unpacks the build. Errors are sentences that say what was tried. */
export async function installBuild(build: PlaywrightBuild): Promise<Result<InstalledBuild, string>> {
  const { folder, program } = build
  const marker = join(folder, 'INSTALLATION_COMPLETE')
  const resultOf = (wasInstalled: boolean) =>
    ok({ program, wasInstalled, missing: findMissingLibraries(program) })
  if (existsSync(marker) && existsSync(program)) return resultOf(true)
  const temporary = createStagingFolder(dirname(folder))
  try {
    const zip = join(temporary, 'build.zip')
    const downloadResult = await downloadFromMirrors(build, zip)
    if (!downloadResult.ok) return downloadResult
    const unpackedFolder = join(temporary, basename(folder))
    await unzip(zip, unpackedFolder)
    const unpackedProgram = join(unpackedFolder, relative(folder, program))
    if (!existsSync(unpackedProgram))
      return err(`the download from ${downloadResult.value} does not contain ${relative(folder, program)}`)
    if (process.platform !== 'win32') chmodSync(unpackedProgram, 0o755)
    writeFileSync(join(unpackedFolder, basename(marker)), '')
    moveIntoPlace(unpackedFolder, folder)
    return resultOf(false)
  } catch (error) {
    return err(
      `${build.title} could not be unpacked: ${error instanceof Error ? error.message : String(error)}`,
    )
  } finally {
    removeFolder(temporary)
  }
}

// --- internal ---

async function downloadFromMirrors(
  { title, urls }: PlaywrightBuild,
  file: string,
): Promise<Result<string, string>> {
  const attempts: string[] = []
  for (const url of urls) {
    try {
      await download(title, url, file)
      return ok(url)
    } catch (error) {
      attempts.push(`${url}: ${reasonOf(error)}`)
    }
  }
  return err(`${title} could not be downloaded. Tried ${attempts.join('; ')}`)
}

// Milliseconds without a byte after which a mirror is given up.
const DOWNLOAD_STALL_TIMEOUT_MS = 60_000

async function download(title: string, url: string, file: string): Promise<void> {
  const stalled = new AbortController()
  const timer = setTimeout(
    () => stalled.abort(new Error(`no data for ${DOWNLOAD_STALL_TIMEOUT_MS / 1000} s`)),
    DOWNLOAD_STALL_TIMEOUT_MS,
  )
  try {
    await receive(title, await fetch(url, { signal: stalled.signal }), file, () => void timer.refresh())
  } finally {
    clearTimeout(timer)
  }
}

async function receive(title: string, response: Response, file: string, onBytes: () => void): Promise<void> {
  if (!response.ok || !response.body) throw new Error(`HTTP status ${response.status}`)
  const length = Number(response.headers.get('content-length')) || undefined
  let received = 0
  const progress = createProgress(`fetching ${title}`, length)
  const add = (bytes: number) => {
    received += bytes
    onBytes()
    progress.add(bytes)
  }
  try {
    await pipeline(Readable.fromWeb(response.body as never), countBytes({ add }), createWriteStream(file))
  } finally {
    progress.end()
  }
  if (length !== undefined && received !== length)
    throw new Error(`ended after ${received} of ${length} bytes`)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause as NodeJS.ErrnoException | undefined
  return cause?.code ?? cause?.message ?? error.message
}

const findMissingLibraries = (program: string): readonly string[] =>
  process.platform === 'linux' ? resolveLibraries([program], dirname(program)).missing : []

const FILE_TYPE_MASK = 0o170000
const SYMLINK_TYPE = 0o120000

/** Unpacks a zip into a new folder, with its modes and the links that stay within. Rejects where an entry would leave the folder. */
async function unzip(file: string, folder: string): Promise<void> {
  mkdirSync(folder)
  const root = realpathSync(folder)
  const zip = await openPromise(file, { autoClose: false })
  const links: [string, string][] = []
  try {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName
      const path = join(root, posix.normalize(name))
      if (name.endsWith('/')) mkdirSync(path, { recursive: true })
      if (name.endsWith('/')) continue
      mkdirSync(dirname(path), { recursive: true })
      const stream = await zip.openReadStreamPromise(entry)
      if (isLink(entry)) links.push([name, await text(stream)])
      else await pipeline(stream, createWriteStream(path, { flags: 'wx', mode: modeOf(entry) }))
    }
  } finally {
    zip.close()
  }
  // Last, so that no file is written through one.
  for (const [name, target] of links) {
    if (!isLinkInside(name, target))
      throw new Error(`the link ${name} points out of the folder, to ${target}`)
    symlinkSync(target, join(root, name))
  }
}

const isLink = (entry: Entry): boolean =>
  ((entry.externalFileAttributes >>> 16) & FILE_TYPE_MASK) === SYMLINK_TYPE

const modeOf = (entry: Entry): number =>
  ((entry.externalFileAttributes >>> 16) & 0o111) === 0 ? 0o644 : 0o755
