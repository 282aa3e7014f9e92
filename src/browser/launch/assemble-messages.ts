// The messages that arrive through the pipe of a browser, not decoded yet. Each ends with a zero byte. Of a report that becomes too long only
// the beginning and the end are kept.

import { readCutMessage, readShape, SHAPE_CHARS, type MessageShape } from '../../core/protocol/raw-message.ts'

export interface RawMessage {
  /** Without its middle if it was cut. */
  readonly parts: readonly Buffer[]
  readonly size: number
  readonly shape: MessageShape
}

interface DecodedMessage {
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly sessionId?: string
}

/** Longer than what is kept of any report. */
const CUT_LIMIT_BYTES = 256 * 1024
const CUT_HEAD_BYTES = 64 * 1024
const CUT_TAIL_BYTES = 4096

/** Undefined if nothing can be read of a message that was cut. */
export function decodeMessage({ parts, size, shape }: RawMessage): DecodedMessage | undefined {
  const [first = Buffer.alloc(0)] = parts
  const bytes = parts.length > 1 ? Buffer.concat(parts) : first
  if (size <= CUT_LIMIT_BYTES || !shape.isReport) return JSON.parse(bytes.toString('utf8'))
  return readCutMessage(
    bytes.toString('utf8', 0, CUT_HEAD_BYTES),
    bytes.toString('utf8', bytes.length - CUT_TAIL_BYTES),
  )
}

/** Returns a function that takes the next bytes. `pending` is the beginning of the first message. */
export function createAssembler(
  pending: readonly Buffer[],
  add: (message: RawMessage) => void,
): (chunk: Buffer) => void {
  const shapeOf = createShapeReader()
  let parts = [...pending]
  let size = parts.reduce((sum, part) => sum + part.length, 0)

  function append(part: Buffer): void {
    if (part.length === 0) return
    size += part.length
    parts.push(part)
    if (size <= CUT_LIMIT_BYTES || parts.length < 3 || !readShape(headOf(parts), '').isReport) return
    const [head = part] = parts
    parts = head.length < CUT_HEAD_BYTES ? [Buffer.concat(parts)] : [head, part]
  }

  function finish(): void {
    const last = parts.length > 1 ? Buffer.concat(parts.slice(-2)) : parts[0]
    if (!last) return
    add({ parts, size, shape: shapeOf(parts[0] ?? last, last) })
    parts = []
    size = 0
  }

  return (chunk) => {
    let start = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      append(chunk.subarray(start, end))
      finish()
      start = end + 1
    }
    append(chunk.subarray(start))
  }
}

// --- internal ---

// The messages of a flood are alike, so most are what the one before was.
function createShapeReader(): (first: Buffer, last: Buffer) => MessageShape {
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  let shape: MessageShape = { method: undefined, isReport: false, session: '' }
  return (first, last) => {
    const tailStart = Math.max(0, last.length - SAME_TAIL_BYTES)
    const isSame =
      shape.method !== undefined &&
      shape.attachedSession === undefined &&
      first.length >= SAME_HEAD_BYTES &&
      head.compare(first, 0, SAME_HEAD_BYTES) === 0 &&
      tail.compare(last, tailStart, last.length) === 0
    if (isSame) return shape
    shape = readShape(headOf([first]), last.toString('latin1', Math.max(0, last.length - SHAPE_CHARS)))
    head = Buffer.from(first.subarray(0, SAME_HEAD_BYTES))
    tail = Buffer.from(last.subarray(tailStart))
    return shape
  }
}

/** The name of an event, and its session. */
const SAME_HEAD_BYTES = 60
const SAME_TAIL_BYTES = 47

const headOf = ([first]: readonly Buffer[]): string => first?.toString('latin1', 0, SHAPE_CHARS) ?? ''
