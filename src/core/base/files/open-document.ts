// Opens documents: a small one here, a large one in a thread, so that the calls of all sessions are served meanwhile. Each has a thread
// for itself, so that one that takes too long ends no other, unless a page has many of its kind; those that are kept are opened again after that.

import process from 'node:process'
import { parentPort, Worker } from 'node:worker_threads'
import { err, ok, type Result } from '../result.ts'
import { createDeferred, settleWithin } from '../system/settle-within.ts'
import type { DocumentType, OpenDocument, OpenDocumentOf } from './files.ts'

interface DocumentThread {
  /** The answer to a request; undefined if it took too long, or if the thread has ended. */
  request(
    message: Omit<DocumentRequest, 'id'>,
    timeoutMs: number,
    transfer?: readonly ArrayBuffer[],
  ): Promise<DocumentResponse | undefined>
  readonly hasEnded: () => boolean
  /** Counts a document that is open; the thread ends with the last one. */
  hold(): void
  release(): void
}

/** For each question. */
const ANSWER_TIMEOUT_MS = 10_000

const sharedThreads = new Map<string, DocumentThread>()
let lastDocument = 0

export const openDocument: OpenDocumentOf = async (type, input, timeoutMs) =>
  type.isSmall(input) ? openHere(type, input) : openInThread(type, input, timeoutMs)

async function openHere<I, Q, A, E>(
  type: DocumentType<I, Q, A, E>,
  input: I,
): Promise<Result<OpenDocument<Q, A>, E>> {
  const openResult = await type.open(input)
  return openResult.ok
    ? ok({ ask: async (question) => openResult.value(question), close: () => {} })
    : openResult
}

async function openInThread<I, Q, A, E>(
  { name, sharesThread = false, isKept = false }: DocumentType<I, Q, A, E>,
  input: I,
  timeoutMs: number,
): Promise<Result<OpenDocument<Q, A>, E | 'unreadable'>> {
  async function open(): Promise<Result<OpenInThread, E | 'unreadable'>> {
    const thread = sharesThread ? shareThread(name) : startThread()
    thread.hold()
    const document = (lastDocument += 1)
    // Bytes that are not needed again are transferred, not copied.
    const transfer = input instanceof Uint8Array && !isKept ? [input.buffer as ArrayBuffer] : []
    const openResult = await thread.request({ document, name, input }, timeoutMs, transfer)
    if (openResult && !('error' in openResult)) return ok({ thread, document })
    thread.release()
    return err(openResult ? (openResult.error as E) : 'unreadable')
  }
  let opening = open()
  const first = await opening
  if (!first.ok) return first
  let isOpen = true
  /** Where it is open: the thread may have ended with the question of another document, or with one that took too long. */
  async function findThread(): Promise<OpenInThread | undefined> {
    const latest = opening
    const result = await latest
    if (result.ok && !(isKept && result.value.thread.hasEnded())) return result.value
    if (opening === latest && isOpen) opening = open()
    const again = await opening
    return again.ok ? again.value : undefined
  }
  return ok({
    async ask(question) {
      const at = isOpen ? await findThread() : undefined
      const answer = await at?.thread.request({ document: at.document, question }, ANSWER_TIMEOUT_MS)
      return answer && 'value' in answer ? (answer.value as A) : undefined
    },
    close() {
      if (isOpen) void opening.then((result) => result.ok && result.value.thread.release())
      isOpen = false
    },
  })
}

interface OpenInThread {
  readonly thread: DocumentThread
  readonly document: number
}

/** The thread of all documents of a kind. */
function shareThread(name: string): DocumentThread {
  const running = sharedThreads.get(name)
  if (running && !running.hasEnded()) return running
  const thread = startThread()
  sharedThreads.set(name, thread)
  return thread
}

function startThread(): DocumentThread {
  // The file of this program, which serves documents where it is not the main thread.
  const worker = new Worker(process.argv[1] ?? '', { execArgv: process.execArgv })
  // The first message says that it listens: Deno drops what comes before.
  const start = createDeferred()
  worker.once('message', () => start.resolve())
  const waiting = new Map<number, (response: DocumentResponse | undefined) => void>()
  let lastRequest = 0
  let [holdCount, hasEnded] = [0, false]
  function end(): void {
    hasEnded = true
    for (const resolve of waiting.values()) resolve(undefined)
    waiting.clear()
    void worker.terminate()
  }
  const thread: DocumentThread = {
    async request(message, timeoutMs, transfer = []) {
      const id = (lastRequest += 1)
      const { promise, resolve } = createDeferred<DocumentResponse | undefined>()
      waiting.set(id, resolve)
      void start.promise.then(() => worker.postMessage({ ...message, id }, [...transfer]))
      const response = await settleWithin(timeoutMs, promise)
      waiting.delete(id)
      // The thread is ended with the work that takes too long.
      if (response === undefined) end()
      return response instanceof Error ? undefined : response
    },
    hasEnded: () => hasEnded,
    hold: () => void (holdCount += 1),
    release() {
      holdCount -= 1
      if (holdCount === 0) end()
    },
  }
  worker.on('message', (response: DocumentResponse) => waiting.get(response.id)?.(response))
  worker.on('error', end)
  worker.on('exit', end)
  worker.unref()
  return thread
}

/** The first one about a document has its kind and input, further ones a question. */
interface DocumentRequest {
  readonly id: number
  readonly document: number
  readonly name?: string
  readonly input?: unknown
  readonly question?: unknown
}

type DocumentResponse = { readonly id: number } & ({ readonly value: unknown } | { readonly error: unknown })

export type AnyDocumentType = DocumentType<never, never, unknown, unknown>

/** Serves the thread that has started this one. */
export function serveDocuments(types: readonly AnyDocumentType[]): void {
  const documents = new Map<number, (question: never) => unknown>()

  async function respond({
    id,
    document,
    name,
    input,
    question,
  }: DocumentRequest): Promise<DocumentResponse> {
    const answer = documents.get(document)
    if (answer) return { id, value: await answer(question as never) }
    const type = types.find((candidate) => candidate.name === name)
    if (!type) throw new Error(`There is no document of the kind ${name}.`)
    const openResult = await type.open(input as never)
    if (!openResult.ok) return { id, error: openResult.error }
    documents.set(document, openResult.value)
    return { id, value: undefined }
  }

  parentPort?.on('message', (request: DocumentRequest) => {
    void respond(request).then((response) => parentPort?.postMessage(response))
  })
  parentPort?.postMessage({ id: 0, value: undefined })
}
