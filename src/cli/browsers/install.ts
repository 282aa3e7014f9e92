// `browsers install`: Playwright's own build, fetched into the folder where Playwright, and so Footlight, expects it.

import { chmodSync, createWriteStream, existsSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import process from 'node:process'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { librariesOf } from './libraries.ts'
import { counting, createProgress } from './progress.ts'
import { settle, stage } from './staging.ts'
import { unzip } from './unzip.ts'
import type { PlaywrightBuild } from '../../browser/find/playwright-builds.ts'
import { err, ok, type Result } from '../../core/result.ts'

export interface Installed {
  readonly program: string
  readonly already: boolean
  /** Libraries that this machine lacks, so that it will not start. */
  readonly missing: readonly string[]
}

/** Fetches and unpacks the build. Errors are sentences that say what was tried. */
export async function install(build: PlaywrightBuild): Promise<Result<Installed, string>> {
  const { folder, program } = build
  const marker = join(folder, 'INSTALLATION_COMPLETE')
  const done = (already: boolean) => ok({ program, already, missing: missingFor(program) })
  if (existsSync(marker) && existsSync(program)) return done(true)
  const temporary = stage(dirname(folder))
  try {
    const zip = join(temporary, 'build.zip')
    const fetched = await fetchFirst(build, zip)
    if (!fetched.ok) return fetched
    const unpacked = join(temporary, basename(folder))
    await unzip(zip, unpacked)
    const inside = join(unpacked, relative(folder, program))
    if (!existsSync(inside))
      return err(`the download from ${fetched.value} does not contain ${relative(folder, program)}`)
    if (process.platform !== 'win32') chmodSync(inside, 0o755)
    writeFileSync(join(unpacked, basename(marker)), '')
    settle(unpacked, folder)
    return done(false)
  } catch (error) {
    return err(
      `${build.title} could not be unpacked: ${error instanceof Error ? error.message : String(error)}`,
    )
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

// --- internal ---

async function fetchFirst({ title, urls }: PlaywrightBuild, file: string): Promise<Result<string, string>> {
  const tried: string[] = []
  for (const url of urls) {
    try {
      await download(title, url, file)
      return ok(url)
    } catch (error) {
      tried.push(`${url}: ${reasonOf(error)}`)
    }
  }
  return err(`${title} could not be downloaded. Tried ${tried.join('; ')}`)
}

// Milliseconds without a byte after which a mirror is given up.
const SILENCE = 60_000

async function download(title: string, url: string, file: string): Promise<void> {
  const silent = new AbortController()
  const timer = setTimeout(() => silent.abort(new Error(`no data for ${SILENCE / 1000} s`)), SILENCE)
  try {
    await receive(title, await fetch(url, { signal: silent.signal }), file, () => void timer.refresh())
  } finally {
    clearTimeout(timer)
  }
}

async function receive(title: string, response: Response, file: string, heard: () => void): Promise<void> {
  if (!response.ok || !response.body) throw new Error(`HTTP status ${response.status}`)
  const length = Number(response.headers.get('content-length')) || undefined
  let received = 0
  const progress = createProgress(`fetching ${title}`, length)
  const add = (bytes: number) => {
    received += bytes
    heard()
    progress.add(bytes)
  }
  const seen = { ...progress, add }
  try {
    await pipeline(Readable.fromWeb(response.body as never), counting(seen), createWriteStream(file))
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

const missingFor = (program: string): readonly string[] =>
  process.platform === 'linux' ? librariesOf([program], dirname(program)).missing : []
