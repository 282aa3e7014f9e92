// The shared libraries that a folder of programs needs and does not hold, found as the dynamic loader finds them, without running it.
// What belongs to the C library is left to the machine: the loader and it must be of one version.

import { closeSync, existsSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { listFolder } from '../../core/base/system/proc-files.ts'
import { type DynamicSection, isOlderVersion, readDynamicSection } from './elf.ts'

export interface ResolvedLibraries {
  /** Path within the folder of libraries to where the file is here. */
  readonly files: ReadonlyMap<string, string>
  /** Names that are nowhere on this machine. */
  readonly missing: readonly string[]
  /** The oldest glibc with which all this runs. */
  readonly glibc: string | undefined
}

const cLibraryPattern =
  /^(ld-linux.*|linux-vdso|libc|libm|libmvec|libdl|libpthread|librt|libresolv|libutil|libanl|libnsl|libnss_(files|dns|compat))\.so/

// The network security library opens these by name when it starts; they lie beside it.
const librariesLoadedAtRuntime: ReadonlyMap<string, readonly string[]> = new Map([
  ['libnss3.so', ['libsoftokn3.so', 'libfreebl3.so', 'libfreeblpriv3.so', 'libnssckbi.so']],
])

/** All that `programs`, which are paths of files, need beside `folder`. */
export function resolveLibraries(programs: readonly string[], folder: string): ResolvedLibraries {
  const loaderFolders = listLoaderFolders()
  const files = new Map<string, string>()
  const missing = new Set<string>()
  const resolvedNames = new Set<string>()
  const queue = [...programs]
  let glibc: string | undefined
  let machine: number | undefined
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const section = readSection(path)
    if (!section) continue
    machine ??= section.machine
    if (section.glibc && (glibc === undefined || isOlderVersion(glibc, section.glibc))) glibc = section.glibc
    const searchFolders = [
      ...section.runpath.map((pattern) => pattern.replace(/\$\{?ORIGIN\}?/, dirname(path))),
      folder,
      ...loaderFolders,
    ]
    for (const name of section.needed) {
      if (resolvedNames.has(name) || cLibraryPattern.test(name)) continue
      resolvedNames.add(name)
      const library = searchFolders
        .map((searchFolder) => join(searchFolder, name))
        .find((file) => readSection(file)?.machine === machine)
      if (!library) missing.add(name)
      if (!library || dirname(library) === folder) continue
      files.set(name, realpathSync(library))
      queue.push(library)
      for (const [relativePath, file] of findLibrariesLoadedBy(name, dirname(realpathSync(library)))) {
        files.set(relativePath, file)
        queue.push(file)
      }
    }
  }
  return { files, missing: [...missing], glibc }
}

/** Which of the files is a program or library for Linux. */
export const isElf = (path: string): boolean => readSection(path) !== undefined

// --- internal ---

const findLibrariesLoadedBy = (name: string, folder: string): [string, string][] =>
  (librariesLoadedAtRuntime.get(name) ?? [])
    .flatMap((file) => [file, join('nss', file)])
    .map((path): [string, string] => [path, join(folder, path)])
    .filter(([, file]) => existsSync(file))

function readSection(path: string): DynamicSection | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return undefined
  }
  try {
    return readDynamicSection((offset, length) => {
      const bytes = Buffer.alloc(length)
      return bytes.subarray(0, readSync(file, bytes, 0, length, offset))
    })
  } catch {
    // A folder, or a file that says of itself what is not so.
    return undefined
  } finally {
    closeSync(file)
  }
}

// As in ld.so(8): what LD_LIBRARY_PATH names, what /etc/ld.so.conf names, and the standard places.
function listLoaderFolders(): string[] {
  const pathFolders = (process.env['LD_LIBRARY_PATH'] ?? '').split(':').filter(Boolean)
  const standard = ['/lib64', '/usr/lib64', '/lib', '/usr/lib']
  return [...new Set([...pathFolders, ...readLoaderConfig('/etc/ld.so.conf'), ...standard])]
}

function readLoaderConfig(path: string): string[] {
  return readLines(path).flatMap((line) => {
    const includePattern = /^include\s+(.*)/.exec(line)?.[1]
    if (includePattern === undefined) return line.startsWith('/') ? [line] : []
    const folder = dirname(includePattern)
    const pattern = new RegExp(`^${basename(includePattern).replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
    return listFolder(folder)
      .sort()
      .filter((name) => pattern.test(name))
      .flatMap((name) => readLoaderConfig(join(folder, name)))
  })
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => line.replace(/#.*/, '').trim())
      .filter(Boolean)
  } catch {
    return []
  }
}
