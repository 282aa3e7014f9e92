// What a dev server does with changes of its own files: whether one of its processes watches files, and what its programs read at their
// start.

import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, relative, resolve, dirname } from 'node:path'
import process from 'node:process'
import { readUptimeTicks, type ProcessEntry } from './process-table.ts'
import type { ProcessTree } from './process-tree.ts'
import { isFile } from './spawn-command.ts'
import {
  listFolder,
  readLink,
  readProcFile,
  readSocketInodes,
  readTcpSockets,
} from '../../runtime/system/proc-files.ts'
import type { ServerCode, ServerProgram } from '../../core/evidence/judge-freshness.ts'

const SCRIPT_PATTERN = /\.([cm]?[jt]sx?|py|rb|pl)$/
const INTERPRETER_PATTERN = /^(node|bun|deno|tsx|python|pypy|ruby|perl)/
// What is built into these folders is read once; the files that it was built from are elsewhere.
const BUILD_FOLDER_PATTERN = /(^|\/)(dist|build|out|lib|target|\.[^/]+|node_modules)\//
// These look at their files again and again, without the system telling them.
const RELOADER_PATTERN =
  /\0(--?reload|--?watch|--debug|--hot|runserver)(?=[\0=])|\b(nodemon|watchexec|watchmedo|rerun|shotgun)\b/
const RELOADER_VARIABLE = /\0(WERKZEUG_RUN_MAIN|RUN_MAIN|FLASK_DEBUG)=(true|1)\0/

// A server begins to watch its files at its start.
const START_TIME_MS = 10_000
// After that a program is up, although it does not listen.
const UP_TIME_MS = 3000
const TICK_MS = 10

/** Reads it of the running processes of a server; `cwd` is where the command was started. Outside Linux only the folder is known. Whether a
 * process watches files is looked up until one does or the server has run for a while: each look reads all processes. */
export function createServerCodeReader(
  cwd: string,
): (server: ServerIdentity, withPrograms: boolean) => ServerCode {
  const folder = realpathSync(cwd)
  const readFiles = createProgramReader()
  let known: { readonly startedAt: string; readonly code: ServerCode } | undefined
  return ({ child: { tree }, server: { startedAt, port } }, withPrograms) => {
    if (process.platform !== 'linux')
      return {
        folder,
        pageFolder: '',
        startedAt: Date.parse(startedAt),
        watchesFiles: undefined,
        programs: [],
      }
    if (!withPrograms && known?.startedAt === startedAt) return known.code
    const members = tree.members()
    const isKnown = known?.startedAt === startedAt
    const code = isKnown && known ? known.code : readServerCode(members, port, folder, Date.parse(startedAt))
    if (code.watchesFiles || Date.now() - code.startedAt > START_TIME_MS) known = { startedAt, code }
    return withPrograms ? { ...code, programs: readPrograms(members, code.folder, readFiles) } : code
  }
}

// --- internal ---

interface ServerIdentity {
  readonly child: { readonly tree: ProcessTree }
  readonly server: { readonly startedAt: string; readonly port: number }
}

type ReadProgramFiles = (entry: ProcessEntry, folder: string) => ReadonlySet<string> | undefined

function readServerCode(
  members: readonly ProcessEntry[],
  port: number,
  folder: string,
  startedAt: number,
): ServerCode {
  const isWatching = members.some(({ pid }) => hasFileWatch(pid))
  const watchesFiles = isWatching || (members.some(isReloader) ? undefined : false)
  // A shell or a runner may have changed the folder before it started the server of the pages.
  const ports = new Set(
    readTcpSockets().flatMap(({ isListening, local, inode }) =>
      isListening && local.port === port ? [inode] : [],
    ),
  )
  const holder = members.find(({ pid }) => readSocketInodes(pid).some((inode) => ports.has(inode)))
  const pageFolder = (holder && readLink(`/proc/${holder.pid}/cwd`)) || folder
  const isInside = `${pageFolder}/`.startsWith(`${folder}/`)
  return {
    folder: isInside ? folder : pageFolder,
    pageFolder: isInside ? relative(folder, pageFolder) : '',
    startedAt,
    watchesFiles,
    programs: [],
  }
}

function readPrograms(
  members: readonly ProcessEntry[],
  folder: string,
  readFiles: ReadProgramFiles,
): ServerProgram[] {
  const listening = new Set(
    readTcpSockets().flatMap(({ isListening, inode }) => (isListening ? [inode] : [])),
  )
  const uptimeTicks = readUptimeTicks() ?? 0
  const scriptOf = (entry: ProcessEntry) => readFiles(entry, folder)?.values().next().value
  // A reloader runs its script once more, as the program that serves.
  const startsItself = (entry: ProcessEntry) =>
    members.some((member) => member.parent === entry.pid && scriptOf(member) === scriptOf(entry))
  return members.flatMap((member) => {
    const files = readFiles(member, folder)
    if (!files || startsItself(member)) return []
    const ageMs = (uptimeTicks - Number(member.startTime)) * TICK_MS
    const listens = readSocketInodes(member.pid).some((inode) => listening.has(inode))
    return [{ startedAt: Date.now() - ageMs, files, isUp: listens || ageMs > UP_TIME_MS }]
  })
}

// The imports of a program are read once: what it imported at its start is what runs.
function createProgramReader(): ReadProgramFiles {
  const known = new Map<string, ReadonlySet<string> | undefined>()
  return (entry, folder) => {
    const key = `${entry.pid} ${entry.startTime}`
    if (!known.has(key)) known.set(key, findProgramFiles(entry.pid, folder))
    return known.get(key)
  }
}

function hasFileWatch(pid: number): boolean {
  const folder = `/proc/${pid}/fd`
  return listFolder(folder).some((name) => readLink(`${folder}/${name}`) === 'anon_inode:inotify')
}

const isReloader = ({ pid }: ProcessEntry): boolean =>
  RELOADER_PATTERN.test(readProcFile(pid, 'cmdline')) ||
  RELOADER_VARIABLE.test(`\0${readProcFile(pid, 'environ')}`)

/** The source files of the script that a process runs, if it lies in the folder and was not built from others; or those that a compiled
 * program names, as the executables of Go do. */
function findProgramFiles(pid: number, folder: string): ReadonlySet<string> | undefined {
  const commandLine = Buffer.from(readProcFile(pid, 'cmdline'), 'latin1').toString('utf8')
  const [program = '', ...args] = commandLine.split('\0')
  const script = args.find((arg) => !arg.startsWith('-') && SCRIPT_PATTERN.test(arg))
  const executable = readLink(`/proc/${pid}/exe`)
  const isInterpreter = [program, executable].some((path) => INTERPRETER_PATTERN.test(basename(path)))
  if (script === undefined || !isInterpreter) return findCompiledFiles(pid, executable, folder)
  const path = resolve(readLink(`/proc/${pid}/cwd`) || folder, script)
  const relativePath = relative(folder, path)
  const isOwn = !relativePath.startsWith('..') && !BUILD_FOLDER_PATTERN.test(relativePath)
  return isOwn && existsSync(path) ? findImportedFiles(path, folder) : undefined
}

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
const RUBY_IMPORT_PATTERN = /\brequire_relative\s*\(?\s*['"]([^'"\n]+)['"]/g
const IMPORT_PATTERN = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.{1,2}\/[^'"\n]+)['"]/g

/** The paths of an entry and its imports relative to `folder`; what lies elsewhere is not followed. */
export function findImportedFiles(entry: string, folder: string): ReadonlySet<string> {
  const paths = new Set<string>()
  const queue = [entry]
  for (let path = queue.pop(); path !== undefined && paths.size < FILE_LIMIT; path = queue.pop()) {
    const relativePath = relative(folder, path)
    if (paths.has(relativePath) || relativePath.startsWith('..')) continue
    paths.add(relativePath)
    for (const imported of readImports(path)) {
      const file = resolveFile(imported)
      if (file !== undefined) queue.push(file)
    }
  }
  return paths
}

/** The paths that a file imports, which may lack their extension. */
function readImports(path: string): string[] {
  const find = (pattern: RegExp) => [...readText(path).matchAll(pattern)].map((match) => match[1] ?? '')
  const folder = dirname(path)
  if (path.endsWith('.rb'))
    return find(RUBY_IMPORT_PATTERN).map((name) => resolve(folder, `${name.replace(/\.rb$/, '')}.rb`))
  if (!path.endsWith('.py')) return find(IMPORT_PATTERN).map((name) => resolve(folder, name))
  return find(PYTHON_IMPORT_PATTERN).flatMap((name) => {
    const module = resolve(
      folder,
      name.startsWith('..') ? '..' : '.',
      name.replace(/^\.+/, '').replaceAll('.', '/'),
    )
    return [`${module}.py`, `${module}/__init__.py`]
  })
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function resolveFile(path: string): string | undefined {
  const [extension = ''] = /\.[cm]?js$/.exec(path) ?? []
  const source = `${path.slice(0, path.length - extension.length)}${TYPESCRIPT_EXTENSIONS[extension] ?? extension}`
  return [source, ...EXTENSIONS.map((suffix) => path + suffix)].find(isFile)
}
