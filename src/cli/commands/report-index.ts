// `footlight report DIR/`: an index of the reports below a folder, for which no session is needed.

import { createHash } from 'node:crypto'
import { open, readdir, writeFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { readSummary, renderIndex, type IndexedReport } from '../../core/report/render-index.ts'
import type { ShellAnswer } from '../../core/shell-message.ts'

const INDEX_NAME = 'index.html'
/** The head of a report is within these. */
const HEAD_LIMIT_BYTES = 8000

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
    await writeFile(target, renderIndex(reports, hashOf), { mode: 0o600 })
    return { text: `${target}\n`, exitCode: 0, stream: 'stdout' }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { text: `footlight report: ${reason}\n`, exitCode: 2, stream: 'stderr' }
  }
}

// --- internal ---

/** The reports below a folder, those with failures first, then the newest. Links are not followed. */
async function readReports(folder: string): Promise<readonly IndexedReport[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && /\.html?$/i.test(entry.name))
  const root = resolve(folder)
  const reports = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(resolve(parentPath), name)
      const summary = readSummary(await readHead(path))
      return summary
        ? [
            {
              ...summary,
              path: path
                .slice(root.length + 1)
                .split(sep)
                .join('/'),
            },
          ]
        : []
    }),
  )
  return reports
    .flat()
    .toSorted((a, b) => Math.sign(b.failures) - Math.sign(a.failures) || b.date.localeCompare(a.date))
}

async function readHead(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_LIMIT_BYTES), 0, HEAD_LIMIT_BYTES, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
