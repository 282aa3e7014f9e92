// The answers to requests and their failures, as journal entries.

import type { Request, Response } from 'playwright'
import { initiatorOf } from './request-initiators.ts'
import { clip } from '../../base/text/clip.ts'
import type { JournalEntry } from '../../sessions/journal/journal.ts'

export interface MockMark {
  readonly id: string
  /** Why the request failed, if it did because of the mock. */
  readonly reason?: string
}

/** Whether a request opens a WebSocket. Over BiDi that is reported as a request like others. */
export const isHandshake = (request: Request): boolean => request.headers()['sec-fetch-mode'] === 'websocket'

/** `seq` is the number of the request in the network log, `mimeType` that of the response without its parameters. */
export function responseEntry(
  response: Response,
  seq: number,
  mimeType: string | undefined,
  mock: MockMark | undefined,
): Omit<JournalEntry, 'seq' | 'at'> {
  const status = response.status()
  const request = response.request()
  const isError = status >= SERVER_ERROR_STATUS || (status >= FAILED_STATUS && isHandshake(request))
  const level = (isError && 'error') || (status >= FAILED_STATUS && 'warning') || 'info'
  const isHtml = isHtmlForScript(request, mimeType)
  return {
    kind: 'request',
    level,
    text: `${request.method()} ${clip(response.url(), URL_LIMIT_CHARS)} → ${status}${mockTextOf(mock)}`,
    data: {
      type: request.resourceType(),
      status,
      ...(isFailedForScript(response) && { request: seq }),
      ...(isHtml && { isHtml }),
      ...((isHtml || level !== 'info') && initiatorDataOf(request)),
      ...(mock && { mock: mock.id }),
    },
  }
}

/** Whether a script gets the response, and it is an error. */
export const isFailedForScript = (response: Response): boolean =>
  response.status() >= FAILED_STATUS && SCRIPTED_TYPES.has(response.request().resourceType())

/** A request that is aborted because the page navigates is no failure. */
export function failureEntry(
  request: Request,
  reason: string,
  mock: MockMark | undefined,
): Omit<JournalEntry, 'seq' | 'at'> {
  const level = /ERR_ABORTED|NS_BINDING_ABORTED/.test(reason) ? 'info' : 'error'
  return {
    kind: 'request',
    level,
    text: `${request.method()} ${clip(request.url(), URL_LIMIT_CHARS)} → ${reason}${mockTextOf(mock)}`,
    data: { ...(level === 'error' && initiatorDataOf(request)), ...(mock && { mock: mock.id }) },
  }
}

// --- internal ---

const URL_LIMIT_CHARS = 4000
const FAILED_STATUS = 400
const SERVER_ERROR_STATUS = 500
/** The types of requests that scripts start and whose answers they read. */
const SCRIPTED_TYPES = new Set(['fetch', 'xhr'])

const mockTextOf = (mock: MockMark | undefined): string => (mock ? ` (mock ${mock.id})` : '')

// A script that requests data and gets a page instead fails when it reads that.
const isHtmlForScript = (request: Request, mimeType: string | undefined): boolean =>
  mimeType === 'text/html' && SCRIPTED_TYPES.has(request.resourceType())

const initiatorDataOf = (request: Request): { stack?: string } => {
  const stack = SCRIPTED_TYPES.has(request.resourceType()) ? initiatorOf(request) : undefined
  return stack === undefined ? {} : { stack }
}
