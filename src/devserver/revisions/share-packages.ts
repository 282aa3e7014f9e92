// Links the packages of the work tree into a checkout: git does not know them, and they take minutes to install.

import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import process from 'node:process'
import { readRegularFile } from './read-regular-file.ts'
import { isBelow } from '../../runtime/files/workspace-roots.ts'

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
/** What a tool builds there from the sources of one version. */
const CACHE_NAME =
  /^\.(vite|vite-temp|cache|tmp|parcel-cache|angular|astro|nuxt|nitro|vitest|yarn-integrity)$/

interface Trees {
  /** Real paths. */
  readonly workTree: string
  readonly checkout: string
}

/** Links the packages of these folders, which are relative to both. Returns the lock files that are not the same in both. */
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
  return shared.flatMap((folder) =>
    LOCK_FILES.map((name) => join(folder, name)).filter(
      (path) => readLock(trees.workTree, path) !== readLock(trees.checkout, path),
    ),
  )
}

// --- internal ---

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

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

const LOCK_LIMIT_BYTES = 50_000_000

const readLock = (root: string, path: string): string => {
  try {
    return readRegularFile(join(root, path), root, LOCK_LIMIT_BYTES)?.toString('latin1') ?? ''
  } catch {
    return ''
  }
}
