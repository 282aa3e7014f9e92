// What a trace of Playwright says about the page of a failed test. The format of all versions since 1.50.

import { clip, normalizeSpace } from '../../core/base/text/clip.ts'
import { isRecord } from '../../core/base/text/json.ts'
import { findPositions, type ScriptPosition } from '../sources/script-positions.ts'

export interface TraceEvidence {
  readonly url?: string
  readonly title?: string
  /** The text of the page, for versions that attach no accessibility snapshot. */
  readonly text: string
  /** Errors and uncaught exceptions. */
  readonly console: readonly TraceMessage[]
  readonly requests: readonly TraceRequest[]
  /** The last action and its log. */
  readonly action?: string
  /** The entry of the trace that has the last picture of the page. */
  readonly picture?: string
}

/** A message with the position of its script, as the browser loaded it. */
export interface TraceMessage {
  readonly text: string
  readonly position?: ScriptPosition
}

export interface TraceRequest {
  readonly text: string
  /** The entry of the trace that has the body of its response. */
  readonly body?: string
}

/** Reads the events of the pages and of the network, each the documents of its lines in order. */
export function readTrace(events: readonly unknown[], network: readonly unknown[]): TraceEvidence {
  const records = events.filter(isRecord)
  const snapshots = records.flatMap(({ type, snapshot }) =>
    type === 'frame-snapshot' && isRecord(snapshot) ? [snapshot as unknown as FrameSnapshot] : [],
  )
  const page = readSnapshotText(snapshots)
  const frame = records.findLast(({ type }) => type === 'screencast-frame')
  const action = readLastAction(records)
  return {
    ...page,
    console: records.flatMap(readConsole),
    requests: network.filter(isRecord).flatMap(({ snapshot }) => readRequest(snapshot)),
    action,
    ...(frame && { picture: textOf(frame['file']) || `resources/${textOf(frame['sha1'])}` }),
  }
}

/** The accessibility snapshot in the error context that Playwright attaches to a failed test; undefined if it has none. */
export function readPageSnapshot(errorContext: string): string | undefined {
  const [, snapshot] = /^# Page snapshot\s+```yaml\n([\s\S]*?)\n```/m.exec(errorContext) ?? []
  return snapshot?.replaceAll(/ \[ref=\w+\]| \[cursor=pointer\]/g, '')
}

type TraceRecord = Readonly<Record<string, unknown>>

const LINE_LIMIT_CHARS = 400
// More than is shown: positions in it become shorter.
const ERROR_LIMIT_CHARS = 2000
const recordOf = (value: unknown): TraceRecord => (isRecord(value) ? value : {})
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

// The browser's own message about a failed request repeats that request.
function readConsole(record: TraceRecord): readonly TraceMessage[] {
  if (record['type'] === 'console' && record['messageType'] === 'error') {
    const text = textOf(record['text'])
    if (text.startsWith('Failed to load resource:')) return []
    return [{ text: clip(text, ERROR_LIMIT_CHARS), ...positionOf(record['location']) }]
  }
  if (record['type'] !== 'event' || record['method'] !== 'pageError') return []
  const error = recordOf(recordOf(recordOf(record['params'])['error'])['error'])
  const { message, name, stack } = error
  const [position] = findPositions(textOf(stack), 1)
  const text = clip(`uncaught ${textOf(name) || 'Error'}: ${textOf(message)}`, ERROR_LIMIT_CHARS)
  return [{ text, position }]
}

function positionOf(location: unknown): Pick<TraceMessage, 'position'> {
  const { url, lineNumber, columnNumber } = recordOf(location)
  if (textOf(url) === '') return {}
  const [line, column] = [Number(lineNumber ?? 0) + 1, Number(columnNumber ?? 0) + 1]
  return { position: { url: textOf(url), line, column } }
}

// Requests that were aborted with their page are no failures.
function readRequest(snapshot: unknown): readonly TraceRequest[] {
  const { request, response } = recordOf(snapshot)
  const { method, url } = recordOf(request)
  const { status, _failureText: failureText, content } = recordOf(response)
  const statusCode = Number(status ?? 0)
  const isAborted = /ABORTED|NS_BINDING_ABORTED/.test(textOf(failureText))
  if (isAborted || (statusCode < 400 && textOf(failureText) === '')) return []
  const { mimeType, _sha1: name, _file: file } = recordOf(content)
  const isText = /json|text\/(plain|html)/.test(textOf(mimeType))
  const body = textOf(file) || (textOf(name) && `resources/${textOf(name)}`)
  const result = statusCode >= 400 ? String(statusCode) : textOf(failureText)
  return [
    {
      text: clip(`${textOf(method)} ${textOf(url)} ${result}`, LINE_LIMIT_CHARS),
      ...(isText && body && { body }),
    },
  ]
}

function readLastAction(records: readonly TraceRecord[]): string | undefined {
  const action = records.findLast(({ type }) => type === 'before')
  if (!action) return undefined
  const { callId, apiName, method, params } = action
  const { selector, url } = recordOf(params)
  const logs = records.flatMap((record) =>
    record['type'] === 'log' && record['callId'] === callId ? [textOf(record['message']).trim()] : [],
  )
  const subject = textOf(selector) || textOf(url)
  const head = [textOf(apiName) || textOf(method), subject].filter(Boolean).join(' ')
  return [head, ...new Set(logs.slice(-LOG_LIMIT))].join('; ')
}

const LOG_LIMIT = 6

/** One snapshot of a frame. `html` is a tree of nodes, in which `[[count, index]]` is a node of the snapshot `count` snapshots before,
 * counted from its leaves. */
export interface FrameSnapshot {
  readonly frameId: string
  readonly frameUrl: string
  readonly isMainFrame: boolean
  readonly html: unknown
}

/** The URL, the title and the visible text of the newest main frame, one line for each element with a text of its own. */
export function readSnapshotText(snapshots: readonly FrameSnapshot[]): {
  readonly url?: string
  readonly title?: string
  readonly text: string
} {
  const last = snapshots.findLast(({ isMainFrame }) => isMainFrame)
  if (!last) return { text: '' }
  const pages = snapshots.filter(({ frameId }) => frameId === last.frameId)
  const lines: SnapshotLine[] = []
  collectLines(last.html, pages.length - 1, { pages, lines, element: { tag: '' } })
  const title = lines.find(({ element }) => element.tag === 'title')?.text
  return {
    url: last.frameUrl,
    ...(title !== undefined && { title: normalizeSpace(title) }),
    text: lines
      .filter(({ element }) => !hiddenTags.has(element.tag))
      .map(({ element, text }) => `${element.tag}: ${normalizeSpace(text)}`)
      .join('\n'),
  }
}

/** The text of an element without that of others in it. */
interface SnapshotLine {
  readonly element: SnapshotElement
  text: string
}

interface SnapshotElement {
  readonly tag: string
}

interface Collection {
  readonly pages: readonly FrameSnapshot[]
  readonly lines: SnapshotLine[]
  readonly element: SnapshotElement
}

const hiddenTags: ReadonlySet<string> = new Set(['title', 'style', 'script', 'noscript', 'template', 'svg'])
const LINE_LIMIT = 200

function collectLines(node: unknown, index: number, collection: Collection): void {
  const { pages, lines, element } = collection
  if (lines.length >= LINE_LIMIT) return
  if (typeof node === 'string') {
    const line = lines.at(-1)
    // A framework writes a text with a value in it as several.
    if (line?.element === element) line.text += node
    else if (node.trim() !== '') lines.push({ element, text: node })
    return
  }
  if (!Array.isArray(node)) return
  const [head, , ...children] = node as unknown[]
  if (Array.isArray(head)) {
    const [count, position] = head as number[]
    const target = index - (count ?? 0)
    const page = pages[target]
    if (page && count !== 0) collectLines(listNodes(page.html)[position ?? -1], target, collection)
    return
  }
  if (typeof head !== 'string') return
  const own = { ...collection, element: { tag: head.toLowerCase() } }
  for (const child of children) collectLines(child, index, own)
}

/** The texts and elements of a snapshot, children before their parents, without references. */
function listNodes(html: unknown): readonly unknown[] {
  if (typeof html === 'string') return [html]
  if (!Array.isArray(html) || typeof html[0] !== 'string') return []
  return [...html.slice(2).flatMap(listNodes), html]
}
