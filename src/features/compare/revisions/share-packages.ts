// Links the packages of the work tree into a checkout: git does not know them, and they take minutes to install.

import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import process from 'node:process'
import { readFileBelow } from '../../../core/base/files/read-regular-file.ts'
import { isFolder } from '../../../core/base/files/read-stats.ts'
import { isBelow } from '../../../core/base/files/workspace-roots.ts'
import { listFolder } from '../../../core/base/system/proc-files.ts'

const PACKAGE_FOLDER = 'node_modules'
/** Packages of other languages, in the top folder. */
const OTHER_FOLDERS = ['.venv', 'venv', 'vendor']
const LOCK_FILES = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
]
/** Those of the packages in OTHER_FOLDERS, or beside all folders. */
const OTHER_LOCK_FILES = ['composer.lock', 'requirements.txt', 'poetry.lock', 'uv.lock', 'Pipfile.lock']
const ENVIRONMENT_NAME = /^\.(env(\..+)?|dev\.vars)$/
/** What a tool builds there from the sources of one version. */
const CACHE_NAME =
  /^\.(vite|vite-temp|cache|tmp|parcel-cache|angular|astro|nuxt|nitro|vitest|yarn-integrity)$/

interface Trees {
  /** Real paths. */
  readonly workTree: string
  readonly checkout: string
}

/** Links the packages of these folders, which are relative to both. Returns the files that name other packages in one of them. */
export function sharePackages(trees: Trees, folders: readonly string[]): readonly string[] {
  const shared = folders.filter((folder) => {
    const [source, target] = [
      join(trees.workTree, folder, PACKAGE_FOLDER),
      join(trees.checkout, folder, PACKAGE_FOLDER),
    ]
    if (!isFolder(source) || isThere(target) || leavesTree(dirname(source), trees)) return false
    linkEntries(source, target, trees)
    return true
  })
  for (const name of OTHER_FOLDERS) {
    const [source, target] = [join(trees.workTree, name), join(trees.checkout, name)]
    if (existsSync(source) && !isThere(target)) link(source, target)
  }
  return [
    ...shared.flatMap((folder) => differentPackages(folder, trees)),
    ...differentIn('.', OTHER_LOCK_FILES, trees),
  ]
}

/** The files with variables that only the work tree has. */
export const findMissingEnvironment = (
  { workTree, checkout }: Trees,
  folders: readonly string[],
): readonly string[] =>
  folders.flatMap((folder) =>
    listFolder(join(workTree, folder))
      .filter((name) => ENVIRONMENT_NAME.test(name))
      .map((name) => join(folder, name))
      .filter((path) => !isThere(join(checkout, path))),
  )

// --- internal ---

// Where there is a lock file that differs, package.json says no more.
function differentPackages(folder: string, trees: Trees): readonly string[] {
  const locks = differentIn(folder, LOCK_FILES, trees)
  return locks.length > 0 ? locks : differentIn(folder, ['package.json'], trees)
}

const differentIn = (folder: string, names: readonly string[], { workTree, checkout }: Trees) =>
  names
    .map((name) => join(folder, name))
    .filter((path) => {
      const [own, other] = [readList(workTree, path), readList(checkout, path)]
      return own !== other && packagesOf(path, own) !== packagesOf(path, other)
    })

/** What a file says of packages: without the version of the project itself, and of package.json the packages alone. */
function packagesOf(path: string, text: string): string {
  if (!path.endsWith('.json')) return text
  try {
    const { version: _, name: __, packages, dependencies, ...rest } = JSON.parse(text)
    if (packages?.[''] !== undefined) packages[''].version = packages[''].name = undefined
    const { devDependencies, optionalDependencies, overrides, resolutions, pnpm } = rest
    return JSON.stringify([
      packages,
      dependencies,
      devDependencies,
      optionalDependencies,
      overrides,
      resolutions,
      pnpm,
    ])
  } catch {
    return text
  }
}

// A link that leads nowhere is there too.
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** Whether a folder of the work tree became a link that leads elsewhere. */
const leavesTree = (folder: string, { workTree }: Trees): boolean => !isBelow(realpathSync(folder), workTree)

// The folder itself is no link, so that each version has caches of its own.
function linkEntries(source: string, target: string, trees: Trees): void {
  mkdirSync(target)
  for (const name of readdirSync(source)) {
    const path = join(source, name)
    if (CACHE_NAME.test(name)) continue
    if (name.startsWith('@') && lstatSync(path).isDirectory()) linkEntries(path, join(target, name), trees)
    else link(ownPackageOf(path, trees) ?? path, join(target, name))
  }
}

// A package of the repository itself is that of the checkout.
function ownPackageOf(path: string, { workTree, checkout }: Trees): string | undefined {
  if (!lstatSync(path).isSymbolicLink() || !existsSync(path)) return undefined
  const inside = relative(workTree, realpathSync(path))
  if (inside.startsWith('..') || inside.split(sep).includes(PACKAGE_FOLDER)) return undefined
  const own = join(checkout, inside)
  return existsSync(own) ? own : undefined
}

function link(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  symlinkSync(source, target, process.platform === 'win32' ? 'junction' : null)
}

const LIST_LIMIT_BYTES = 50_000_000

const readList = (root: string, path: string): string =>
  readFileBelow(join(root, path), root, LIST_LIMIT_BYTES)?.toString('latin1') ?? ''
