// What goes into a kit: every file with the path that it gets there.

import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, posix, relative, sep } from 'node:path'
import process from 'node:process'
import { KIT_LAYOUT } from '../../browser/find/kit-folders.ts'
import { isElf, librariesOf } from './libraries.ts'
import { fontConfig, startScript, staysInside } from './manifest.ts'

export interface Content {
  readonly path: string
  readonly executable: boolean
  readonly from: { readonly file: string } | { readonly text: string }
}

export interface Contents {
  readonly entry: string
  readonly files: readonly Content[]
  readonly links: readonly { path: string; target: string }[]
  /** Libraries that this machine does not have either. */
  readonly missing: readonly string[]
  readonly glibc: string | undefined
}

/** The folder a browser lives in, and its program there: links and the distributions' start scripts are followed. */
export function homeOf(executable: string): { folder: string; program: string } {
  const real = realpathSync(executable)
  const bundle = /^(.*)[/\\][^/\\]+\.app[/\\]/.exec(real)
  if (bundle?.[1] !== undefined) return { folder: bundle[1], program: relative(bundle[1], real) }
  const started = process.platform === 'linux' && !isElf(real) ? startedBy(real) : undefined
  const program = started ? realpathSync(started) : real
  return { folder: dirname(program), program: basename(program) }
}

/** All that a kit of this browser holds. */
export function contentsOf({ folder, program }: { folder: string; program: string }): Contents {
  const only = /^[^/\\]+\.app(?=[/\\])/.exec(program)?.[0]
  const { files, links } = walk(folder, only ?? '', (path) => twins.has(path) && path !== program)
  const entry = posix.join(KIT_LAYOUT.browser, program.replaceAll(sep, '/'))
  if (process.platform !== 'linux') return { entry, files, links, missing: [], glibc: undefined }
  const programs = files.flatMap(({ from }) => ('file' in from && isElf(from.file) ? [from.file] : []))
  const libraries = librariesOf([join(folder, program), ...programs], folder)
  const own = [...libraries.files].map(([path, file]) => ({
    path: `lib/${path}`,
    executable: false,
    from: { file },
  }))
  const script = { path: KIT_LAYOUT.start, executable: true, from: { text: startScript(program) } }
  const { missing, glibc } = libraries
  return { entry: KIT_LAYOUT.start, files: [script, ...files, ...own, ...fonts()], links, missing, glibc }
}

// --- internal ---

// Debian keeps both builds in one folder, and one of them is a quarter of a gigabyte that the other never reads.
const twins = new Set(['chromium', 'chromium-headless-shell'])

type Found = { files: Content[]; links: { path: string; target: string }[] }

// A link within the folder stays one; what a link brings in from elsewhere is taken as if it lay there.
function walk(root: string, at: string, skip: (path: string) => boolean): Found {
  const found: Found = { files: [], links: [] }
  const inKit = (path: string) => posix.join(KIT_LAYOUT.browser, path.replaceAll(sep, '/'))
  const request = (path: string, link: boolean): void => {
    const full = join(root, path)
    if (skip(path) || !existsSync(full)) return
    const target = link ? readlinkSync(full).replaceAll(sep, '/') : ''
    if (link && staysInside(path.replaceAll(sep, '/'), target))
      return void found.links.push({ path: inKit(path), target })
    const stat = statSync(full)
    if (stat.isFile())
      found.files.push({ path: inKit(path), executable: (stat.mode & 0o111) !== 0, from: { file: full } })
    if (!stat.isDirectory()) return
    for (const entry of readdirSync(full, { withFileTypes: true }))
      request(join(path, entry.name), entry.isSymbolicLink())
  }
  request(at, false)
  return found
}

// The start scripts of the distributions name the program whole, or by variables, or it lies beside them.
function startedBy(script: string): string | undefined {
  const text = readFileSync(script, 'utf8')
  const lines = [...text.matchAll(/^(\w+)=["']?([^\s"']+)/gm)]
  const values = new Map(lines.map(([, key = '', value = '']) => [key, value]))
  const filled = (part: string) =>
    part.replace(/\$\{?(\w+)\}?/g, (whole, key: string) => values.get(key) ?? whole)
  const named = [...filled(filled(text)).matchAll(/(?:^|[\s"'=])(\/(?:usr\/lib(?:64)?|opt)\/[\w./-]+)/gm)]
  return [...named.map((match) => match[1] ?? ''), join(dirname(script), 'chrome')].find(isElf)
}

// One font, so that a machine without any shows text at all.
function fonts(): Content[] {
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
