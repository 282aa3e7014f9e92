// Which files a project consists of: all below the root of its repository that git does not ignore; without git all but packages and
// the folders of tools.

import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { readFolder } from '../../core/base/files/read-folder.ts'
import { readRegularFile } from '../../core/base/files/read-regular-file.ts'
import { readStats } from '../../core/base/files/read-stats.ts'
import { orNo, type RunGit } from '../../core/devserver/process/run-git.ts'

export interface FileList {
  /** Absolute paths. */
  readonly files: ReadonlySet<string>
  /** The folders in which a new file would belong to the project. */
  readonly folders: ReadonlySet<string>
  /** Whether there are no more. */
  readonly isComplete: boolean
}

export interface FileLister {
  list(): Promise<FileList>
  /** What lies in a folder that `isKnown` does not name, and that belongs to the project. */
  listNew(folder: string, isKnown: (path: string) => boolean): Promise<FileList>
}

const FILE_LIMIT = 20_000
const LIST_TIMEOUT_MS = 5000

/** The nearest folder above that is a repository, else the workspace that the folder is a part of, else the folder itself. */
export function findProjectRoot(folder: string): string {
  let workspace = folder
  for (let path = folder; ; path = dirname(path)) {
    if (isRepositoryFolder(path)) return path
    if (workspace === folder && isWorkspace(path)) workspace = path
    if (path === dirname(path)) return workspace
  }
}

/** `root` is the repository of `folder`, where the server was started. `isOutput` names the folders that Footlight writes. */
export function createFileLister(
  folder: string,
  root: string,
  git: RunGit,
  isOutput: (path: string) => boolean = () => false,
): FileLister {
  let isRepository = isRepositoryFolder(root)
  const isSkipped = (path: string) => isOutput(path) || SKIPPED_NAMES.has(basename(path))
  const walkFrom = (start: readonly string[]) =>
    walk(start, isSkipped, (paths) => withoutIgnored(root, paths, isRepository ? git : undefined))
  return {
    async list() {
      const listed = isRepository ? await listRepository(root, git, isOutput) : undefined
      // The folder itself may be ignored.
      const isUseful =
        listed && (folder === root || [...listed.files].some((path) => path.startsWith(folder + sep)))
      isRepository = isUseful === true
      const { files } = readEntries(folder, (path) => !isVariables(path))
      const own = isUseful
        ? { ...listed, files: new Set([...listed.files, ...files]) }
        : await walkFrom([listed ? folder : root])
      const linked = await walk(findLinks(root, own), isSkipped, async (paths) => new Set(paths))
      return limit(
        {
          files: new Set([...own.files, ...linked.files]),
          folders: new Set([...own.folders, ...linked.folders]),
          isComplete: own.isComplete && linked.isComplete,
        },
        folder,
      )
    },
    async listNew(path, isKnown) {
      const { files, folders } = readEntries(path, (entry) => isSkipped(entry) || isKnown(entry))
      const own = await withoutIgnored(root, [...files, ...folders], isRepository ? git : undefined)
      const below = await walkFrom(folders.filter((entry) => own.has(entry)))
      const all = [...files.filter((entry) => own.has(entry)), ...below.files]
      return { ...below, files: new Set(all) }
    },
  }
}

// --- internal ---

const SKIPPED_NAMES = new Set(['.git', '.hg', '.svn', 'node_modules', '.footlight'])
// Without git nothing says what is generated. These names are given by tools alone.
const GENERATED_NAMES = new Set(
  '.next .nuxt .output .svelte-kit .astro .angular .docusaurus .parcel-cache .turbo .cache .vite .nx .venv __pycache__ .pytest_cache'.split(
    ' ',
  ),
)

async function listRepository(
  root: string,
  git: RunGit,
  isOutput: (path: string) => boolean,
): Promise<FileList | undefined> {
  const list = (...options: string[]) =>
    git(root, ['ls-files', ...options, '--exclude-standard', '-z'], {
      signal: AbortSignal.timeout(LIST_TIMEOUT_MS),
    })
  const [content, untracked] = await Promise.all([list('-c', '-o'), list('-o', '--directory')])
  if (!content.ok || !untracked.ok) return undefined
  const pathsIn = (text: string) =>
    text
      .split('\0')
      .filter(Boolean)
      .map((path) => join(root, path))
  const files = new Set<string>()
  const folders = new Set([root])
  const addFolders = (path: string) => {
    for (let above = path; above.length > root.length && !folders.has(above); above = dirname(above))
      folders.add(above)
  }
  const nested: string[] = []
  for (const path of pathsIn(content.value)) {
    if (isOutput(path) || SKIPPED_PATTERN.test(path)) continue
    if (path.endsWith(sep) || isRepositoryFolder(path))
      nested.push(path.slice(0, path.endsWith(sep) ? -1 : undefined))
    else {
      files.add(path)
      addFolders(dirname(path))
    }
  }
  // Folders without a file that git lists: a new file may be put there.
  const empty = pathsIn(untracked.value).filter(
    (path) => path.endsWith(sep) && !isOutput(path) && !SKIPPED_PATTERN.test(path),
  )
  for (const path of empty.flatMap((top) => foldersBelow(top.slice(0, -1)))) addFolders(path)
  for (const path of nested) {
    const inner = await listRepository(path, git, isOutput)
    inner?.files.forEach((file) => files.add(file))
    inner?.folders.forEach((folder) => folders.add(folder))
  }
  return { files, folders, isComplete: true }
}

const SKIPPED_PATTERN = /[\\/](node_modules|\.footlight)([\\/]|$)/
const isRepositoryFolder = (path: string): boolean => existsSync(join(path, '.git'))

function isWorkspace(path: string): boolean {
  if (existsSync(join(path, 'pnpm-workspace.yaml'))) return true
  return readRegularFile(join(path, 'package.json'))?.includes('"workspaces"') === true
}

const FOLDER_LIMIT = 2000

function foldersBelow(top: string): string[] {
  const entries = [top]
  for (let index = 0; index < entries.length && entries.length < FOLDER_LIMIT; index += 1)
    entries.push(...readEntries(entries[index] ?? '', (path) => SKIPPED_NAMES.has(basename(path))).folders)
  return entries
}

/** All below the folders, level by level. `keep` answers which of these paths belong to the project. */
async function walk(
  start: readonly string[],
  isSkipped: (path: string) => boolean,
  keep: (paths: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<FileList> {
  const files = new Set<string>()
  const folders = new Set(start)
  for (let level: readonly string[] = start; level.length > 0;) {
    const entries = level.map((path) => readEntries(path, isSkipped))
    const own = await keep(entries.flatMap((entry) => [...entry.files, ...entry.folders]))
    for (const path of entries.flatMap((entry) => entry.files)) if (own.has(path)) files.add(path)
    level = entries.flatMap((entry) => entry.folders).filter((path) => own.has(path))
    for (const path of level) folders.add(path)
    if (files.size + folders.size > FILE_LIMIT) return { files, folders, isComplete: false }
  }
  return { files, folders, isComplete: true }
}

function readEntries(
  folder: string,
  isSkipped: (path: string) => boolean,
): { files: string[]; folders: string[] } {
  const entries = { files: [] as string[], folders: [] as string[] }
  for (const entry of readFolder(folder)) {
    const path = join(folder, entry.name)
    if (isSkipped(path)) continue
    if (entry.isDirectory()) entries.folders.push(path)
    else if (entry.isFile() || (entry.isSymbolicLink() && isFileLink(path))) entries.files.push(path)
  }
  return entries
}

/** The folders of elsewhere that are linked into the project, and so are a part of it. */
function findLinks(root: string, { files, folders }: FileList): string[] {
  const isOwn = (path: string) => `${realpathSync(path)}${sep}`.startsWith(`${realpathSync(root)}${sep}`)
  const links = [...folders].flatMap((folder) =>
    readFolder(folder).flatMap((entry) => (entry.isSymbolicLink() ? join(folder, entry.name) : [])),
  )
  const own = links.filter((path) => files.has(path) || !isRepositoryFolder(root))
  return own.filter(
    (path) => !SKIPPED_NAMES.has(basename(path)) && readStats(path)?.isDirectory() === true && !isOwn(path),
  )
}

const isFileLink = (path: string): boolean => readStats(path)?.isFile() === true

/** Those of the paths that git does not ignore; without git those that no tool generates. */
async function withoutIgnored(
  root: string,
  paths: readonly string[],
  git: RunGit | undefined,
): Promise<ReadonlySet<string>> {
  if (!git || paths.length === 0) return new Set(paths.filter((path) => !GENERATED_NAMES.has(basename(path))))
  const names = paths.map((path) => relative(root, path).replaceAll(sep, '/'))
  const signal = AbortSignal.timeout(LIST_TIMEOUT_MS)
  const input = names.join('\0')
  const answer = orNo(await git(root, ['check-ignore', '-z', '--stdin'], { signal, input }))
  // Where git does not tell, a file too many is looked at.
  const ignored = new Set(answer.ok ? answer.value?.split('\0') : [])
  return new Set(paths.filter((path, index) => isVariables(path) || !ignored.has(names[index] ?? '')))
}

// Git often ignores them, and pages show what they contain.
const isVariables = (path: string): boolean => /^\.env(\.|$)/.test(basename(path))

/** What lies in the folder of the server comes first. */
function limit(list: FileList, folder: string): FileList {
  if (list.files.size <= FILE_LIMIT) return list
  const isNear = (path: string) => path.startsWith(folder + sep)
  const sorted = [...[...list.files].filter(isNear), ...[...list.files].filter((path) => !isNear(path))]
  const files = new Set(sorted.slice(0, FILE_LIMIT))
  const folders = new Set([...list.folders].filter((path) => isNear(path + sep)))
  return { files, folders, isComplete: false }
}
