// The shared libraries that a folder of programs needs and does not hold, found as the dynamic loader finds them, without running it.
// What belongs to the C library is left to the machine: the loader and it must be of one version.

import { closeSync, openSync, readdirSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { dynamicOf, olderThan, type Dynamic } from './elf.ts'

export interface Libraries {
  /** Path within the folder of libraries to where the file is here. */
  readonly files: ReadonlyMap<string, string>
  /** Names that are nowhere on this machine. */
  readonly missing: readonly string[]
  /** The oldest glibc with which all this runs. */
  readonly glibc: string | undefined
}

const base =
  /^(ld-linux.*|linux-vdso|libc|libm|libmvec|libdl|libpthread|librt|libresolv|libutil|libanl|libnsl|libnss_(files|dns|compat))\.so/

// The network security library opens these by name when it starts; they lie beside it.
const opened: Readonly<Record<string, readonly string[]>> = {
  'libnss3.so': ['libsoftokn3.so', 'libfreebl3.so', 'libfreeblpriv3.so', 'libnssckbi.so'],
}

/** All that `programs`, which are paths of files, need beside `folder`. */
export function librariesOf(programs: readonly string[], folder: string): Libraries {
  const system = loaderFolders()
  const files = new Map<string, string>()
  const missing = new Set<string>()
  const seen = new Set<string>()
  const queue = [...programs]
  let glibc: string | undefined
  let machine: number | undefined
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const facts = dynamicIn(path)
    if (!facts) continue
    machine ??= facts.machine
    if (facts.glibc && (glibc === undefined || olderThan(glibc, facts.glibc))) glibc = facts.glibc
    const places = [
      ...facts.runpath.map((place) => place.replace(/\$\{?ORIGIN\}?/, dirname(path))),
      folder,
      ...system,
    ]
    for (const name of facts.needed) {
      if (seen.has(name) || base.test(name)) continue
      seen.add(name)
      const found = places
        .map((place) => join(place, name))
        .find((file) => dynamicIn(file)?.machine === machine)
      if (!found) missing.add(name)
      if (!found || dirname(found) === folder) continue
      files.set(name, realpathSync(found))
      queue.push(found)
      for (const [inside, file] of openedBy(name, dirname(realpathSync(found)))) {
        files.set(inside, file)
        queue.push(file)
      }
    }
  }
  return { files, missing: [...missing], glibc }
}

/** Which of the files is a program or library for Linux. */
export const isElf = (path: string): boolean => dynamicIn(path) !== undefined

// --- internal ---

function openedBy(name: string, home: string): [string, string][] {
  return (Object.hasOwn(opened, name) ? (opened[name] ?? []) : []).flatMap((file) =>
    [file, join('nss', file)]
      .filter((inside) => isFile(join(home, inside)))
      .map((inside): [string, string] => [inside, join(home, inside)]),
  )
}

function dynamicIn(path: string): Dynamic | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return undefined
  }
  try {
    return dynamicOf((offset, length) => {
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
function loaderFolders(): string[] {
  const extra = (process.env['LD_LIBRARY_PATH'] ?? '').split(':').filter(Boolean)
  const standard = ['/lib64', '/usr/lib64', '/lib', '/usr/lib']
  return [...new Set([...extra, ...configured('/etc/ld.so.conf'), ...standard])]
}

function configured(path: string): string[] {
  return linesOf(path).flatMap((line) => {
    const included = /^include\s+(.*)/.exec(line)?.[1]
    if (included === undefined) return line.startsWith('/') ? [line] : []
    const folder = dirname(included)
    const pattern = new RegExp(`^${basename(included).replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
    return namesIn(folder)
      .filter((name) => pattern.test(name))
      .flatMap((name) => configured(join(folder, name)))
  })
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => line.replace(/#.*/, '').trim())
      .filter(Boolean)
  } catch {
    return []
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}
