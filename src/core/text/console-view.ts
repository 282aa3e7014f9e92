// Messages of a console as an answer shows them: of a stack the lines that name the application's code, an origin once in each stack,
// and what was said again counted.

import { isStackFrame } from '../evidence/error-lines.ts'

export interface ShownMessage {
  readonly seq: number
  readonly timestamp: number
  readonly level: string
  readonly message: string
  readonly location?: unknown
  readonly stack?: string
  /** How often it was said, where that is more than once; seq and timestamp are those of the last time. */
  readonly count?: number
}

const STACK_FRAME_LIMIT = 4
const libraryFrame =
  /\/node_modules\/|\/\.vite\/deps\/|\/@vite\/|\/@react-refresh|\/_next\/static\/chunks\/(node_modules_|framework-|webpack)|webpack\/(runtime|bootstrap)|\(<anonymous>\)$|\bnode:/
// Text may follow a frame, such as the next value of a message.
const frameEnd = /(:\d+|<anonymous>|native|\[native code\])\)?$/

/** The text with its stacks shortened: of each where it was thrown and the next frames of the application. */
export function shortenStacks(text: string): string {
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

/** The frames of a stack; undefined where it has none. The lines before them are the message. */
export function stackFramesOf(stack: string): string | undefined {
  const lines = stack.split('\n')
  const first = lines.findIndex(isStackFrame)
  return first < 0 ? undefined : lines.slice(first).join('\n')
}

/** Errors and warnings that were said before are counted wherever they stand, other messages where nothing came between. */
export function foldRepeatedMessages(messages: readonly ShownMessage[]): ShownMessage[] {
  const messageByGroup = new Map<string, ShownMessage>()
  let last = { key: '', group: '' }
  for (const message of messages) {
    const key = keyOf(message)
    const isProblem = message.level === 'error' || message.level === 'warning'
    const group = isProblem ? key : key === last.key ? last.group : String(message.seq)
    const previous = messageByGroup.get(group)
    // It moves to where it was said last.
    messageByGroup.delete(group)
    messageByGroup.set(group, previous ? { ...message, count: (previous.count ?? 1) + 1 } : message)
    last = { key, group }
  }
  return [...messageByGroup.values()]
}

// --- internal ---

const keyOf = ({ level, message, location, stack }: ShownMessage): string =>
  JSON.stringify([level, message, location, stack])

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
