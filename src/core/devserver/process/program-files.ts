// The source files that a program reads at its start: its script with all that it imports, or what an executable names.

import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'
import { readRegularFile } from '../../base/files/read-regular-file.ts'
import { readLink, readProcFile } from '../../base/system/proc-files.ts'
import { isRecord, parseJson } from '../../base/text/json.ts'
import { isFile } from './spawn-command.ts'

const SCRIPT_PATTERN = /\.([cm]?[jt]sx?|py|rb|pl)$/
const NODE_PATTERN = /^(node|bun|deno|tsx)/
const INTERPRETER_PATTERN = /^(node|bun|deno|tsx|python|pypy|ruby|perl)/
const PACKAGE_PATTERN = /(^|\/)node_modules\//

/** The files of the script that a process runs, if it lies in the folder, without what they were built from; or those that a compiled program
 * names, as the executables of Go do. */
export function findProgramFiles(
  pid: number,
  { folder, root }: ProjectFolders,
): ReadonlySet<string> | undefined {
  const commandLine = Buffer.from(readProcFile(pid, 'cmdline'), 'latin1').toString('utf8')
  const [program = '', ...args] = commandLine.split('\0')
  const executable = readLink(`/proc/${pid}/exe`)
  const isProgramOf = (pattern: RegExp) => [program, executable].some((path) => pattern.test(basename(path)))
  const cwd = readLink(`/proc/${pid}/cwd`) || folder
  const script = findScript(args) ?? (isProgramOf(NODE_PATTERN) ? findEntry(args, cwd) : undefined)
  if (script === undefined || !isProgramOf(INTERPRETER_PATTERN))
    return findCompiledFiles(pid, executable, folder)
  const path = realPathOf(resolve(cwd, script))
  const pathInRoot = relative(realPathOf(root), path)
  const isOwn = !pathInRoot.startsWith('..') && !PACKAGE_PATTERN.test(pathInRoot)
  if (!isOwn || !existsSync(path)) return undefined
  return new Set([...findImportedFiles(path, root)].map((file) => relative(folder, resolve(root, file))))
}

export interface ProjectFolders {
  /** Where the command was started; paths are relative to it. */
  readonly folder: string
  /** The root of its repository. */
  readonly root: string
}

// The value of an option is no script: what it names is loaded before that.
const findScript = (args: readonly string[]): string | undefined =>
  args.find(
    (arg, index) =>
      !arg.startsWith('-') && SCRIPT_PATTERN.test(arg) && !LOADING_OPTION.test(args[index - 1] ?? ''),
  )

/** A file without an extension, or a folder, as Node takes it. */
function findEntry(args: readonly string[], cwd: string): string | undefined {
  const names = args.filter((arg) => /^(?:\.{0,2}[\\/]|\.$|[^-.])/.test(arg))
  const entries = names.map((name) => {
    const path = resolve(cwd, name)
    const { main } = readPackage(path)
    return [path, ...(typeof main === 'string' ? [resolve(path, main)] : [])].findLast(resolveFile)
  })
  const entry = entries.find(Boolean)
  return entry === undefined ? undefined : resolveFile(entry)
}

const LOADING_OPTION = /^(-r|--require|--import|--loader|--experimental-loader|--preload)$/

const COMPILED_PATTERN = /\/go-build\d*\//

// The linker of Go writes the paths of the sources into the executable.
function findCompiledFiles(pid: number, executable: string, folder: string): ReadonlySet<string> | undefined {
  if (!COMPILED_PATTERN.test(executable) && !executable.startsWith(`${folder}/`)) return undefined
  try {
    const text = readFileSync(`/proc/${pid}/exe`, 'latin1')
    const prefix = Buffer.from(`${folder}/`).toString('latin1')
    const files = new Set<string>()
    for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + 1)) {
      const [, path] =
        /^([\w./-]{1,200}?\.go)/.exec(text.slice(at + prefix.length, at + prefix.length + 204)) ?? []
      if (path !== undefined) files.add(path)
    }
    return files.size > 0 ? files : undefined
  } catch {
    return undefined
  }
}

// The files of a program: its entry and all that it imports by relative paths.
const FILE_LIMIT = 2000
// Imports stand at the beginning, but for those of a program that was made by another one.
const FILE_LIMIT_BYTES = 50_000_000
const IMPORTS_LIMIT_CHARS = 1_000_000
const IMPORT_LIMIT = 1000
const EXTENSIONS = [
  '',
  '.ts',
  '.tsx',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.mts',
  '.cts',
  '/index.ts',
  '/index.js',
]
// TypeScript is often imported by the name of what it is compiled to.
const TYPESCRIPT_EXTENSIONS: Readonly<Record<string, string>> = {
  '.js': '.ts',
  '.mjs': '.mts',
  '.cjs': '.cts',
}
const PYTHON_IMPORT_PATTERN = /^[ \t]*(?:from|import)[ \t]+(\.{0,2}[\w.]+)/gm
const RUBY_IMPORT_PATTERN = /\brequire_relative\s{0,9}\(?\s{0,9}['"]([^'"\n]+)['"]/g
const IMPORT_PATTERN = /(?:\bfrom|\bimport|\brequire)\s{0,9}\(?\s{0,9}['"](\.{1,2}\/[^'"\n]+|#[^'"\n]+)['"]/g

/** The paths of an entry and its imports relative to `folder`; what lies elsewhere is not followed. */
function findImportedFiles(entry: string, folder: string): ReadonlySet<string> {
  const paths = new Set<string>()
  const root = realPathOf(folder)
  const queue = [realPathOf(entry)]
  for (let path = queue.pop(); path !== undefined && paths.size < FILE_LIMIT; path = queue.pop()) {
    const relativePath = relative(root, path)
    if (paths.has(relativePath) || relativePath.startsWith('..')) continue
    paths.add(relativePath)
    for (const imported of readImports(path)) {
      const file = resolveFile(imported)
      if (file !== undefined) queue.push(realPathOf(file))
    }
  }
  return paths
}

/** The package.json of a folder. */
function readPackage(folder: string): Readonly<Record<string, unknown>> {
  const value = parseJson(readRegularFile(resolve(folder, 'package.json'))?.toString('utf8') ?? '')
  return isRecord(value) ? value : {}
}

/** What `imports` of a package.json names, for all conditions; `*` stands for a part of a name. */
function findInPackage(name: string, from: string): readonly string[] {
  const folder = foldersAbove(from).find((one) => isFile(resolve(one, 'package.json')))
  const { imports } = folder === undefined ? {} : readPackage(folder)
  return Object.entries(isRecord(imports) ? imports : {}).flatMap(([key, value]) => {
    const [before = '', after] = key.split('*')
    const isNamed =
      after === undefined
        ? key === name
        : name.startsWith(before) && name.endsWith(after) && name.length >= before.length + after.length
    const part = name.slice(before.length, name.length - (after ?? '').length)
    return isNamed
      ? textsIn(value).map((target) =>
          resolve(
            folder ?? '',
            target.replaceAll('*', () => part),
          ),
        )
      : []
  })
}

const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : isRecord(value) ? Object.values(value).flatMap(textsIn) : []

function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path)
  return folder === path ? [] : [folder, ...foldersAbove(folder)]
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** The paths that a file imports, which may lack their extension. */
function readImports(path: string): string[] {
  const text = readRegularFile(path, FILE_LIMIT_BYTES)?.toString('utf8').slice(0, IMPORTS_LIMIT_CHARS) ?? ''
  const find = (pattern: RegExp): string[] => {
    const names = new Set<string>()
    for (const [, name = ''] of text.matchAll(pattern)) if (names.add(name).size >= IMPORT_LIMIT) break
    return [...names]
  }
  const folder = dirname(path)
  if (path.endsWith('.rb'))
    return find(RUBY_IMPORT_PATTERN).map((name) => resolve(folder, `${name.replace(/\.rb$/, '')}.rb`))
  if (!path.endsWith('.py'))
    return find(IMPORT_PATTERN).flatMap((name) =>
      name.startsWith('#') ? findInPackage(name, path) : resolve(folder, name),
    )
  return find(PYTHON_IMPORT_PATTERN).flatMap((name) => {
    const module = resolve(
      folder,
      name.startsWith('..') ? '..' : '.',
      name.replace(/^\.+/, '').replaceAll('.', '/'),
    )
    return [`${module}.py`, `${module}/__init__.py`]
  })
}

function resolveFile(path: string): string | undefined {
  const [extension = ''] = /\.[cm]?js$/.exec(path) ?? []
  const source = `${path.slice(0, path.length - extension.length)}${TYPESCRIPT_EXTENSIONS[extension] ?? extension}`
  return [source, ...EXTENSIONS.map((suffix) => path + suffix)].find(isFile)
}
