// What a dev server does with changes of its own files: whether one of its processes watches files, and what its programs read at their
// start.

import { realpathSync } from 'node:fs'
import { basename, relative } from 'node:path'
import process from 'node:process'
import {
  listFolder,
  readLink,
  readProcFile,
  readSocketInodes,
  readTcpSockets,
} from '../../core/base/system/proc-files.ts'
import { type ProcessEntry, readUptimeTicks } from '../../core/devserver/process/process-table.ts'
import { findProgramFiles, type ProjectFolders } from '../../core/devserver/process/program-files.ts'
import type { ServerWatch } from '../../core/devserver/process/start-context.ts'
import type { ServerCode, ServerProgram } from '../../core/sessions/types/freshness.ts'

// These start a program again after a change; some look at their files again and again, without the system telling them.
const RELOADER_PATTERN =
  /\0(--?reload|--?watch(-path)?|--debug|runserver|watch)(?=[\0=])|\b(nodemon|watchexec|watchmedo|rerun|shotgun|ts-node-dev|tsnd|node-dev)\b/
const HOT_PATTERN = /\0(--hot|--watch-hmr)(?=[\0=])/
const RELOADER_VARIABLE = /\0(WERKZEUG_RUN_MAIN|RUN_MAIN|FLASK_DEBUG)=(true|1)\0/
// A shell that does something again and again, such as looking at files.
const LOOP_PATTERN = /\b(while|until|inotifywait|entr|fswatch)\b/
const SHELL_PATTERN = /^(ba|da|z|k|a)?sh$/

// A server begins to watch its files at its start.
const START_TIME_MS = 10_000
// After that a program is up, although it does not listen.
const UP_TIME_MS = 3000
const TICK_MS = 10

/** Reads it of the running processes of a server. Outside Linux only the folder is known. Whether a process watches files is looked up until
 * one does or the server has run for a while: each look reads all processes. */
export function createServerCodeReader(folders: ProjectFolders): ServerWatch['readCode'] {
  const folder = realpathSync(folders.folder)
  const programs = createProgramReader({ folder, root: realpathSync(folders.root) })
  const written = new Set<string>()
  let known: { readonly startedAt: string; readonly code: ServerCode } | undefined
  return ({ child: { tree }, server: { startedAt, port } }, withPrograms) => {
    const base = { folder, pageFolder: '', startedAt: Date.parse(startedAt), programs: [] }
    if (process.platform !== 'linux') return { ...base, watchesFiles: undefined }
    if (!withPrograms && known?.startedAt === startedAt) return known.code
    const members = tree.members()
    const holders = readHolders(members, port)
    const isKnown = known?.startedAt === startedAt
    const code =
      isKnown && known
        ? known.code
        : { ...base, ...readWatching(members, holders, folder, programs.startsOthers(members)) }
    if (code.watchesFiles || Date.now() - code.startedAt > START_TIME_MS) known = { startedAt, code }
    if (!withPrograms) return code
    for (const { pid } of members)
      for (const path of readWrittenFiles(pid)) written.add(relative(folder, path))
    const listenerStartedAt = readListenerStart(holders)
    return { ...code, listenerStartedAt, programs: programs.read(members, code.watchesFiles), written }
  }
}

// --- internal ---

function readWatching(
  members: readonly ProcessEntry[],
  holders: readonly ProcessEntry[],
  folder: string,
  startsPrograms: (entry: ProcessEntry) => boolean,
): Pick<ServerCode, 'watchesFiles' | 'pageFolder'> {
  const isWatching = members.some(({ pid }) => hasFileWatch(pid))
  // A shell or a runner may have changed the folder before it started the server of the pages.
  const [holder] = holders
  const pageFolder = (holder && readLink(`/proc/${holder.pid}/cwd`)) || folder
  const mayLook = members.some(
    (member) =>
      isReloader(member) || isHot(member) || isPollingShell(member, members) || startsPrograms(member),
  )
  return {
    watchesFiles: isWatching || (mayLook ? undefined : false),
    pageFolder: relative(folder, pageFolder),
  }
}

/** Those that listen on the port, without those that have only passed their socket on to a child. */
function readHolders(members: readonly ProcessEntry[], port: number): ProcessEntry[] {
  const inodes = new Set(
    readTcpSockets().flatMap(({ isListening, local, inode }) =>
      isListening && local.port === port ? [inode] : [],
    ),
  )
  const holders = members.filter(({ pid }) => readSocketInodes(pid).some((inode) => inodes.has(inode)))
  return holders.filter(({ pid }) => !holders.some(({ parent }) => parent === pid))
}

// A program that was built from other files, or that takes changes without a start, tells nothing by its start.
function readListenerStart(holders: readonly ProcessEntry[]): number | undefined {
  if (
    holders.length === 0 ||
    holders.some((holder) => isHot(holder) || BUILT_PATTERN.test(commandOf(holder)))
  )
    return undefined
  return Math.min(...holders.map(startOf))
}

const BUILT_PATTERN = /(^|[\0/])(dist|build|out|\.next|\.output|target)\//

const commandOf = ({ pid }: ProcessEntry): string => readProcFile(pid, 'cmdline')

const startOf = ({ startTime }: ProcessEntry): number =>
  Date.now() - ((readUptimeTicks() ?? 0) - Number(startTime)) * TICK_MS

function createProgramReader(folders: ProjectFolders) {
  // The imports of a program are read once: what it imported at its start is what runs.
  const known = new Map<string, ReadonlySet<string> | undefined>()
  const filesByScript = new Map<string, ReadonlySet<string>>()
  const readFiles = (entry: ProcessEntry) => {
    const key = `${entry.pid} ${entry.startTime}`
    if (!known.has(key)) known.set(key, findProgramFiles(entry.pid, folders))
    return known.get(key)
  }
  const scriptOf = (entry: ProcessEntry) => readFiles(entry)?.values().next().value
  return {
    /** Whether a program has started another one: it may look at files, and start that again. */
    startsOthers: (members: readonly ProcessEntry[]) => (entry: ProcessEntry) => {
      const script = scriptOf(entry)
      const children = script === undefined ? [] : members.filter(({ parent }) => parent === entry.pid)
      return children.some((child) => ![undefined, script].includes(scriptOf(child)))
    },
    read(members: readonly ProcessEntry[], watchesFiles: boolean | undefined): ServerProgram[] {
      const listening = new Set(
        readTcpSockets().flatMap(({ isListening, inode }) => (isListening ? [inode] : [])),
      )
      // A reloader runs its script once more, as the program that serves; it has not read the file itself.
      const startsItself = (entry: ProcessEntry) =>
        isSupervisor(entry) ||
        members.some((member) => member.parent === entry.pid && scriptOf(member) === scriptOf(entry))
      const running = members.flatMap((member) => {
        const files = readFiles(member)
        if (!files || startsItself(member)) return []
        const startedAt = startOf(member)
        const listens = readSocketInodes(member.pid).some((inode) => listening.has(inode))
        const isUp = listens || Date.now() - startedAt > UP_TIME_MS
        return [{ script: scriptOf(member) ?? '', startedAt, files, isUp, isHot: isHot(member) }]
      })
      for (const { script, files } of running) filesByScript.set(script, files)
      // One that has ended is started again by what watches its files.
      const finished = [...filesByScript].filter(
        ([script]) => !running.some((program) => program.script === script),
      )
      const awaited =
        watchesFiles === false ? [] : finished.map(([, files]) => ({ startedAt: 0, files, isUp: false }))
      return [...running, ...awaited]
    },
  }
}

function hasFileWatch(pid: number): boolean {
  const folder = `/proc/${pid}/fd`
  return listFolder(folder).some((name) => readLink(`${folder}/${name}`) === 'anon_inode:inotify')
}

const WRITE_ONLY_OR_BOTH = 3

/** The files that a process has open to write. */
function readWrittenFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`
  return listFolder(folder).flatMap((name) => {
    const path = readLink(`${folder}/${name}`)
    if (!path.startsWith('/') || path.startsWith('/dev/')) return []
    const [, flags = '0'] = /^flags:\s*(\d+)/m.exec(readProcFile(pid, `fdinfo/${name}`)) ?? []
    return Number.parseInt(flags, 8) & WRITE_ONLY_OR_BOTH ? [path] : []
  })
}

const isReloader = (entry: ProcessEntry): boolean =>
  RELOADER_PATTERN.test(commandOf(entry)) || RELOADER_VARIABLE.test(`\0${readProcFile(entry.pid, 'environ')}`)

// Node itself starts the script that it watches as another process; others serve with the option that makes them watch.
const isSupervisor = (entry: ProcessEntry): boolean => {
  const command = commandOf(entry)
  return /\0--watch(-path)?(?=[\0=])/.test(command)
    ? !/^[^\0]*bun\0/.test(command)
    : /\b(nodemon|ts-node-dev|tsnd|node-dev|watchexec|watchmedo)\b/.test(command)
}

// Bun starts itself again as the same process.
const isHot = (entry: ProcessEntry): boolean =>
  HOT_PATTERN.test(commandOf(entry)) || /^[^\0]*bun\0(.*\0)?--watch\0/.test(commandOf(entry))

// A shell with a loop, or with a script of its own, that has started others may look at files and start them again.
function isPollingShell(entry: ProcessEntry, members: readonly ProcessEntry[]): boolean {
  const [program = '', ...args] = commandOf(entry).split('\0')
  const hasChildren = members.some(({ parent }) => parent === entry.pid)
  if (!hasChildren || !SHELL_PATTERN.test(basename(program))) return false
  return LOOP_PATTERN.test(args.join(' ')) || args.some((arg) => /\.sh$/.test(arg))
}
