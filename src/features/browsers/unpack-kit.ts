// `browsers unpack`: nothing of a kit comes into its place before all of it was checked. Only what kit.json names is written, and only
// as plain files; the archive itself cannot say where anything goes.

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { createTarDecoder } from 'modern-tar'
import { removeFolder } from '../../core/base/files/remove-folder.ts'
import { err, ok, type Result } from '../../core/base/result.ts'
import { countBytes, createProgress } from '../../core/cli/terminal/progress.ts'
import {
  digestFile,
  findIncompatibility,
  kitFolderName,
  type Machine,
  type Manifest,
  MANIFEST_FILE,
  parseManifest,
} from './kit-manifest.ts'
import { createStagingFolder, moveIntoPlace } from './staging-folder.ts'

export interface UnpackedKit {
  readonly manifest: Manifest
  readonly folder: string
  /** What is started. */
  readonly entry: string
  /** Whether it was there already, whole. */
  readonly wasUnpacked: boolean
}

/** Longer than any manifest; what claims more is none. */
const MANIFEST_LIMIT_BYTES = 16 * 1024 * 1024

/** Unpacks into a folder of its own within `root`. Errors are sentences. */
export async function unpackKit(
  kit: string,
  root: string,
  machine: Machine,
): Promise<Result<UnpackedKit, string>> {
  const temporary = createStagingFolder(root)
  try {
    return await unpackInto(kit, root, temporary, machine)
  } catch (error) {
    return err(reasonOf(error))
  } finally {
    removeFolder(temporary)
  }
}

// --- internal ---

type Entry = { header: { name: string; type?: string; size?: number }; body: ReadableStream<Uint8Array> }

async function unpackInto(
  kit: string,
  root: string,
  temporary: string,
  machine: Machine,
): Promise<Result<UnpackedKit, string>> {
  const progress = createProgress(`unpacking ${kit}`, statSync(kit).size)
  const gunzip = createGunzip()
  const reading = pipeline(createReadStream(kit, { highWaterMark: 1 << 20 }), countBytes(progress), gunzip)
  // Its error is the error of what is read from it.
  reading.catch(() => {})
  const entries = Readable.toWeb(gunzip)
    .pipeThrough(createTarDecoder({ strict: true }) as never)
    .values() as AsyncIterator<Entry>
  try {
    const first = await nextEntry(entries)
    if (first?.header.name !== MANIFEST_FILE)
      return err(`this is not a kit: its first entry is not ${MANIFEST_FILE}`)
    if ((first.header.size ?? 0) > MANIFEST_LIMIT_BYTES) return err(`its ${MANIFEST_FILE} is too large`)
    const text = await new Response(first.body).text()
    const parseResult = parseManifest(text)
    if (!parseResult.ok) return parseResult
    const manifest = parseResult.value
    const incompatibility = findIncompatibility(manifest, machine)
    if (incompatibility !== undefined) return err(incompatibility)
    const folder = join(root, kitFolderName(manifest))
    const unpackedKit = { manifest, folder, entry: join(folder, manifest.entry) }
    if (await isIntact(folder, text, manifest)) return ok({ ...unpackedKit, wasUnpacked: true })
    const result = await writeFiles(entries, manifest, temporary)
    if (!result.ok) return result
    const kitFolder = join(temporary, 'kit')
    for (const { path, target } of manifest.links) symlinkSync(target, prepareParent(kitFolder, path))
    await pipeline(Readable.from([text]), createWriteStream(prepareParent(kitFolder, MANIFEST_FILE)))
    moveIntoPlace(kitFolder, folder)
    return ok({ ...unpackedKit, wasUnpacked: false })
  } finally {
    gunzip.destroy()
    progress.end()
  }
}

async function writeFiles(
  entries: AsyncIterator<Entry>,
  { files }: Manifest,
  temporary: string,
): Promise<Result<void, string>> {
  const expectedFiles = new Map(files.map((file) => [file.path, file]))
  for (let entry = await nextEntry(entries); entry; entry = await nextEntry(entries)) {
    const { name, type = 'file' } = entry.header
    const file = expectedFiles.get(name)
    if (!file || type !== 'file')
      return err(`it contains ${JSON.stringify(name)}, which is not in ${MANIFEST_FILE}`)
    expectedFiles.delete(name)
    const hash = createHash('sha256')
    const path = prepareParent(join(temporary, 'kit'), name)
    const target = createWriteStream(path, { flags: 'wx', mode: file.executable ? 0o755 : 0o644 })
    await pipeline(Readable.fromWeb(entry.body as never), hashBytes(hash), target)
    if (hash.digest('hex') !== file.sha256)
      return err(`${name} is damaged: its checksum differs. Copy the kit again`)
  }
  const [missing] = expectedFiles.keys()
  return missing === undefined ? ok(undefined) : err(`${missing} is missing. Copy the kit again`)
}

// What the decompressor says, if anything, is its own code.
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const isFileSystemError = code === 'ENOSPC' || code === 'EACCES' || code === 'EROFS'
  return isFileSystemError
    ? message
    : `it is truncated, damaged or not a kit${message ? ` (${message})` : ''}. Copy it again`
}

async function nextEntry(entries: AsyncIterator<Entry>): Promise<Entry | undefined> {
  const { done, value } = await entries.next()
  return done ? undefined : value
}

const hashBytes = (hash: ReturnType<typeof createHash>): Transform =>
  new Transform({
    transform(chunk: Buffer, _, pass) {
      hash.update(chunk)
      pass(null, chunk)
    },
  })

function prepareParent(root: string, path: string): string {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  return file
}

// Whether this very kit is in its place, and every file of it as it was.
async function isIntact(folder: string, text: string, { files }: Manifest): Promise<boolean> {
  try {
    if (readFileSync(join(folder, MANIFEST_FILE), 'utf8') !== text) return false
    for (const { path, sha256 } of files)
      if ((await digestFile(join(folder, path))).sha256 !== sha256) return false
    return true
  } catch {
    return false
  }
}
