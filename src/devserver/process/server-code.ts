// What a dev server does with changes of its own files: whether one of its processes watches files, and which files its entry imports.

import { existsSync, realpathSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import process from 'node:process'
import { findImportedFiles } from './imported-files.ts'
import type { ProcessTree } from './process-tree.ts'
import { listFolder, readLink, readProcFile } from '../../runtime/processes/proc-files.ts'
import type { ServerCode } from '../../core/freshness/judge-freshness.ts'

const SCRIPT_PATTERN = /\.[cm]?[jt]sx?$/
// What is built into these folders is read once; the files that it was built from are elsewhere.
const BUILD_FOLDER_PATTERN = /^(dist|build|out|lib|target|\.[^/]+|node_modules)\//

// A server begins to watch its files at its start.
const START_TIME_MS = 10_000

/** Reads it of the running processes of a server; `cwd` is where the command was started. Outside Linux only the folder is known. It is
 * looked up until a process watches files or the server has run for a while: each look reads all processes. What the entry imported at its
 * start is what runs, whatever it imports since. */
export function createServerCodeReader(cwd: string): (server: ServerIdentity) => ServerCode {
  let known: { readonly pid: number; readonly startedAt: string; readonly code: ServerCode } | undefined
  return ({ child: { pid, tree }, server: { startedAt } }) => {
    if (known?.pid === pid && known.startedAt === startedAt) return known.code
    const now = Date.now()
    const code = readServerCode(tree, realpathSync(cwd), Date.parse(startedAt))
    if (code.watchesFiles || now - code.startedAt > START_TIME_MS) known = { pid, startedAt, code }
    return code
  }
}

// --- internal ---

interface ServerIdentity {
  readonly child: { readonly pid: number; readonly tree: ProcessTree }
  readonly server: { readonly startedAt: string }
}

function readServerCode(tree: ProcessTree, folder: string, startedAt: number): ServerCode {
  if (process.platform !== 'linux') return { folder, startedAt, watchesFiles: undefined, files: undefined }
  const pids = tree.members().map(({ pid }) => pid)
  const watchesFiles = pids.some(hasFileWatch)
  // A shell may have changed its folder before it started the server.
  const ownFolder = readLink(`/proc/${pids.at(-1)}/cwd`) || folder
  const entry = watchesFiles ? undefined : pids.map((pid) => findEntry(pid, ownFolder)).find(Boolean)
  const files = entry === undefined ? undefined : findImportedFiles(entry, ownFolder)
  return { folder: ownFolder, startedAt, watchesFiles, files }
}

function hasFileWatch(pid: number): boolean {
  const folder = `/proc/${pid}/fd`
  return listFolder(folder).some((name) => readLink(`${folder}/${name}`) === 'anon_inode:inotify')
}

/** The script that a process runs, if it lies in its folder and was not built from others. */
function findEntry(pid: number, folder: string): string | undefined {
  const commandLine = Buffer.from(readProcFile(pid, 'cmdline'), 'latin1').toString('utf8')
  const [, ...args] = commandLine.split('\0')
  const script = args.find((arg) => !arg.startsWith('-') && SCRIPT_PATTERN.test(arg))
  if (script === undefined) return undefined
  const path = resolve(folder, script)
  const relativePath = relative(folder, path)
  const isOwn = !relativePath.startsWith('..') && !BUILD_FOLDER_PATTERN.test(relativePath)
  return isOwn && existsSync(path) ? path : undefined
}
