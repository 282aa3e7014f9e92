// A message that a remote browser sends. Parsing takes three times its size in memory, and nothing else is done meanwhile, so a long one is
// not parsed: an answer fails alone, and a report of what a page prints, throws, sends or receives is left out.

import { hasFewValues } from '../../core/base/text/json-size.ts'
import { isRecord, parseJson } from '../../core/base/text/json.ts'

const PARSED_LIMIT_BYTES = 32_000_000
/** Of one message; one of so many is no answer to anything that is asked. */
const VALUES_LIMIT = 1_000_000
/** Chromium writes the name of an event or the number of an answer first, and the session last. */
const END_CHARS = 160

/** What is to be worked on of it: nothing of a report that is left out. Undefined for what is no message, or too long. */
export function readMessage(data: Buffer): readonly object[] | undefined {
  if (data.length > PARSED_LIMIT_BYTES) return readLongMessage(data)
  if (!hasFewValues(data, VALUES_LIMIT)) return undefined
  const message = parseJson(String(data))
  return isRecord(message) ? [message] : undefined
}

// --- internal ---

const REPORT =
  /^\{"method":"(?:Runtime\.(?:consoleAPICalled|exceptionThrown)|Log\.entryAdded|Network\.(?:webSocketFrame\w+|eventSourceMessageReceived))"/

function readLongMessage(data: Buffer): readonly object[] | undefined {
  const head = data.toString('latin1', 0, END_CHARS)
  if (REPORT.test(head)) return []
  const id = /^\{"id":(\d+)/.exec(head)?.[1]
  if (id === undefined) return undefined
  const session = /"sessionId":"(\w+)"\}$/.exec(data.toString('latin1', data.length - END_CHARS))?.[1]
  const [size, limit] = [data.length, PARSED_LIMIT_BYTES].map((bytes) => Math.round(bytes / 1_000_000))
  const error = { code: -32_000, message: `the answer has ${size} MB, more than ${limit}` }
  return [{ id: Number(id), error, ...(session !== undefined && { sessionId: session }) }]
}
