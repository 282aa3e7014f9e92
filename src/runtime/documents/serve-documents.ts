// The thread in which documents are read.

import { parentPort } from 'node:worker_threads'
import type { DocumentType } from '../ports/documents.ts'

/** The first one about a document has its kind and input, further ones a question. */
export interface DocumentRequest {
  readonly id: number
  readonly document: number
  readonly name?: string
  readonly input?: unknown
  readonly question?: unknown
}

export type DocumentResponse = { readonly id: number } & (
  { readonly value: unknown } | { readonly error: unknown }
)

type AnyDocumentType = DocumentType<never, never, unknown, unknown>

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
