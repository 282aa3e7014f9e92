// What the page of the view gets, as types.

import type { Frame } from '../../../core/sessions/types/person.ts'
import type { ViewedSession } from './viewed-session.ts'

export type ViewAnswer =
  | { readonly ok: true; readonly value?: unknown }
  /** A sentence for people. */
  | { readonly ok: false; readonly text: string }

/** Calls the server of this name; without a name, the one that has the page. */
export type CallServer = (
  server: string,
  method: string,
  params: object,
  signal?: AbortSignal,
) => Promise<ViewAnswer>

/** A session of one of the servers of the user. */
export interface ServedSession extends ViewedSession {
  /** Names its server. */
  readonly server: string
}

export interface ServedFrame extends Omit<Frame, 'bytes'> {
  readonly base64: string
}

/** The picture that a page has of a session: it asks for a newer one. */
export interface FrameRequest {
  readonly server: string
  readonly session: string
  readonly after: number
}

/** A newer one. */
export interface FrameAnswer extends Omit<FrameRequest, 'after'> {
  readonly frame: ServedFrame
}
