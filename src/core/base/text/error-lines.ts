// Finds the lines of an output that name the cause of an error, and shortens long output: the cause is kept, stacks are cut.

import { clip, normalizeSpace } from './clip.ts'
import { isLibraryPath } from './source-path.ts'

const CAUSE_LIMIT_CHARS = 500
const FRAME_LIMIT_CHARS = 150
const LINE_LIMIT_CHARS = 300
const FRAME_LIMIT = 3
const CONTEXT_LIMIT_LINES = 12

// Stack frames of JavaScript and Java, of Firefox and Safari, of Python.
const STACK_FRAME =
  /^[\s│]*(at \S|[\w$.<>/*]*@(https?|file|webpack|node|blob):|File ".*", line \d|\[native code\])/
const NAMED_ERROR =
  /^\W*(uncaught |unhandled \S+ )?([\w$.]*(Error|Exception|Warning)\b(?! handler)|panic:|fatal\b|error\b)/i
const FAILURE_WORDS =
  /\b(errors? in|failed to|failed with|could not resolve|cannot find|can't resolve|not found|exception|unexpected|unhandled|error\b)/i
const NO_ERROR_WORDS = /\b(0|no) errors?\b|\bwithout errors?\b/i

// Lines can be very long; only the beginning is matched.
const LINE_START_CHARS = 400
const lineStartOf = (line: string): string => line.slice(0, LINE_START_CHARS)

// What concurrently, Turborepo, Foreman and others print before each line of a command.
const PREFIX = /^(?:\[[\w:@./ -]{1,40}\]|[\w@./-]{1,40}:[\w-]{1,20}:|[\d:]* ?[\w.-]{1,30}\s*\|)(?=\s)/
const lineWithoutPrefix = (line: string): string => lineStartOf(line).replace(PREFIX, '')

export const isStackFrame = (line: string): boolean => STACK_FRAME.test(lineWithoutPrefix(line))

const isOwnFrame = (line: string): boolean =>
  !isLibraryPath(lineStartOf(line)) && !/\(?(node|bun|internal):|\[native code\]|<anonymous>\)?$/.test(line)

export function isErrorLine(line: string): boolean {
  const head = lineStartOf(line)
  return !isStackFrame(head) && !NO_ERROR_WORDS.test(head) && (isNamedError(head) || FAILURE_WORDS.test(head))
}

const isNamedError = (line: string): boolean => NAMED_ERROR.test(lineWithoutPrefix(line))

/** The first frame of the application among the lines of a stack, or else the first one; undefined if there is none. */
export const findFrame = (lines: readonly string[]): string | undefined =>
  lines.find((line) => isStackFrame(line) && !isLibraryPath(lineStartOf(line))) ?? lines.find(isStackFrame)

/** Summarizes an error with an optional stack in one line: up to 500 characters of the message, and a frame of the application. If `limit`
 * is given, the whole has at most so many characters, and the message is cut first. */
export function summarizeError(text: string, limit?: number): string {
  const lines = text.split('\n')
  const firstFrame = lines.findIndex(isStackFrame)
  if (firstFrame <= 0) return clip(normalizeSpace(text), limit ?? CAUSE_LIMIT_CHARS)
  // A console message has its location after its stack, where it is often the same one.
  const frame = normalizeSpace(findFrame(lines) ?? '').replace(/( \([^()]{1,150}\))\1$/, '$1')
  const clippedFrame = clip(frame, FRAME_LIMIT_CHARS)
  // The mark of a cut and the space need two characters.
  const causeLimit = limit === undefined ? CAUSE_LIMIT_CHARS : limit - clippedFrame.length - 2
  return `${clip(normalizeSpace(lines.slice(0, firstFrame).join(' ')), causeLimit)} ${clippedFrame}`
}

/** The lines that describe an error: first those that begin with the name of an error, then the others. */
export const findErrorLines = (lines: readonly string[]): readonly string[] =>
  findErrors(lines).map(({ line }) => line)

interface PrintedError {
  readonly line: string
  /** Such as `src/app.ts:7`: what the lines after it name, if it names no line of a file itself. */
  readonly position?: string
}

/** The same lines with their positions. */
export function findErrors(lines: readonly string[]): readonly PrintedError[] {
  const joinedLines = joinBoxedLines(lines)
  const causes = joinedLines.flatMap((line, index): PrintedError[] => {
    if (!isErrorLine(line)) return []
    if (hasPosition(line)) return [{ line }]
    const rest = joinedLines.slice(index + 1, index + 1 + CONTEXT_LIMIT_LINES)
    const next = rest.findIndex(isErrorLine)
    const position = findErrorPosition(next < 0 ? rest : rest.slice(0, next))
    return [{ line, position }]
  })
  const isNamed = ({ line }: PrintedError) => isNamedError(line)
  return [...causes.filter(isNamed), ...causes.filter((cause) => !isNamed(cause))]
}

const BOX_HEAD = /^[■▲●◆◇] /
const BOX_LINE = /^│ +(?=\S)/
const BOX_LINE_LIMIT = 3

// Storybook and others print boxes with a line at the left and wrap the text: the next lines continue the first one.
function joinBoxedLines(lines: readonly string[]): readonly string[] {
  const joined: string[] = []
  let remainingLines = 0
  for (const line of lines) {
    if (remainingLines > 0 && BOX_LINE.test(line) && !isStackFrame(line)) {
      remainingLines -= 1
      joined.push(`${joined.pop() ?? ''} ${lineStartOf(line).replace(BOX_LINE, '')}`)
    } else {
      remainingLines = BOX_HEAD.test(line) ? BOX_LINE_LIMIT : 0
      joined.push(line)
    }
  }
  return joined
}

export interface OutputLine {
  readonly text: string
  /** Such as `-1.2 s`; empty if unknown. */
  readonly age: string
}

/** The last lines within `characters`: error lines up to 500 characters, the first frames of each stack. `more` is appended if lines were omitted. */
export function limitOutput(
  lines: readonly OutputLine[],
  { most, characters, more }: { most: number; characters: number; more: string },
): string[] {
  const visibleLines = shortenStacks(lines).filter(({ text }) => text.trim() !== '')
  const outputLines: string[] = []
  let size = 0
  for (const { text, age } of visibleLines.slice(-most).toReversed()) {
    const line = clip(text.trimEnd(), isErrorLine(text) ? CAUSE_LIMIT_CHARS : LINE_LIMIT_CHARS)
    size += line.length + age.length
    if (size > characters) break
    outputLines.unshift(age ? `${age} ${line}` : line)
  }
  return outputLines.length < lines.filter(({ text }) => text.trim() !== '').length
    ? [...outputLines, more]
    : outputLines
}

// Of each stack the first frames of the project, or else the first ones.
function shortenStacks(lines: readonly OutputLine[]): readonly OutputLine[] {
  const result: OutputLine[] = []
  for (let index = 0; index < lines.length;) {
    let end = index
    while (isStackFrame(lines[end]?.text ?? '')) end += 1
    const stack = lines.slice(index, end)
    const own = stack.filter(({ text }) => isOwnFrame(text))
    result.push(...(own.length > 0 ? own : stack).slice(0, FRAME_LIMIT))
    const line = lines[end]
    if (line) result.push(line)
    index = end + 1
  }
  return result
}

/** The error lines of an output, each with the lines that follow it, as build tools print them. */
export function findFailureOutput<T extends { readonly text: string }>(lines: readonly T[]): readonly T[] {
  const CONTEXT_LIMIT_LINES = 8
  let remainingLines = 0
  return lines.filter(({ text }) => {
    if (isErrorLine(text)) remainingLines = CONTEXT_LIMIT_LINES
    else if (!isStackFrame(text)) remainingLines = Math.max(0, remainingLines - 1)
    return remainingLines > 0 && text.trim() !== ''
  })
}

// The position in a source file that a build tool or a server prints below an error: in a stack, in the head of a code frame, or in a line
// of its own.
/** Such as `src/app.ts:7` or, for a file outside of the working directory of the server, an absolute path with a line. Undefined if no line
 * names one. `lines` are those after the line of the error, up to the next error. */
export function findErrorPosition(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    const position = findPosition(line)
    if (position !== undefined) return position
  }
  return undefined
}

/** Whether a line names a line of a source file itself. */
export const hasPosition = (line: string): boolean => findPosition(line) !== undefined

const POSITION_LINE_LIMIT_CHARS = 400

const EXTENSIONS =
  '[cm]?[jt]sx?|vue|svelte|astro|s?css|sass|less|html?|mdx?|json|py|rb|php|go|rs|exs?|java|kt|cs'

// A path that a bracket, a quote or a space may precede, with a line after a colon, a bracket or a space.
const POSITION = new RegExp(
  `(?<=^|[\\s('"\`[])(?:file://)?((?:[a-z]:)?[\\w./@~\\\\][^\\s:'"\`<>|│]{0,300}\\.(?:${EXTENSIONS}))(?:[:(](\\d{1,7})(?:[:,]\\d+)?|",? line (\\d{1,7})| (\\d{1,7}):\\d+)(?!\\d)`,
  'i',
)

function findPosition(line: string): string | undefined {
  const text = line.slice(0, POSITION_LINE_LIMIT_CHARS)
  if (isLibraryPath(text) || /\(?node:/.test(text)) return undefined
  const match = POSITION.exec(text)
  const lineNumber = match?.[2] ?? match?.[3] ?? match?.[4]
  return match?.[1] === undefined || lineNumber === undefined
    ? undefined
    : `${match[1].replace(/^(\.\/)+/, '')}:${lineNumber}`
}

// The element whose text the server rendered differently than the browser, in what React and Vue print about a failed hydration.
/** `tag` is undefined if it is not printed; `text` is that of the browser, which the page shows afterwards. */
interface HydrationMismatch {
  readonly tag?: string
  readonly text: string
}

/** The first mismatch of a text in a console message; undefined if it reports none. */
export function findHydrationMismatch(message: string): HydrationMismatch | undefined {
  if (!/hydrat/i.test(message)) return undefined
  const ofVue = /Hydration text (?:content )?mismatch[^]{0,2000}?\n\s*- expected on client: ([^\n]+)/.exec(
    message,
  )
  const vueText = ofVue?.[1]?.trim().replace(/^"(.*)"$/, '$1')
  if (vueText) return isShort(vueText) ? { text: vueText } : undefined
  return findInTree(message.split('\n'))
}

/** A selector for the element; it may match several. */
export const selectorOf = ({ tag = '', text }: HydrationMismatch): string =>
  `${tag}:text-is(${JSON.stringify(text)})`

const SHORT_TEXT_LIMIT_CHARS = 200

const isShort = (text: string): boolean => text !== '' && text.length <= SHORT_TEXT_LIMIT_CHARS

// React prints the tree of components with the text of the browser after `+`, below the line of its element.
function findInTree(lines: readonly string[]): HydrationMismatch | undefined {
  const index = lines.findIndex((line) => /^\+\s+[^<\s]/.test(line))
  const text = lines[index]?.slice(1).trim() ?? ''
  const indent = indentOf(lines[index] ?? '')
  const parent = lines.slice(0, Math.max(0, index)).findLast((line) => indentOf(line) < indent)
  const [, tag] = /^\s*<([a-z][a-z\d]*)(?=[\s>])/.exec(parent ?? '') ?? []
  return tag !== undefined && isShort(text) ? { tag, text } : undefined
}

const indentOf = (line: string): number => line.slice(1).search(/\S/) + 1
