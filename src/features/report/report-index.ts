// `footlight report DIR/`: an index of the reports below a folder, for which no session is needed.

import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, realpath } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import process from 'node:process'
import { replaceFile, withFile } from '../../core/base/files/kept-files.ts'
import { filesBelow } from '../../core/base/files/session-files.ts'
import { exitWhenOutputCloses } from '../../core/cli/terminal/output.ts'
import type { InnerCommand } from '../../core/tool/command.ts'
import type { ShellAnswer } from '../lib/socket/shell-answer.ts'
import { type IndexedReport, isOwnIndex, readSummary, renderIndex } from './render-index.ts'

const INDEX_NAME = 'index.html'
/** The head of a report is within these. */
const HEAD_LIMIT_BYTES = 8000

/** Writes the index of the folder that its first word names, and says where it is. */
export const reportIndexCommand: InnerCommand = {
  async run([folder = '.']) {
    exitWhenOutputCloses()
    const { text, exitCode, stream } = await writeReportIndex(folder)
    process[stream].write(text)
    process.exitCode = exitCode
  },
}

/** Writes the index of a folder, in place of the last one. */
export async function writeReportIndex(folder: string): Promise<ShellAnswer> {
  const target = join(resolve(folder), INDEX_NAME)
  try {
    const reports = await readReports(folder)
    if (reports.length === 0) {
      const text = `There is no report in ${folder}. footlight report FILE.html writes one of a session.\n`
      return { text, exitCode: 1, stream: 'stdout' }
    }
    const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
    await replaceIndex(target, renderIndex(reports, hashOf))
    return { text: `${target}\n`, exitCode: 0, stream: 'stdout' }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { text: `footlight report: ${reason}\n`, exitCode: 2, stream: 'stderr' }
  }
}

// --- internal ---

/** Replaces the last index. What else has that name stays. */
async function replaceIndex(target: string, text: string): Promise<void> {
  const status = await lstat(target).catch(() => undefined)
  if (status && !(status.isFile() && isOwnIndex(await readHead(target))))
    throw new Error(`${target} is no index of reports, so it stays. Move it, or pass another folder`)
  await replaceFile(join(await realpath(dirname(target)), INDEX_NAME), text)
}

/** The reports below a folder, those with failures first, then the newest. Links are not followed. */
async function readReports(folder: string): Promise<readonly IndexedReport[]> {
  const files = await filesBelow(folder)
  if (!files) throw new Error(`there is no folder ${folder}`)
  const reports: IndexedReport[] = []
  for (const file of files.filter((name) => /\.html?$/i.test(name))) {
    const summary = readSummary(await readHead(join(folder, file)).catch(() => ''))
    if (summary) reports.push({ ...summary, path: file.split(sep).join('/') })
  }
  return reports.toSorted(
    (a, b) => Math.sign(b.failures) - Math.sign(a.failures) || b.date.localeCompare(a.date),
  )
}

const readHead = (path: string): Promise<string> =>
  withFile(path, constants.O_RDONLY, async (file) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_LIMIT_BYTES), 0, HEAD_LIMIT_BYTES, 0)
    return buffer.toString('utf8', 0, bytesRead)
  })
