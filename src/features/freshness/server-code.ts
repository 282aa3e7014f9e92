// What the processes of a dev server have to do with its files: which of them watch files, what their programs read at their start, and
// what they write. Known on Linux only.

import { realpathSync } from 'node:fs'
import { relative } from 'node:path'
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
import type { ServerProgram } from '../../core/sessions/types/freshness.ts'

// After that a program is up, although it does not listen.
const UP_TIME_MS = 3000
const TICK_MS = 10

export function createServerCodeReader(folders: ProjectFolders): ServerWatch['readCode'] {
  const folder = realpathSync(folders.folder)
  const programs = createProgramReader({ folder, root: realpathSync(folders.root) })
  const written = new Set<string>()
  let known = { startedAt: '', pageFolder: '' }
  return ({ child: { tree }, server: { startedAt, port } }, withPrograms) => {
    const base = { folder, startedAt: Date.parse(startedAt), written }
    const isKnown = known.startedAt === startedAt
    if (process.platform !== 'linux' || (isKnown && !withPrograms))
      return { ...base, pageFolder: known.pageFolder, isWatching: false, programs: [] }
    const members = tree.members()
    if (!isKnown) known = { startedAt, pageFolder: relative(folder, readPageFolder(members, port) || folder) }
    for (const { pid } of members)
      for (const path of readWrittenFiles(pid)) written.add(relative(folder, path))
    const { pageFolder } = known
    return {
      ...base,
      pageFolder,
      ...(withPrograms ? programs.read(members) : { isWatching: false, programs: [] }),
    }
  }
}

// --- internal ---

/** That of the process that listens on the port: a shell or a runner may have changed the folder before it started it. Some have only passed
 * their socket on to a child. */
function readPageFolder(members: readonly ProcessEntry[], port: number): string {
  const inodes = new Set(
    readTcpSockets().flatMap(({ isListening, local, inode }) =>
      isListening && local.port === port ? [inode] : [],
    ),
  )
  const holders = members.filter(({ pid }) => readSocketInodes(pid).some((inode) => inodes.has(inode)))
  const holder = holders.find(({ pid }) => !holders.some(({ parent }) => parent === pid))
  return holder ? readLink(`/proc/${holder.pid}/cwd`) : ''
}

const startOf = ({ startTime }: ProcessEntry): number =>
  Date.now() - ((readUptimeTicks() ?? 0) - Number(startTime)) * TICK_MS

function createProgramReader(folders: ProjectFolders) {
  // The imports of a program are read once: what it imported at its start is what runs.
  const known = new Map<string, ReadonlySet<string> | undefined>()
  const filesByScript = new Map<string, ReadonlySet<string>>()
  const supervisors = new Set<string>()
  const keyOf = ({ pid, startTime }: ProcessEntry) => `${pid} ${startTime}`
  const readFiles = (entry: ProcessEntry) => {
    const key = keyOf(entry)
    if (!known.has(key)) known.set(key, findProgramFiles(entry.pid, folders))
    return known.get(key)
  }
  const scriptOf = (entry: ProcessEntry) => readFiles(entry)?.values().next().value
  return {
    read(members: readonly ProcessEntry[]): { isWatching: boolean; programs: readonly ServerProgram[] } {
      const listening = new Set(
        readTcpSockets().flatMap(({ isListening, inode }) => (isListening ? [inode] : [])),
      )
      const starters = new Set<ProcessEntry>()
      for (const member of members) {
        const script = scriptOf(member)
        const parent = members.find(({ pid }) => pid === member.parent)
        if (script === undefined || !parent || scriptOf(parent) === undefined) continue
        starters.add(parent)
        // What runs its script once more, as the program that serves, has not read the files itself.
        if (scriptOf(parent) === script) supervisors.add(keyOf(parent))
      }
      const isReader = (entry: ProcessEntry) => readFiles(entry) && !supervisors.has(keyOf(entry))
      const running = members.filter(isReader).map((member) => {
        const startedAt = startOf(member)
        const listens = readSocketInodes(member.pid).some((inode) => listening.has(inode))
        const isUp = listens || Date.now() - startedAt > UP_TIME_MS
        const files = readFiles(member) ?? new Set<string>()
        return { script: scriptOf(member) ?? '', startedAt, files, isUp, isHot: hasFileWatch(member.pid) }
      })
      for (const { script, files } of running) filesByScript.set(script, files)
      const finishedPrograms = [...filesByScript].filter(
        ([script]) => !running.some((program) => program.script === script),
      )
      const isWatching = starters.size > 0 || members.some(({ pid }) => hasFileWatch(pid))
      const awaited = finishedPrograms.map(([, files]) => ({ startedAt: 0, files, isUp: false }))
      return { isWatching, programs: [...running, ...awaited] }
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
