// `browsers unpack`: nothing of a kit comes into its place before all of it was checked. Only what kit.json names is written, and only
// as plain files; the archive itself cannot say where anything goes.

import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { createTarDecoder } from 'modern-tar'
import { folderOf, foreign, MANIFEST, parseManifest, type Here, type Manifest } from './manifest.ts'
import { counting, createProgress } from './progress.ts'
import { settle, stage } from './staging.ts'
import { err, ok, type Result } from '../../core/result.ts'

export interface Unpacked {
  readonly manifest: Manifest
  readonly folder: string
  /** What is started. */
  readonly entry: string
  /** Whether it was there already, whole. */
  readonly already: boolean
}

/** Longer than any manifest; what claims more is none. */
const MOST = 16 * 1024 * 1024

/** Unpacks into a folder of its own within `root`. Errors are sentences. */
export async function unpack(kit: string, root: string, here: Here): Promise<Result<Unpacked, string>> {
  const temporary = stage(root)
  try {
    return await unpackInto(kit, root, temporary, here)
  } catch (error) {
    return err(reasonOf(error))
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

// --- internal ---

type Entry = { header: { name: string; type?: string; size?: number }; body: ReadableStream<Uint8Array> }

async function unpackInto(
  kit: string,
  root: string,
  temporary: string,
  here: Here,
): Promise<Result<Unpacked, string>> {
  const progress = createProgress(`unpacking ${kit}`, statSync(kit).size)
  const gunzip = createGunzip()
  const reading = pipeline(createReadStream(kit, { highWaterMark: 1 << 20 }), counting(progress), gunzip)
  // Its error is the error of what is read from it.
  reading.catch(() => {})
  const entries = Readable.toWeb(gunzip)
    .pipeThrough(createTarDecoder({ strict: true }) as never)
    .values() as AsyncIterator<Entry>
  try {
    const first = await next(entries)
    if (first?.header.name !== MANIFEST) return err(`this is not a kit: its first entry is not ${MANIFEST}`)
    if ((first.header.size ?? 0) > MOST) return err(`its ${MANIFEST} is too large`)
    const text = await new Response(first.body).text()
    const parsed = parseManifest(text)
    if (!parsed.ok) return parsed
    const manifest = parsed.value
    const problem = foreign(manifest, here)
    if (problem !== undefined) return err(problem)
    const folder = join(root, folderOf(manifest))
    const done = { manifest, folder, entry: join(folder, manifest.entry) }
    if (await isWhole(folder, text, manifest)) return ok({ ...done, already: true })
    const written = await writeAll(entries, manifest, temporary)
    if (!written.ok) return written
    const made = join(temporary, 'kit')
    for (const { path, target } of manifest.links) symlinkSync(target, prepared(made, path))
    await pipeline(Readable.from([text]), createWriteStream(prepared(made, MANIFEST)))
    settle(made, folder)
    return ok({ ...done, already: false })
  } finally {
    gunzip.destroy()
    progress.end()
  }
}

async function writeAll(
  entries: AsyncIterator<Entry>,
  { files }: Manifest,
  temporary: string,
): Promise<Result<void, string>> {
  const wanted = new Map(files.map((file) => [file.path, file]))
  for (let entry = await next(entries); entry; entry = await next(entries)) {
    const { name, type = 'file' } = entry.header
    const file = wanted.get(name)
    if (!file || type !== 'file')
      return err(`it contains ${JSON.stringify(name)}, which is not in ${MANIFEST}`)
    wanted.delete(name)
    const hash = createHash('sha256')
    const path = prepared(join(temporary, 'kit'), name)
    const target = createWriteStream(path, { flags: 'wx', mode: file.executable ? 0o755 : 0o644 })
    await pipeline(Readable.fromWeb(entry.body as never), hashing(hash), target)
    if (hash.digest('hex') !== file.sha256)
      return err(`${name} is damaged: its checksum differs. Copy the kit again`)
  }
  const [missing] = wanted.keys()
  return missing === undefined ? ok(undefined) : err(`${missing} is missing. Copy the kit again`)
}

// What the decompressor says, if anything, is its own code.
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const full = code === 'ENOSPC' || code === 'EACCES' || code === 'EROFS'
  return full
    ? message
    : `it is truncated, damaged or not a kit${message ? ` (${message})` : ''}. Copy it again`
}

async function next(entries: AsyncIterator<Entry>): Promise<Entry | undefined> {
  const { done, value } = await entries.next()
  return done ? undefined : value
}

const hashing = (hash: ReturnType<typeof createHash>): Transform =>
  new Transform({
    transform(chunk: Buffer, _, pass) {
      hash.update(chunk)
      pass(null, chunk)
    },
  })

function prepared(root: string, path: string): string {
  const full = join(root, path)
  mkdirSync(dirname(full), { recursive: true })
  return full
}

// Whether this very kit is in its place, and every file of it as it was.
async function isWhole(folder: string, text: string, { files }: Manifest): Promise<boolean> {
  try {
    if (readFileSync(join(folder, MANIFEST), 'utf8') !== text) return false
    for (const { path, sha256 } of files) {
      const hash = createHash('sha256')
      for await (const chunk of createReadStream(join(folder, path), { highWaterMark: 1 << 20 }))
        hash.update(chunk as Buffer)
      if (hash.digest('hex') !== sha256) return false
    }
    return true
  } catch {
    return false
  }
}
