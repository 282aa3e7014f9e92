// `browsers install`: Playwright's own build, fetched into the folder where Playwright, and so Footlight, expects it.

import { chmodSync, createWriteStream, existsSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import process from 'node:process'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { resolveLibraries } from './shared-libraries.ts'
import { countBytes, createProgress } from './progress.ts'
import { moveIntoPlace, createStagingFolder } from './staging-folder.ts'
import { unzip } from './unzip.ts'
import type { PlaywrightBuild } from '../../browser/find/playwright-builds.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { removeFolder } from '../../runtime/files/remove-folder.ts'

export interface InstalledBuild {
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
  const observedProgress = { ...progress, add }
  try {
    await pipeline(
      Readable.fromWeb(response.body as never),
      countBytes(observedProgress),
      createWriteStream(file),
    )
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
