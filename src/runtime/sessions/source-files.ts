// The texts of the source files of a dev server's project.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isSource } from '../../core/evidence/file-kinds.ts'
import type { OwnedServer } from '../ports/servers.ts'

const READ_BATCH_SIZE = 50
const FILE_LIMIT_CHARS = 500_000

/** Those in the folder of the server. Those with more than 500 kB are left out, because nobody writes them. */
export async function* readSources(server: OwnedServer): AsyncGenerator<{ path: string; text: string }> {
  const folder = server.code?.()?.folder
  const files = await server.files?.()
  if (!files || folder === undefined) return
  const paths = [...files.changes.keys()].filter((path) => isSource(path) && !path.startsWith('../'))
  for (let start = 0; start < paths.length; start += READ_BATCH_SIZE) {
    const batch = paths.slice(start, start + READ_BATCH_SIZE)
    const texts = await Promise.all(batch.map((path) => readFile(join(folder, path), 'utf8').catch(() => '')))
    for (const [index, path] of batch.entries()) {
      const text = texts[index] ?? ''
      if (text.length <= FILE_LIMIT_CHARS) yield { path, text }
    }
  }
}
