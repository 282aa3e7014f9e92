// `browsers pack`: the browser that would be used here, with the libraries it needs, as one file for a machine without a network.

import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, posix, relative, sep } from 'node:path'
import process from 'node:process'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { packTar, type TarSource } from 'modern-tar/fs'
import { KIT_LAYOUT } from '../../core/browser/process/kit-folders.ts'
import { countBytes, createProgress } from '../../core/cli/terminal/progress.ts'
import {
  digestFile,
  fontConfig,
  isLinkInside,
  type Manifest,
  MANIFEST_FILE,
  startScript,
} from './kit-manifest.ts'
import { isElf, resolveLibraries } from './shared-libraries.ts'

interface PackedKit {
  readonly manifest: Manifest
  /** Of the files within, and of the archive. */
  readonly unpackedBytes: number
  readonly archiveBytes: number
  readonly missing: readonly string[]
}

interface PackRequest {
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
  const files: Manifest['files'] = []
  for (const content of contents.files) {
    const { size, sha256 } = await digest(content)
    files.push({ path: content.path, size, executable: content.executable, sha256 })
  }
  const manifest: Manifest = {
    format: 1,
    browser,
    shell: /headless[-_]shell/.test(browserFolder.program),
    version,
    platform: process.platform,
    arch: process.arch,
    glibc: contents.glibc,
    entry: contents.entry,
    files,
    links: [...contents.links],
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const manifestText = `${JSON.stringify(manifest, null, 1)}\n`
  const sources: TarSource[] = [
    { type: 'content', target: MANIFEST_FILE, content: manifestText, mode: 0o644 },
    ...contents.files.map(tarSourceOf),
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

async function digest({ from }: KitFile): Promise<{ sha256: string; size: number }> {
  if ('file' in from) return digestFile(from.file)
  const sha256 = createHash('sha256').update(from.text).digest('hex')
  return { sha256, size: Buffer.byteLength(from.text) }
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

// What goes into a kit: every file with the path that it gets there.
interface KitFile {
  readonly path: string
  readonly executable: boolean
  readonly from: { readonly file: string } | { readonly text: string }
}

interface KitContents {
  readonly entry: string
  readonly files: readonly KitFile[]
  readonly links: readonly { path: string; target: string }[]
  /** Libraries that this machine does not have either. */
  readonly missing: readonly string[]
  readonly glibc: string | undefined
}

/** The folder a browser lives in, and its program there: links and the distributions' start scripts are followed. */
function findBrowserFolder(executable: string): { folder: string; program: string } {
  const real = realpathSync(executable)
  const bundle = /^(.*)[/\\][^/\\]+\.app[/\\]/.exec(real)
  if (bundle?.[1] !== undefined) return { folder: bundle[1], program: relative(bundle[1], real) }
  const startedProgram = process.platform === 'linux' && !isElf(real) ? findStartedProgram(real) : undefined
  const program = startedProgram ? realpathSync(startedProgram) : real
  return { folder: dirname(program), program: basename(program) }
}

/** All that a kit of this browser holds. */
function collectKitContents({ folder, program }: { folder: string; program: string }): KitContents {
  const appBundle = /^[^/\\]+\.app(?=[/\\])/.exec(program)?.[0]
  const { files, links } = collectFiles(
    folder,
    appBundle ?? '',
    (path) => chromiumBuilds.has(path) && path !== program,
  )
  const entry = posix.join(KIT_LAYOUT.browser, program.replaceAll(sep, '/'))
  if (process.platform !== 'linux') return { entry, files, links, missing: [], glibc: undefined }
  const programs = files.flatMap(({ from }) => ('file' in from && isElf(from.file) ? [from.file] : []))
  const libraries = resolveLibraries([join(folder, program), ...programs], folder)
  const libraryFiles = [...libraries.files].map(([path, file]) => ({
    path: `lib/${path}`,
    executable: false,
    from: { file },
  }))
  const startScriptFile = { path: KIT_LAYOUT.start, executable: true, from: { text: startScript(program) } }
  const allFiles = [startScriptFile, ...files, ...libraryFiles, ...listFontFiles()]
  return { ...libraries, entry: KIT_LAYOUT.start, files: allFiles, links }
}

// Debian keeps both builds in one folder, and one of them is a quarter of a gigabyte that the other never reads.
const chromiumBuilds = new Set(['chromium', 'chromium-headless-shell'])

// A link within the folder stays one; what a link brings in from elsewhere is taken as if it lay there.
function collectFiles(root: string, start: string, skip: (path: string) => boolean) {
  const files: KitFile[] = []
  const links: { path: string; target: string }[] = []
  const toKitPath = (path: string) => posix.join(KIT_LAYOUT.browser, path.replaceAll(sep, '/'))
  const addPath = (path: string, link: boolean): void => {
    const full = join(root, path)
    if (skip(path) || !existsSync(full)) return
    const target = link ? readlinkSync(full).replaceAll(sep, '/') : ''
    if (link && isLinkInside(path.replaceAll(sep, '/'), target))
      return void links.push({ path: toKitPath(path), target })
    const stat = statSync(full)
    if (stat.isFile())
      files.push({ path: toKitPath(path), executable: (stat.mode & 0o111) !== 0, from: { file: full } })
    if (!stat.isDirectory()) return
    for (const entry of readdirSync(full, { withFileTypes: true }))
      addPath(join(path, entry.name), entry.isSymbolicLink())
  }
  addPath(start, false)
  return { files, links }
}

// The start scripts of the distributions name the program whole, or by variables, or it lies beside them.
function findStartedProgram(startScriptFile: string): string | undefined {
  const text = readFileSync(startScriptFile, 'utf8')
  const lines = [...text.matchAll(/^(\w+)=["']?([^\s"']+)/gm)]
  const values = new Map(lines.map(([, key = '', value = '']) => [key, value]))
  const expandVariables = (part: string) =>
    part.replace(/\$\{?(\w+)\}?/g, (whole, key: string) => values.get(key) ?? whole)
  const matches = [
    ...expandVariables(expandVariables(text)).matchAll(
      /(?:^|[\s"'=])(\/(?:usr\/lib(?:64)?|opt)\/[\w./-]+)/gm,
    ),
  ]
  return [...matches.map((match) => match[1] ?? ''), join(dirname(startScriptFile), 'chrome')].find(isElf)
}

// One font, so that a machine without any shows text at all.
function listFontFiles(): KitFile[] {
  const file = ['dejavu/DejaVuSans.ttf', 'liberation/LiberationSans-Regular.ttf', 'noto/NotoSans-Regular.ttf']
    .flatMap((name) =>
      ['/usr/share/fonts/truetype', '/usr/share/fonts', '/usr/share/fonts/TTF'].map((folder) =>
        join(folder, name),
      ),
    )
    .find((path) => existsSync(path))
  if (file === undefined) return []
  return [
    { path: `fonts/${basename(file)}`, executable: false, from: { file } },
    { path: 'fonts/fonts.conf', executable: false, from: { text: fontConfig } },
  ]
}
