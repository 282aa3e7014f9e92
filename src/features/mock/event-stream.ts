// The body of a stream of server-sent events, which a browser gets as a whole.

import type { StreamEvent } from './mock-rule.ts'

// An EventSource connects again when a stream has ended; the events would come twice.
const RETRY_MS = 86_400_000

/** The text of a stream. An `EventSource` is asked not to connect again for a day. */
export const formatEventStream = (events: readonly StreamEvent[], isEventSource: boolean): string =>
  (isEventSource ? `retry: ${RETRY_MS}\n\n` : '') + events.map(formatEvent).join('')

// --- internal ---

const dataText = ({ data = '' }: StreamEvent): string =>
  typeof data === 'string' ? data : (JSON.stringify(data) ?? '')

const oneLine = (text: string) => text.replace(/[\r\n]+/g, ' ')

function formatEvent(event: StreamEvent): string {
  const dataLines = dataText(event)
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}`)
  const idLines = event.id === undefined ? [] : [`id: ${oneLine(event.id)}`]
  const nameLines = event.event === undefined ? [] : [`event: ${oneLine(event.event)}`]
  return `${[...idLines, ...nameLines, ...dataLines].join('\n')}\n\n`
}
