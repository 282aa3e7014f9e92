// Where results go that are too large to answer with, and which files an agent may name. Each session has a folder of its own in the
// output directory, made at its first file. A name that is taken gets a number; nothing is overwritten.

import { constants } from 'node:fs'
import { chmod, mkdir, open, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import process from 'node:process'
import type { Artifact, Files, Folder } from './ports/files.ts'
import { safeName } from '../core/filename.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import type { Redactor } from '../core/redact.ts'
import { addressOf } from '../core/resource.ts'
import { err, ok } from '../core/result.ts'

export function createFiles(outputDir: string): Files {
  const output = resolve(outputDir)
  // A server that was started from nowhere in particular has no workspace.
  const workspace = process.cwd()
  const roots = [output, ...([resolve(workspace, '/'), homedir()].includes(workspace) ? [] : [workspace])]

  const inside = async (path: string): Promise<Outcome<string>> => {
    const real = await realpath(path).catch(() => undefined)
    if (real === undefined) return err(invalid(path, 'a file that exists', 'none there'))
    const known = await Promise.all(roots.map((root) => realpath(root).catch(() => root)))
    return known.some((root) => isBelow(real, root)) ? ok(real) : err(denied(path, roots))
  }

  return {
    folder: (session) => createFolder(output, session),
    find: (path) => inside(resolve(workspace, path)),
    async read(path) {
      const real = await inside(resolve(workspace, path))
      if (!real.ok) return real
      const bytes = await readNoLink(real.value).catch((error: Error) => error)
      return bytes instanceof Error ? err(invalid(path, 'a file that can be read', bytes.message)) : ok(bytes)
    },
    async create(path, bytes) {
      const wanted = resolve(workspace, path)
      const folder = await inside(dirname(wanted))
      if (!folder.ok) return folder
      const target = join(folder.value, basename(wanted))
      try {
        await writeFile(target, bytes, { flag: 'wx', mode: 0o600 })
        return ok(target)
      } catch (error) {
        const taken = (error as NodeJS.ErrnoException).code === 'EEXIST'
        return err(
          taken ? invalid(path, 'a name that is free', 'one that is taken') : noRoom(folder.value, error),
        )
      }
    },
  }
}

function createFolder(output: string, session: string): Folder {
  const folder = join(output, session.slice(0, 8))
  const made: Artifact[] = []
  const artifactOf = (path: string): Artifact => {
    const name = basename(path)
    return { name, path, resource: addressOf({ session, part: 'files', name }) }
  }
  const place = async (name: string): Promise<Outcome<string>> => {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = await reserve(folder, safeName(name, 'file'))
      made.push(artifactOf(path))
      return ok(path)
    } catch (error) {
      return err(noRoom(folder, error))
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
        await writeFile(path.value, bytes)
        return ok(artifactOf(path.value))
      } catch (error) {
        await drop(path.value)
        return err(noRoom(folder, error))
      }
    },
    async done(path) {
      await chmod(path, 0o600)
      return artifactOf(path)
    },
    drop,
    list: () => made,
    async read(name) {
      const artifact = made.find((one) => one.name === name)
      if (!artifact) return undefined
      return readFile(artifact.path).catch(() => undefined)
    },
  }
}

/** Texts that go to a file leave like those that go to a client. */
export function redacting(folder: Folder, { text }: Redactor): Folder {
  return {
    ...folder,
    write: (name, bytes) =>
      folder.write(
        name,
        /\.(json|txt)$/.test(name) ? new TextEncoder().encode(text(new TextDecoder().decode(bytes))) : bytes,
      ),
  }
}

// The path has been followed to its end; whatever became a link since is not followed again.
async function readNoLink(path: string): Promise<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    return await file.readFile()
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

const isBelow = (path: string, root: string): boolean => {
  const way = relative(root, path)
  return way === '' || (!way.startsWith(`..${sep}`) && way !== '..' && resolve(root, way) === path)
}

const denied = (path: string, roots: readonly string[]): Failure => ({
  code: 'ACCESS_DENIED',
  subject: path,
  rule: 'files outside the workspace and the output directory',
  allowed: roots.join(', '),
})

const invalid = (path: string, expected: string, received: string): Failure => ({
  code: 'INVALID_PARAMETERS',
  field: 'path',
  expected,
  received: `${JSON.stringify(path.slice(0, 200))}, ${received}`,
})

function noRoom(folder: string, error: unknown): Failure {
  const text = error instanceof Error ? error.message : String(error)
  return { code: 'RESOURCE_EXHAUSTED', resource: 'room for files', text: `${folder}: ${text}` }
}
