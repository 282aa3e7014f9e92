// Console messages as tool results show them: stacks reduced to the frames of the application, each origin once per stack, repeated
// messages counted.

import { isStackFrame } from '../../base/text/error-lines.ts'

export interface ShownMessage {
  readonly seq: number
  readonly timestamp: number
  readonly level: string
  readonly message: string
  readonly location?: unknown
  readonly stack?: string
  /** The number of repetitions, if more than one; `seq` and `timestamp` are those of the last one. */
  readonly count?: number
}

const STACK_FRAME_LIMIT = 4
const libraryFrame =
  /(?:\/|\(|at )node_modules\/|\/\.vite\/deps\/|\/@vite\/|\/@react-refresh|\/_next\/static\/chunks\/(node_modules_|framework-|webpack)|webpack\/(runtime|bootstrap)|\(<anonymous>\)$|\bnode:/
// Text may follow a frame, such as the next value of a message.
const frameEnd = /(:\d+|<anonymous>|native|\[native code\])\)?$/

/** The text with its stacks shortened: the first frame of each and the next frames of the application. */
export function shortenStacks(text: string): string {
  if (!text.includes('\n') && !isStackFrame(text)) return text
  const lines: string[] = []
  let frames: string[] = []
  const endStack = () => {
    lines.push(...shortenStack(frames))
    frames = []
  }
  for (const line of text.split('\n')) {
    if (isStackFrame(line) && frameEnd.test(line)) frames.push(line)
    else {
      endStack()
      lines.push(line)
    }
  }
  endStack()
  return lines.join('\n')
}

/** The frames of a stack, without the message before them; undefined if it has none. */
export function stackFramesOf(stack: string): string | undefined {
  const lines = stack.split('\n')
  const first = lines.findIndex(isStackFrame)
  return first < 0 ? undefined : lines.slice(first).join('\n')
}

/** Merges repeated messages: errors and warnings anywhere, other messages only if they are consecutive. */
export function foldRepeatedMessages(messages: readonly ShownMessage[]): ShownMessage[] {
  const messageByGroup = new Map<string, ShownMessage>()
  let last = { key: '', group: '' }
  for (const message of messages) {
    const key = keyOf(message)
    const isProblem = message.level === 'error' || message.level === 'warning'
    const group = isProblem ? key : key === last.key ? last.group : String(message.seq)
    const previous = messageByGroup.get(group)
    // A repeated message moves to its last position.
    messageByGroup.delete(group)
    messageByGroup.set(group, previous ? { ...message, count: (previous.count ?? 1) + 1 } : message)
    last = { key, group }
  }
  return [...messageByGroup.values()]
}

// --- internal ---

const keyOf = ({ level, message, location, stack = '' }: ShownMessage): string =>
  `${level}\n${JSON.stringify(location)}\n${stack}\n\n${message}`

function shortenStack(frames: readonly string[]): readonly string[] {
  const applicationFrames = frames
    .filter((frame, index) => index === 0 || !libraryFrame.test(frame))
    .slice(0, STACK_FRAME_LIMIT)
  const omittedCount = frames.length - applicationFrames.length
  return [
    ...removeRepeatedOrigins(applicationFrames),
    ...(omittedCount > 0 ? [`… ${omittedCount} more`] : []),
  ]
}

function removeRepeatedOrigins(frames: readonly string[]): readonly string[] {
  let lastOrigin = ''
  return frames.map((frame) =>
    frame.trim().replace(/https?:\/\/[^/\s)]+(?=\/)/, (origin) => {
      if (origin === lastOrigin) return ''
      lastOrigin = origin
      return origin
    }),
  )
}
