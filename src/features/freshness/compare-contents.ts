// Whether what a page received of a file is the file as it is now, as it was before, or neither.

import { join } from 'node:path'
import { createBoundedMap } from '../../core/base/bounded-collections.ts'
import { hashContent } from '../../core/base/files/hash-content.ts'
import { readRegularFile } from '../../core/base/files/read-regular-file.ts'
import type { FileChange, ProjectFiles } from '../../core/sessions/types/freshness.ts'
import type { Page } from '../../core/sessions/types/page.ts'
import type { PageContent, PageFile } from './page-files.ts'
import { hasSameText } from './same-text.ts'

type Received = PageFile['received']

const KEPT_LIMIT = 1000
// A page of more files is not read as a whole.
const FILE_LIMIT = 60

export type ContentReader = (
  content: PageContent,
  files: ProjectFiles,
  folder: string,
) => Promise<PageContent>

/** Each answer is read once for each content of its file. */
export function createContentReader(readRequest: Page['readRequest']): ContentReader {
  const known = createBoundedMap<string, Promise<Received>>(KEPT_LIMIT)

  async function compare(seq: number, path: string, change: FileChange): Promise<Received> {
    const read = await readRequest(seq, 'body')
    // With a note it is a part.
    const { body, note } = read.ok ? read.value.response : {}
    if (body === undefined || note !== undefined || change.hash === undefined) return undefined
    const hash = hashContent(body)
    if (hash === change.hash || hasSameText(body, readRegularFile(path) ?? new Uint8Array())) return 'same'
    return change.earlierHashes?.includes(hash) ? 'earlier' : 'other'
  }

  return async (content, { changes }, folder) => {
    const read = async (file: PageFile, index: number): Promise<PageFile> => {
      const path = file.paths.find((candidate) => changes.has(candidate))
      const change = path === undefined ? undefined : changes.get(path)
      if (path === undefined || !change || file.doneAt === undefined || index >= FILE_LIMIT) return file
      const key = `${file.seq} ${path} ${change.hash}`
      const comparison = known.get(key) ?? compare(file.seq, join(folder, path), change)
      known.set(key, comparison)
      const received = await comparison
      return received ? { ...file, received } : file
    }
    return { ...content, files: await Promise.all(content.files.map(read)) }
  }
}
