// Stores results that are too large for a response, and checks the paths that an agent names. Each session has its own folder in the output
// directory, created with its first file. A name that exists already gets a number; nothing is overwritten.

import { constants } from 'node:fs'
import { lstat, mkdir, readdir, realpath, rm } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { type Failure, invalidParameter, type Outcome } from '../failure.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { err, map, ok } from '../result.ts'
import { sanitizeFileName } from '../text/clip.ts'
import type { Artifact, CreateOptions, Files, Folder } from './files.ts'
import { isFolderWatched } from './folder-watches.ts'
import { createNewFile, replaceFile, withFile } from './kept-files.ts'
import { openDocument } from './open-document.ts'
import {
  diskFailure,
  openFolder,
  openOutputFolder,
  resolveOutputFolder,
  symlinkFailure,
} from './output-folder.ts'
import { resourceUriOf } from './resource-uri.ts'
import { findWorkspaceFolder, isBelow, resolveRealPath } from './workspace-roots.ts'

export function createFiles(outputDir: string): Files {
  const output = resolve(outputDir)
  const cwd = resolveRealPath(process.cwd())
  // A server that was started in the home folder or the root of a disk has no workspace.
  const workspace = findWorkspaceFolder()
  const findRoots = async (): Promise<string[]> =>
    [await resolveOutputFolder(output), workspace].filter((root) => root !== undefined)

  const resolveAllowed = async (path: string): Promise<Outcome<string>> => {
    const real = await realpath(path).catch(() => undefined)
    if (real === undefined) return err(invalidPath(path, 'an existing file', 'no such file'))
    const roots = await findRoots()
    return roots.some((root) => isBelow(real, root)) ? ok(real) : err(pathDenied(path, roots))
  }
  const read = async (path: string): Promise<Outcome<Uint8Array>> => {
    const real = await resolveAllowed(resolve(cwd, path))
    if (!real.ok) return real
    return readAllowed(real.value, path)
  }
  return {
    folder: (session) => createFolder(output, session),
    find: (path) => resolveAllowed(resolve(cwd, path)),
    findRunnable: async (path) => denyOutput(await resolveAllowed(resolve(cwd, path)), output),
    filesBelow,
    openDocument,
    read,
    async readIfExists(path) {
      const isMissing = await lstat(resolve(cwd, path)).then(
        () => false,
        (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
      )
      return isMissing ? ok(undefined) : read(path)
    },
    resolve: (path) => resolve(cwd, path),
    async findAbove(path, names) {
      const target = resolve(cwd, path)
      const paths = foldersAbove(target).flatMap((folder) => names.map((name) => join(folder, name)))
      for (const candidate of paths) {
        const real = await resolveAllowed(candidate)
        if (real.ok) return real.value
      }
      return undefined
    },
    async checkNew(path) {
      const folder = await resolveAllowed(await findExistingFolder(dirname(resolve(cwd, path))))
      return map(folder, () => undefined)
    },
    async create(path, bytes, { createsFolders = false, isShared = false, replaces } = {}) {
      const target = resolve(cwd, path)
      const folders = createsFolders ? await createMissingFolders(dirname(target), resolveAllowed) : undefined
      if (folders && !folders.ok) return folders
      const folder = await openTarget(dirname(target), await resolveAllowed(dirname(target)), output)
      if (!folder.ok) return folder
      const file = join(folder.value, basename(target))
      await removeReplaced(file, replaces)
      return createFile(file, path, bytes, isShared ? 0o666 : 0o600)
    },
  }
}

const readAllowed = (real: string, path: string): Promise<Outcome<Uint8Array>> =>
  readWithoutLinks(real).then(ok, ({ message }: Error) => err(invalidPath(path, 'a readable file', message)))

// The real path of a folder that is written to, unless its path below the output directory has a symbolic link. Git ignores what is there.
async function openTarget(folder: string, real: Outcome<string>, output: string): Promise<Outcome<string>> {
  const lexical = [output, resolveRealPath(output)].find((root) => isBelow(folder, root))
  if (!real.ok || (lexical === undefined && !isBelow(real.value, resolveRealPath(output)))) return real
  const root = await openOutputFolder(output).catch((error: unknown) => err(diskFailure(output, error)))
  if (!root.ok || lexical === undefined) return root.ok ? real : root
  return real.value === join(root.value.path, relative(lexical, folder)) ? real : err(symlinkFailure(folder))
}

async function removeReplaced(file: string, replaces: CreateOptions['replaces']): Promise<void> {
  const last = replaces && (await readWithoutLinks(file).catch(() => undefined))
  if (last && replaces(new TextDecoder().decode(last))) await rm(file, { force: true })
}

async function createFile(
  target: string,
  path: string,
  bytes: Uint8Array,
  mode: number,
): Promise<Outcome<string>> {
  try {
    await createNewFile(target, bytes, mode)
    return ok(target)
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST'
    return err(
      exists
        ? invalidPath(path, 'a path that does not exist yet', 'an existing file')
        : diskFailure(dirname(target), error),
    )
  }
}

function createFolder(output: string, session: string): Folder {
  const artifacts: Artifact[] = []
  const artifactOf = (path: string): Artifact => {
    const name = basename(path)
    return { name, path, resource: resourceUriOf({ session, part: 'files', name }) }
  }
  const reserve = async (name: string): Promise<Outcome<string>> => {
    const folder = await openFolder(output, session.slice(0, 8))
    if (!folder.ok) return folder
    try {
      const path = await reservePath(folder.value, nameIn(folder.value, sanitizeFileName(name, 'file')))
      artifacts.push(artifactOf(path))
      return ok(path)
    } catch (error) {
      return err(diskFailure(folder.value, error))
    }
  }
  async function remove(path: string): Promise<void> {
    const index = artifacts.findIndex((artifact) => artifact.path === path)
    if (index >= 0) artifacts.splice(index, 1)
    await rm(path, { force: true })
  }
  return {
    reserve,
    async write(name, content) {
      const path = await reserve(name)
      if (!path.ok) return path
      try {
        await replaceFile(path.value, content)
        return ok(artifactOf(path.value))
      } catch (error) {
        await remove(path.value)
        return err(diskFailure(dirname(path.value), error))
      }
    },
    async finish(path, { holdsPages = false } = {}) {
      await withFile(path, constants.O_RDONLY, (file) => file.chmod(0o600))
      const artifact = { ...artifactOf(path), ...(holdsPages && { holdsPages }) }
      const index = artifacts.findIndex((one) => one.path === path)
      if (index >= 0) artifacts[index] = artifact
      return artifact
    },
    remove,
    list: () => artifacts,
    async read(name) {
      const artifact = artifacts.find((entry) => entry.name === name)
      if (!artifact) return undefined
      return readWithoutLinks(artifact.path).catch(() => undefined)
    },
  }
}

/** The folder whose texts are redacted as answers are. */
export const redactTexts = (folder: Folder, { redactText }: Redactor): Folder => ({
  ...folder,
  write: (name, content) => folder.write(name, typeof content === 'string' ? redactText(content) : content),
})

// The path is a real path: if it has become a link since, it is not followed.
const readWithoutLinks = (path: string): Promise<Uint8Array> =>
  withFile(path, constants.O_RDONLY, async (file) => {
    const stats = await file.stat()
    // A pipe would never end.
    if (!stats.isFile()) throw new Error('no regular file')
    const { size } = stats
    if (size > READ_LIMIT_BYTES) throw new Error(`${size} bytes, more than ${READ_LIMIT_BYTES}`)
    return file.readFile()
  })

/** All that is read as a whole stays in memory for a while. */
const READ_LIMIT_BYTES = 150_000_000

// Dev servers that watch their project, such as Vite, load every page again when there is a new HTML file in it, and none for this ending,
// which browsers open alike.
const nameIn = (folder: string, name: string): string =>
  name.endsWith('.html') && isFolderWatched([folder, dirname(folder), dirname(dirname(folder))])
    ? name.slice(0, -1)
    : name

// Creates an empty file, which reserves the name.
async function reservePath(folder: string, name: string): Promise<string> {
  const extension = extname(name)
  const stem = name.slice(0, name.length - extension.length)
  for (let count = 1; ; count += 1) {
    const path = join(folder, count === 1 ? name : `${stem}-${count}${extension}`)
    try {
      await createNewFile(path, '')
      return path
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

const pathDenied = (path: string, roots: readonly string[]): Failure => ({
  code: 'ACCESS_DENIED',
  subject: path,
  rule: 'files outside the workspace and the output directory',
  allowed: roots.join(', '),
})

/** What runs may not be in the output directory. */
const denyOutput = (real: Outcome<string>, output: string): Outcome<string> =>
  real.ok && isBelow(real.value, resolveRealPath(output)) ? err(runDenied(real.value)) : real

const runDenied = (path: string): Failure => ({
  code: 'ACCESS_DENIED',
  subject: path.slice(0, 200),
  rule: 'nothing in the output directory runs, because pages choose what is in it',
  allowed: 'a file elsewhere in the workspace',
})

const invalidPath = (path: string, expected: string, received: string): Failure =>
  invalidParameter('path', expected, `${JSON.stringify(path.slice(0, 200))}, ${received}`)

/** The files below a folder, as relative paths, without symbolic links; undefined if it is not a folder. */
export async function filesBelow(folder: string): Promise<readonly string[] | undefined> {
  // Not with `recursive: true`, because Bun then follows links to folders.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined)
  if (!entries) return undefined
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  for (const { name } of entries.filter((entry) => entry.isDirectory()))
    files.push(...((await filesBelow(join(folder, name))) ?? []).map((path) => join(name, path)))
  return files
}

/** The folders that a path is in, the nearest one first. */
function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path)
  return folder === path ? [] : [folder, ...foldersAbove(folder)]
}

/** Creates a folder and the missing ones above it, if the first existing one above it may be used. Links are followed before that is
 * checked. */
async function createMissingFolders(
  folder: string,
  checkFolder: (path: string) => Promise<Outcome<string>>,
): Promise<Outcome<void>> {
  const existing = await findExistingFolder(folder)
  const check = await checkFolder(existing)
  if (!check.ok) return check
  try {
    if (existing !== folder) await mkdir(folder, { recursive: true })
    return ok(undefined)
  } catch (error) {
    return err(diskFailure(folder, error))
  }
}

/** The folder, or the first one above it that exists. */
async function findExistingFolder(folder: string): Promise<string> {
  const isFound = dirname(folder) === folder || (await isExisting(folder))
  return isFound ? folder : findExistingFolder(dirname(folder))
}

const isExisting = (path: string): Promise<boolean> =>
  realpath(path).then(
    () => true,
    () => false,
  )
