// The changed files of which nobody counts lines whose present bytes a page has received: pictures, data, documents.

import { join } from 'node:path'
import type { BrowserContext, Response } from 'playwright'
import { readFileBelow } from '../../../core/base/files/read-regular-file.ts'
import { settleWithin } from '../../../core/base/system/settle-within.ts'
import { hashBytes } from '../ledger/text-hash.ts'
import { isCode } from '../source/source-structure.ts'
import type { ReceivedFile } from './reading.ts'
import type { WorkTree } from './wanted-sources.ts'

export interface ReceivedFiles {
  /** Those since the last call. */
  take(): Promise<readonly ReceivedFile[]>
  end(): void
}

const RESPONSE_LIMIT = 200
const BODY_LIMIT_BYTES = 5_000_000
const ANSWER_TIMEOUT_MS = 1000

export function watchReceivedFiles(
  context: BrowserContext,
  { changed, root, acceptOrigin }: Pick<WorkTree, 'changed' | 'root' | 'acceptOrigin'>,
): ReceivedFiles {
  let responses: Response[] = []
  const onResponse = (response: Response) => {
    // Most have no such file, and a body takes time.
    if (response.ok() && acceptOrigin(response.url()))
      responses = [...responses, response].slice(-RESPONSE_LIMIT)
  }
  context.on('response', onResponse)
  return {
    async take() {
      const files = [...changed()].filter((file) => !isCode(file))
      if (files.length === 0) return []
      const taken = responses
      responses = []
      const bodies = taken.map((response) => response.body().catch(() => undefined))
      const received: ReceivedFile[] = []
      await settleWithin(
        ANSWER_TIMEOUT_MS,
        Promise.all(bodies.map(async (body) => received.push(...findReceived(await body, files, root)))),
      )
      return received
    },
    end: () => void context.off('response', onResponse),
  }
}

// --- internal ---

function findReceived(
  body: Buffer | undefined,
  files: readonly string[],
  root: string,
): readonly ReceivedFile[] {
  if (!body || body.length > BODY_LIMIT_BYTES) return []
  return files.flatMap((file) => {
    const bytes = readFileBelow(join(root, file), root, BODY_LIMIT_BYTES)
    return bytes && contains(body, bytes) ? { file, content: hashBytes(bytes) } : []
  })
}

/** Whether a body is a file, or a document into which a server has written more: then it has all lines of the file in their order. */
function contains(body: Buffer, bytes: Buffer): boolean {
  if (bytes.length === 0 || bytes.equals(body)) return bytes.length > 0
  if (!bytes.subarray(0, MARKUP_CHARS).toString('latin1').trimStart().startsWith('<')) return false
  const text = body.toString('utf8')
  let at = 0
  for (const line of bytes.toString('utf8').split(/\r?\n/)) {
    const index = text.indexOf(line.trim(), at)
    if (index < 0) return false
    at = index + line.trim().length
  }
  return true
}

const MARKUP_CHARS = 1000
