// The entries of lists, one line each, recognized by their fields. Times are left out: `since` and the order are enough to find the cause.

import { relativeUrlOf } from '../../core/network/page-url.ts'
import { blockLines, durationText, indent, isEmpty, type Data } from './plain-lines.ts'

/** The lines of the entries of one list, in their order. The URLs of requests and messages are relative to that of the page. */
export function linesOfEntries(entries: readonly unknown[], pageUrl: string): readonly string[] {
  const records = entries.map((entry) => withRelativeUrls(entry as Data, pageUrl))
  const startedAt = Number(records[0]?.['timestamp'] ?? 0)
  return records.flatMap((entry) => linesOfEntry(entry, startedAt))
}

// --- internal ---

function withRelativeUrls(entry: Data, pageUrl: string): Data {
  const { url, location } = entry
  if ('method' in entry) return { ...entry, url: relativeUrlOf(String(url), pageUrl) }
  return typeof location === 'object' && location !== null
    ? { ...entry, location: withRelativeUrl(location as Data, pageUrl) }
    : entry
}

const withRelativeUrl = (location: Data, pageUrl: string): Data => ({
  ...location,
  ...(typeof location['url'] === 'string' && { url: relativeUrlOf(location['url'], pageUrl) }),
})

function linesOfEntry(entry: Data, startedAt: number): readonly string[] {
  if ('kind' in entry) return [timelineText(entry, startedAt)]
  if ('method' in entry) return requestLines(entry)
  if ('level' in entry) return messageLines(entry)
  if ('tag' in entry) return nodeLines(entry)
  if ('active' in entry)
    return [join(entry['id'], entry['url'], entry['active'] && '(active)', entry['title'])]
  if ('sessionId' in entry)
    return [join(entry['name'] ?? entry['sessionId'], entry['browser'], entry['status'])]
  return [JSON.stringify(entry)]
}

const join = (...parts: readonly unknown[]): string => parts.filter((part) => !isEmpty(part)).join(' ')

// The times of a timeline are relative to its first entry.
const timelineText = ({ seq, timestamp, kind, text }: Data, startedAt: number): string =>
  `${String(seq)} +${((Number(timestamp) - startedAt) / 1000).toFixed(1)} s ${String(kind)}: ${String(text)}`

function requestLines({ seq, method, url, status, failure, state, type, duration, mock, ...rest }: Data) {
  const outcome = status ?? failure ?? state
  const time = typeof duration === 'number' ? durationText(duration) : undefined
  const { frames, earlierFrames, note } = rest
  return [
    join(seq, method, url, '→', outcome, type, time, mock && `(mock ${String(mock)})`),
    ...indent([
      ...(typeof earlierFrames === 'number' ? [`… ${earlierFrames} earlier frames`] : []),
      ...(Array.isArray(frames) ? frames.map((frame) => frameText(frame as Data)) : []),
      ...(typeof note === 'string' ? [note] : []),
    ]),
  ]
}

const frameText = ({ direction, body, bytes }: Data): string =>
  `${String(direction)}: ${body === undefined ? `${String(bytes)} bytes` : String(body)}`

function messageLines({ seq, level, message, location, stack, count }: Data): readonly string[] {
  const repetitions = count === undefined ? undefined : `(${String(count)} times)`
  return [
    join(seq, `${String(level)}:`, message, repetitions, locationText(location)),
    ...(typeof stack === 'string' ? blockLines(stack) : []),
  ]
}

function locationText(location: unknown): string | undefined {
  if (typeof location !== 'object' || location === null) return undefined
  const { file, url, line, column } = location as Data
  const parts = [file ?? url, line, column].filter((part) => part !== undefined)
  return isEmpty(parts[0]) ? undefined : `(${parts.join(':')})`
}

function nodeLines({ tag, attributes, text, children }: Data, depth = 0): readonly string[] {
  const names = Object.entries((attributes ?? {}) as Data).map(([name, value]) =>
    value === '' ? name : `${name}=${JSON.stringify(value)}`,
  )
  const line = `${' '.repeat(depth)}<${[tag, ...names].join(' ')}>${isEmpty(text) ? '' : ` ${String(text)}`}`
  const childNodes = Array.isArray(children) ? children : []
  return [line, ...childNodes.flatMap((child) => nodeLines(child as Data, depth + 1))]
}
