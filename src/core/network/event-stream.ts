// The body of a stream of server-sent events. A browser gets the body of a mock as a whole: events with delays are put into one event of a
// name of their own, which a function inside the page takes apart again (src/browser/in-page/actions/mock-in-page.ts).

import type { StreamEvent } from './mock-rule.ts'

/** The event that has the others. */
export const PACED_EVENTS_NAME = 'footlight-events'

// An EventSource connects again when a stream has ended; the events would come twice.
const RETRY_MS = 86_400_000

/** An event for the page: `text` is how it stands in a stream. */
export interface PacedEvent {
  readonly text: string
  readonly event: string
  readonly data: string
  readonly id: string
  readonly delay: number
}

/** The text of a stream. An `EventSource` is asked not to connect again for a day. */
export function formatEventStream(events: readonly StreamEvent[], isEventSource: boolean): string {
  const retry = isEventSource ? `retry: ${RETRY_MS}\n\n` : ''
  const isPaced = events.some(({ delay = 0 }) => delay > 0)
  if (!isPaced) return retry + events.map(formatEvent).join('')
  const pacedEvents = events.map((event) => ({
    text: formatEvent(event),
    event: event.event ?? 'message',
    data: dataText(event),
    id: event.id ?? '',
    delay: event.delay ?? 0,
  }))
  return `${retry}event: ${PACED_EVENTS_NAME}\ndata: ${JSON.stringify(pacedEvents)}\n\n`
}

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
