// What goes into a kit: every file with the path that it gets there.

import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, posix, relative, sep } from 'node:path'
import process from 'node:process'
import { KIT_LAYOUT } from '../../browser/find/kit-folders.ts'
import { isElf, resolveLibraries } from './shared-libraries.ts'
import { fontConfig, startScript, isLinkInside } from './kit-manifest.ts'

export interface KitFile {
  readonly path: string
  readonly executable: boolean
  readonly from: { readonly file: string } | { readonly text: string }
}

export interface KitContents {
  readonly entry: string
  readonly files: readonly KitFile[]
  readonly links: readonly { path: string; target: string }[]
  /** Libraries that this machine does not have either. */
  readonly missing: readonly string[]
  readonly glibc: string | undefined
}

/** The folder a browser lives in, and its program there: links and the distributions' start scripts are followed. */
export function findBrowserFolder(executable: string): { folder: string; program: string } {
  const real = realpathSync(executable)
  const bundle = /^(.*)[/\\][^/\\]+\.app[/\\]/.exec(real)
  if (bundle?.[1] !== undefined) return { folder: bundle[1], program: relative(bundle[1], real) }
  const startedProgram = process.platform === 'linux' && !isElf(real) ? findStartedProgram(real) : undefined
  const program = startedProgram ? realpathSync(startedProgram) : real
  return { folder: dirname(program), program: basename(program) }
}

/** All that a kit of this browser holds. */
export function collectKitContents({ folder, program }: { folder: string; program: string }): KitContents {
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
  const { missing, glibc } = libraries
  return {
    entry: KIT_LAYOUT.start,
    files: [startScriptFile, ...files, ...libraryFiles, ...listFontFiles()],
    links,
    missing,
    glibc,
  }
}

// --- internal ---

// Debian keeps both builds in one folder, and one of them is a quarter of a gigabyte that the other never reads.
const chromiumBuilds = new Set(['chromium', 'chromium-headless-shell'])

type CollectedFiles = { files: KitFile[]; links: { path: string; target: string }[] }

// A link within the folder stays one; what a link brings in from elsewhere is taken as if it lay there.
function collectFiles(root: string, start: string, skip: (path: string) => boolean): CollectedFiles {
  const contents: CollectedFiles = { files: [], links: [] }
  const toKitPath = (path: string) => posix.join(KIT_LAYOUT.browser, path.replaceAll(sep, '/'))
  const addPath = (path: string, link: boolean): void => {
    const full = join(root, path)
    if (skip(path) || !existsSync(full)) return
    const target = link ? readlinkSync(full).replaceAll(sep, '/') : ''
    if (link && isLinkInside(path.replaceAll(sep, '/'), target))
      return void contents.links.push({ path: toKitPath(path), target })
    const stat = statSync(full)
    if (stat.isFile())
      contents.files.push({
        path: toKitPath(path),
        executable: (stat.mode & 0o111) !== 0,
        from: { file: full },
      })
    if (!stat.isDirectory()) return
    for (const entry of readdirSync(full, { withFileTypes: true }))
      addPath(join(path, entry.name), entry.isSymbolicLink())
  }
  addPath(start, false)
  return contents
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
