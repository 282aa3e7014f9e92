// `browsers pack`: the browser that would be used here, with the libraries it needs, as one file for a machine without a network.

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, renameSync, rmSync, statSync } from 'node:fs'
import process from 'node:process'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { packTar, type TarSource } from 'modern-tar/fs'
import { collectKitContents, findBrowserFolder, type KitFile } from './kit-contents.ts'
import { MANIFEST_FILE, type Manifest } from './kit-manifest.ts'
import { countBytes, createProgress } from './progress.ts'

export interface PackedKit {
  readonly manifest: Manifest
  /** Of the files within, and of the archive. */
  readonly unpackedBytes: number
  readonly archiveBytes: number
  readonly missing: readonly string[]
}

export interface PackRequest {
  readonly browser: 'chromium' | 'firefox'
  readonly executable: string
  readonly version: string
  readonly out: string
}

/** Writes the archive beside its place and renames it. Rejects with what the file system says. */
export async function packKit({ browser, executable, version, out }: PackRequest): Promise<PackedKit> {
  const browserFolder = findBrowserFolder(executable)
  // A snap or a flatpak is started by a program that lives among all others.
  if (/^\/(usr\/)?(local\/)?s?bin$|^\/snap\/bin$/.test(browserFolder.folder))
    throw new Error(
      `${executable} is not in a folder of its own but in ${browserFolder.folder}; pass the real program as --executable-path`,
    )
  const contents = collectKitContents(browserFolder)
  const files = []
  for (const content of contents.files) files.push({ ...content, ...(await digestFile(content)) })
  const manifest: Manifest = {
    format: 1,
    browser,
    shell: /headless[-_]shell/.test(browserFolder.program),
    version,
    platform: process.platform,
    arch: process.arch,
    ...(contents.glibc !== undefined && { glibc: contents.glibc }),
    entry: contents.entry,
    files: files.map(({ path, size, executable: isExecutable, sha256 }) => ({
      path,
      size,
      executable: isExecutable,
      sha256,
    })),
    links: [...contents.links],
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const sources: TarSource[] = [
    {
      type: 'content',
      target: MANIFEST_FILE,
      content: `${JSON.stringify(manifest, null, 1)}\n`,
      mode: 0o644,
    },
    ...files.map(tarSourceOf),
  ]
  const temporaryFile = `${out}.part`
  const progress = createProgress(`packing ${browser} ${version}`, bytes)
  try {
    await pipeline(
      packTar(sources),
      countBytes(progress),
      createGzip({ level: 5 }),
      createWriteStream(temporaryFile),
    )
    progress.end()
    renameSync(temporaryFile, out)
  } finally {
    rmSync(temporaryFile, { force: true })
  }
  return { manifest, unpackedBytes: bytes, archiveBytes: statSync(out).size, missing: contents.missing }
}

// --- internal ---

async function digestFile({ from }: KitFile): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256')
  if ('text' in from)
    return { sha256: hash.update(from.text).digest('hex'), size: Buffer.byteLength(from.text) }
  let size = 0
  for await (const chunk of createReadStream(from.file, { highWaterMark: 1 << 20 })) {
    hash.update(chunk as Buffer)
    size += (chunk as Buffer).length
  }
  return { sha256: hash.digest('hex'), size }
}

function tarSourceOf({ path, executable, from }: KitFile): TarSource {
  const common = { target: path, mode: executable ? 0o755 : 0o644, mtime: new Date(0) }
  return 'text' in from
    ? { ...common, type: 'content', content: from.text }
    : {
        ...common,
        type: 'stream',
        content: createReadStream(from.file, { highWaterMark: 1 << 20 }),
        size: statSync(from.file).size,
      }
}
