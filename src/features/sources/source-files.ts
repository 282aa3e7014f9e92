// The texts of the source files of a dev server's project.

import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { readRegularFile } from '../../core/base/files/read-regular-file.ts'
import { isSourcePath } from '../../core/base/text/source-path.ts'
import type { OwnedServer } from '../../core/sessions/types/servers.ts'

const READ_BATCH_SIZE = 50
const SOURCE_LIMIT_BYTES = 500_000

/** Those in the folder of the server. Those with more than 500 kB are left out, because nobody writes them. */
export async function* readSources(server: OwnedServer): AsyncGenerator<{ path: string; text: string }> {
  const folder = server.code?.()?.folder
  const files = await server.files?.()
  if (!files || folder === undefined) return
  const paths = [...files.changes.keys()].filter((path) => isSourcePath(path) && !path.startsWith('../'))
  for (let start = 0; start < paths.length; start += READ_BATCH_SIZE) {
    await setImmediate()
    for (const path of paths.slice(start, start + READ_BATCH_SIZE)) {
      const text = readRegularFile(join(folder, path), SOURCE_LIMIT_BYTES)?.toString('utf8')
      if (text !== undefined) yield { path, text }
    }
  }
}
