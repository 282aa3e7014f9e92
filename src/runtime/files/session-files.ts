// Where results go that are too large to answer with, and which files an agent may name. Each session has a folder of its own in the
// output directory, made at its first file. A name that is taken gets a number; nothing is overwritten.

import { constants } from 'node:fs'
import { open, readdir, realpath, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { linkRefused, diskFull, openFolder, realOutput } from './output-folder.ts'
import type { Artifact, Files, Folder } from '../ports/files.ts'
import { isBelow, realPath, workspaceFolder } from './workspace-roots.ts'
import { sanitizeFileName } from '../../core/text/file-name.ts'
import { invalidParameter, type Failure, type Outcome } from '../../core/failure.ts'
import type { Redactor } from '../../core/redaction/redactor.ts'
import { resourceUriOf } from '../../core/session/resource-uri.ts'
import { err, ok } from '../../core/result.ts'

export function createFiles(outputDir: string): Files {
  const output = resolve(outputDir)
  const here = realPath(process.cwd())
  // A server that was started from nowhere in particular has no workspace.
  const workspace = workspaceFolder()
  const rootsNow = async (): Promise<string[]> =>
    [await realOutput(output), workspace].filter((root) => root !== undefined)

  const inside = async (path: string): Promise<Outcome<string>> => {
    const real = await realpath(path).catch(() => undefined)
    if (real === undefined) return err(invalid(path, 'an existing file', 'no such file'))
    const roots = await rootsNow()
    return roots.some((root) => isBelow(real, root)) ? ok(real) : err(denied(path, roots))
  }
  // Whether a folder below the output directory is where its path says.
  const isLinked = async (folder: string, real: string): Promise<boolean> => {
    const lexical = [output, realPath(output)].find((root) => isBelow(folder, root))
    if (lexical === undefined) return false
    const root = await realOutput(output)
    return root === undefined || real !== join(root, relative(lexical, folder))
  }

  return {
    folder: (session) => createFolder(output, session),
    find: (path) => inside(resolve(here, path)),
    filesBelow,
    async read(path) {
      const real = await inside(resolve(here, path))
      if (!real.ok) return real
      const bytes = await readNoLink(real.value).catch((error: Error) => error)
      return bytes instanceof Error ? err(invalid(path, 'a readable file', bytes.message)) : ok(bytes)
    },
    async create(path, bytes) {
      const wanted = resolve(here, path)
      const folder = await inside(dirname(wanted))
      if (!folder.ok) return folder
      if (await isLinked(dirname(wanted), folder.value)) return err(linkRefused(dirname(wanted)))
      const target = join(folder.value, basename(wanted))
      try {
        await writeFile(target, bytes, { flag: 'wx', mode: 0o600 })
        return ok(target)
      } catch (error) {
        const taken = (error as NodeJS.ErrnoException).code === 'EEXIST'
        return err(
          taken
            ? invalid(path, 'a path that does not exist yet', 'an existing file')
            : diskFull(folder.value, error),
        )
      }
    },
  }
}

// Not with one recursive look, because Bun's follows links to folders.
async function filesBelow(folder: string): Promise<readonly string[] | undefined> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined)
  if (!entries) return undefined
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  for (const { name } of entries.filter((entry) => entry.isDirectory()))
    files.push(...((await filesBelow(join(folder, name))) ?? []).map((path) => join(name, path)))
  return files
}

function createFolder(output: string, session: string): Folder {
  const made: Artifact[] = []
  const artifactOf = (path: string): Artifact => {
    const name = basename(path)
    return { name, path, resource: resourceUriOf({ session, part: 'files', name }) }
  }
  const place = async (name: string): Promise<Outcome<string>> => {
    const folder = await openFolder(output, session.slice(0, 8))
    if (!folder.ok) return folder
    try {
      const path = await reserve(folder.value, sanitizeFileName(name, 'file'))
      made.push(artifactOf(path))
      return ok(path)
    } catch (error) {
      return err(diskFull(folder.value, error))
    }
  }
  async function drop(path: string): Promise<void> {
    const index = made.findIndex((one) => one.path === path)
    if (index >= 0) made.splice(index, 1)
    await rm(path, { force: true })
  }
  return {
    place,
    async write(name, bytes) {
      const path = await place(name)
      if (!path.ok) return path
      try {
        await withNoLink(path.value, constants.O_WRONLY | constants.O_TRUNC, (file) => file.writeFile(bytes))
        return ok(artifactOf(path.value))
      } catch (error) {
        await drop(path.value)
        return err(diskFull(dirname(path.value), error))
      }
    },
    async done(path) {
      await withNoLink(path, constants.O_RDONLY, (file) => file.chmod(0o600))
      return artifactOf(path)
    },
    drop,
    list: () => made,
    async read(name) {
      const artifact = made.find((one) => one.name === name)
      if (!artifact) return undefined
      return readNoLink(artifact.path).catch(() => undefined)
    },
  }
}

/** The folder with its text files redacted like answers. */
export function redactTextFiles(folder: Folder, { redactText }: Redactor): Folder {
  return {
    ...folder,
    write: (name, bytes) =>
      folder.write(
        name,
        /\.(json|txt)$/.test(name)
          ? new TextEncoder().encode(redactText(new TextDecoder().decode(bytes)))
          : bytes,
      ),
  }
}

// The path has been followed to its end; whatever became a link since is not followed again.
const readNoLink = (path: string): Promise<Uint8Array> =>
  withNoLink(path, constants.O_RDONLY, (file) => file.readFile())

async function withNoLink<T>(path: string, how: number, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, how | (constants.O_NOFOLLOW ?? 0))
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

// An empty file holds the name until it is written.
async function reserve(folder: string, name: string): Promise<string> {
  const extension = extname(name)
  const stem = name.slice(0, name.length - extension.length)
  for (let count = 1; ; count += 1) {
    const path = join(folder, count === 1 ? name : `${stem}-${count}${extension}`)
    try {
      await (await open(path, 'wx', 0o600)).close()
      return path
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

const denied = (path: string, roots: readonly string[]): Failure => ({
  code: 'ACCESS_DENIED',
  subject: path,
  rule: 'files outside the workspace and the output directory',
  allowed: roots.join(', '),
})

const invalid = (path: string, expected: string, received: string): Failure =>
  invalidParameter('path', expected, `${JSON.stringify(path.slice(0, 200))}, ${received}`)
