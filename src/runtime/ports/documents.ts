// Documents of users and of pages, such as source maps, HAR files, pictures and traces, that can take seconds to read.

import type { Result } from '../../core/result.ts'

/** A kind of document. Input, questions, answers and errors are plain data, because they may go to another thread. */
export interface DocumentType<I, Q, A, E> {
  readonly name: string
  /** Whether it is read so quickly that no other thread is needed. */
  isSmall(input: I): boolean
  /** Reads it. The function answers questions about it. */
  open(input: I): Promise<Result<(question: Q) => A | Promise<A>, E>>
}

export interface OpenDocument<Q, A> {
  /** Undefined if it took too long, or if the document was closed for that. */
  ask(question: Q): Promise<A | undefined>
  close(): void
}

/** Opens documents where they keep nobody waiting. The error is 'unreadable' if it takes more than `timeoutMs`. */
export type OpenDocumentOf = <I, Q, A, E>(
  type: DocumentType<I, Q, A, E>,
  input: I,
  timeoutMs: number,
) => Promise<Result<OpenDocument<Q, A>, E | 'unreadable'>>
