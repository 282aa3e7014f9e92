import { failureText } from '../answers/failure-text.ts'
import { createResourceError } from '../era.ts'
import type { Failure } from '../../core/failure.ts'
import { parseResourceUri, type ResourceAddress } from '../../core/session/resource-uri.ts'
import { clip } from '../../core/text/clip.ts'

/** Throws a protocol error where the URI is none of Footlight's. */
export function parseAddress(uri: string): ResourceAddress {
  const address = parseResourceUri(uri)
  if (address) return address
  const message = `${clip(uri, 200)} is not a Footlight resource. See resources/list.`
  throw createResourceError(message, clip(uri, 2000))
}

/** The protocol error of a resource whose session or file does not exist. */
export const createNotFoundError = (failure: Failure, uri: string, redact: (text: string) => string): Error =>
  createResourceError(redact(failureText(failure)), redact(uri))
