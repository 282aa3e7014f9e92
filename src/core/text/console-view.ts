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

const FRAMES = 4
const LIBRARY =
  /\/node_modules\/|\/\.vite\/deps\/|\/@vite\/|\/@react-refresh|\/_next\/static\/chunks\/(node_modules_|framework-|webpack)|webpack\/(runtime|bootstrap)|\(<anonymous>\)$|\bnode:/
// Text may follow a frame, such as the next value of a message.
const FRAME_END = /(:\d+|<anonymous>|native|\[native code\])\)?$/

/** The text with its stacks shortened: of each where it was thrown and the next frames of the application. */
export function shortStacks(text: string): string {
  const lines: string[] = []
  let run: string[] = []
  const end = () => {
    lines.push(...shortRun(run))
    run = []
  }
  for (const line of text.split('\n')) {
    if (isStackFrame(line) && FRAME_END.test(line)) run.push(line)
    else {
      end()
      lines.push(line)
    }
  }
  end()
  return lines.join('\n')
}

/** The frames of a stack; undefined where it has none. The lines before them are the message. */
export function stackFrames(stack: string): string | undefined {
  const lines = stack.split('\n')
  const first = lines.findIndex(isStackFrame)
  return first < 0 ? undefined : lines.slice(first).join('\n')
}

/** Errors and warnings that were said before are counted wherever they stand, other messages where nothing came between. */
export function folded(messages: readonly ShownMessage[]): ShownMessage[] {
  const kept = new Map<string, ShownMessage>()
  let last = { key: '', place: '' }
  for (const message of messages) {
    const key = keyOf(message)
    const isBad = message.level === 'error' || message.level === 'warning'
    const place = isBad ? key : key === last.key ? last.place : String(message.seq)
    const before = kept.get(place)
    // It moves to where it was said last.
    kept.delete(place)
    kept.set(place, before ? { ...message, count: (before.count ?? 1) + 1 } : message)
    last = { key, place }
  }
  return [...kept.values()]
}

// --- internal ---

const keyOf = ({ level, message, location, stack }: ShownMessage): string =>
  JSON.stringify([level, message, location, stack])

function shortRun(frames: readonly string[]): readonly string[] {
  const own = frames.filter((frame, index) => index === 0 || !LIBRARY.test(frame)).slice(0, FRAMES)
  const left = frames.length - own.length
  return [...withOriginOnce(own), ...(left > 0 ? [`… ${left} more`] : [])]
}

function withOriginOnce(frames: readonly string[]): readonly string[] {
  let told = ''
  return frames.map((frame) =>
    frame.trim().replace(/https?:\/\/[^/\s)]+(?=\/)/, (origin) => {
      if (origin === told) return ''
      told = origin
      return origin
    }),
  )
}
