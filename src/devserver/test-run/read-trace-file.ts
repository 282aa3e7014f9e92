// Reads the trace of a failed test: its events, the last picture of the page, and the bodies of failed responses.

import { writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { openPromise, type Entry } from 'yauzl'
import { locateMessages, type SourceFolders } from './locate-messages.ts'
import { parseJsonLines } from './read-events.ts'
import { err, ok } from '../../core/result.ts'
import { openDocument } from '../../runtime/documents/open-document.ts'
import type { DocumentType } from '../../runtime/ports/documents.ts'
import { readTrace, type TraceEvidence, type TraceRequest } from '../../core/test-run/trace-evidence.ts'

interface TraceFile {
  readonly path: string
  /** Where its last picture is written. */
  readonly picturePath: string
  readonly sources: SourceFolders
}

type TraceFileEvidence = Omit<TraceEvidence, 'console' | 'requests'> & {
  readonly console: readonly string[]
  readonly requests: readonly string[]
}

/** Compressed, a large trace is a small file. */
export const testTrace: DocumentType<TraceFile, 'all', TraceFileEvidence, 'unreadable'> = {
  name: 'test-trace',
  isSmall: () => false,
  async open(file) {
    try {
      const evidence = await readArchive(file)
      return ok(() => evidence)
    } catch {
      return err('unreadable')
    }
  },
}

const READ_TIMEOUT_MS = 10_000
const ENTRY_LIMIT_BYTES = 64 * 1024 * 1024
const BODY_LIMIT_BYTES = 256 * 1024
const BODY_LIMIT_CHARS = 150
const REQUEST_LIMIT = 20
const MESSAGE_LIMIT = 20

/** The evidence in a trace. Undefined if the file cannot be read. */
export async function readTraceFile(file: TraceFile): Promise<TraceFileEvidence | undefined> {
  const trace = await openDocument(testTrace, file, READ_TIMEOUT_MS)
  if (!trace.ok) return undefined
  const evidence = await trace.value.ask('all')
  trace.value.close()
  return evidence
}

// --- internal ---

async function readArchive({ path, picturePath, sources }: TraceFile): Promise<TraceFileEvidence> {
  const archive = await openPromise(path, { autoClose: false })
  try {
    const entries = new Map<string, Entry>()
    for await (const entry of archive.eachEntry()) entries.set(entry.fileName, entry)
    const read = async (name: string, limitBytes = ENTRY_LIMIT_BYTES): Promise<Buffer | undefined> => {
      const entry = entries.get(name)
      if (!entry || entry.uncompressedSize > limitBytes) return undefined
      return buffer(await archive.openReadStreamPromise(entry))
    }
    const readDocuments = async (names: readonly string[]) => {
      const texts = await Promise.all(names.map((name) => read(name)))
      return texts.flatMap((bytes) => parseJsonLines(bytes?.toString('utf8') ?? ''))
    }
    // `test.trace` has the steps of the test; the pages are in the others.
    const names = [...entries.keys()].sort()
    const evidence = readTrace(
      await readDocuments(names.filter((name) => name.endsWith('.trace') && name !== 'test.trace')),
      await readDocuments(names.filter((name) => name.endsWith('.network'))),
    )
    const picture = evidence.picture === undefined ? undefined : await read(evidence.picture)
    if (picture) writeFileSync(picturePath, picture, { mode: 0o600 })
    const { picture: _, ...rest } = evidence
    const messages = await locateMessages(evidence.console.slice(-MESSAGE_LIMIT), sources)
    const requests = await Promise.all(
      evidence.requests.slice(-REQUEST_LIMIT).map((request) => describeRequest(request, read)),
    )
    return { ...rest, ...(picture && { picture: picturePath }), console: messages, requests }
  } finally {
    archive.close()
  }
}

async function describeRequest(
  { text, body }: TraceRequest,
  read: (name: string, limitBytes: number) => Promise<Buffer | undefined>,
): Promise<string> {
  const bytes = body === undefined ? undefined : await read(body, BODY_LIMIT_BYTES)
  const excerpt = bytes?.toString('utf8').replace(/\s+/g, ' ').trim().slice(0, BODY_LIMIT_CHARS)
  return excerpt ? `${text} ${excerpt}` : text
}
