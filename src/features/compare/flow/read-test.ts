// Reads a test that save_test wrote back into steps. Its expectations are no steps. What it does not know it names, with its line.

import { err, ok, type Result } from '../../../core/base/result.ts'
import { clip } from '../../../core/base/text/clip.ts'
import type {
  RecordedAction,
  RecordedElement,
  RecordedStep,
} from '../../../core/sessions/types/recorded-step.ts'
import { withoutDescription } from '../../lib/recording/recorded-element.ts'
import { type ArgumentValue, endOfLiteral, readArguments } from '../../lib/replay/read-literals.ts'

export interface ReadTest {
  readonly actions: readonly RecordedAction[]
  /** Settings of the test that a flow does not have, such as `test.use({ … })`. */
  readonly leftOut: readonly string[]
}

/** Addresses stay as they are written: `/`. The error says what cannot be read. */
export function readTest(text: string): Result<ReadTest, string> {
  const actions: RecordedAction[] = []
  const leftOut: string[] = []
  const variables = new Map<string, string>()
  let testCount = 0
  if (text.length > TEST_LIMIT_CHARS) return err(`more than ${TEST_LIMIT_CHARS} characters`)
  const statements = statementsOf(text)
  if (!statements.ok) return statements
  for (const { code, line } of statements.value) {
    if (code === TEST_START) {
      testCount += 1
      if (testCount > 1) return err(`line ${line}: a second test`)
      continue
    }
    if (NO_STEP.test(code)) continue
    if (code.startsWith('test.')) {
      leftOut.push(code)
      continue
    }
    if (code === PASSKEYS) {
      actions.push({ kind: 'passkeys', change: 'set' })
      continue
    }
    const [, name, value] = /^const (\w+) = (page\..+)$/s.exec(code) ?? []
    if (name !== undefined && value !== undefined && /\b(frameLocator|contentFrame)\(/.test(value)) {
      variables.set(name, value)
      continue
    }
    const written = code.replace(/^await (\w+)/, (_, word: string) => variables.get(word) ?? word)
    const action = written.startsWith('page.') ? actionOf(callsOf(written.slice('page.'.length))) : undefined
    if (!action) return err(`line ${line}: ${clip(code, CODE_LIMIT_CHARS)}`)
    actions.push(action)
  }
  return actions.length > 0 ? ok({ actions, leftOut }) : err('it has no step')
}

/** All sessions wait while it is read. */
const TEST_LIMIT_CHARS = 500_000
const CODE_LIMIT_CHARS = 300

const TEST_START = 'test'
const NO_STEP =
  /^(import\b|await expect(\.\w+)?\(|const (state|counter) = |for \(const passkey of state\b|await context\.addInitScript\(\(origins\))/
const PASSKEYS = 'await context.credentials.install()'

interface Statement {
  readonly code: string
  readonly line: number
}

/** The code of a statement while it is read. It is put together at its end: to look at a long text that grows costs as much as to copy it. */
function createBuilder() {
  let [parts, head, tail]: [string[], string, string] = [[], '', '']
  return {
    add(text: string): void {
      parts.push(text)
      if (head.length < BLOCK_HEAD_CHARS) head += text.slice(0, BLOCK_HEAD_CHARS)
      tail = (tail + text.slice(-TAIL_CHARS)).slice(-TAIL_CHARS)
    },
    isEmpty: () => parts.length === 0,
    tail: () => tail,
    isBlockHead: () => head.length < BLOCK_HEAD_CHARS && /^(await )?test(\.step|\.describe)?\($/.test(head),
    isTest: () => head.startsWith('test('),
    /** Whether a bracket now opens the body of a test or a step. */
    isBlockStart: () => /^(await )?test(\.step|\.describe)?\(/.test(head) && /(=>|\)) ?$/.test(tail),
    take(): string {
      const code = parts.join('').trim()
      ;[parts, head, tail] = [[], '', '']
      return code
    },
  }
}

/** Longer than `await test.describe(`. */
const BLOCK_HEAD_CHARS = 30
const TAIL_CHARS = 4

/** The statements of all blocks, without comments, each in one line. The error names what has no end. */
function statementsOf(text: string): Result<readonly Statement[], string> {
  const statements: Statement[] = []
  const code = createBuilder()
  let [depth, line, start] = [0, 1, 1]
  const end = (statement: string) => {
    if (statement !== '') statements.push({ code: statement, line: start })
    depth = 0
  }
  for (let at = 0; at < text.length;) {
    const blankEnd = endOfBlank(text, at)
    const literalEnd = blankEnd > at ? at : endOfLiteral(text, at, code.tail())
    if (literalEnd === undefined) return err(`line ${line}: a text without an end`)
    const from = at
    at = Math.max(blankEnd, literalEnd, at + 1)
    if (code.isEmpty()) start = line
    const taken = text.slice(from, at)
    line += taken.split('\n').length - 1
    if (blankEnd > from) {
      const isComment = text[from] === '/'
      const isNeeded = !code.isEmpty() && !/[([.]$/.test(code.tail()) && !/[.)\]]/.test(text[at] ?? '')
      if (!isComment && isNeeded && !code.tail().endsWith(' ')) code.add(' ')
    } else if (literalEnd > from) code.add(taken)
    else if (taken === '{' && code.isBlockStart()) {
      const isTest = code.isTest()
      code.take()
      end(isTest ? TEST_START : '')
    } else if (taken === ';' && depth === 0) end(code.take())
    // The end of a block.
    else if (/[)}]/.test(taken) && depth === 0) code.take()
    else {
      if (/[([{]/.test(taken)) depth += 1
      if (/[)\]}]/.test(taken)) depth -= 1
      code.add(taken)
    }
    // The head of a block is no open bracket of it.
    if (code.isBlockHead()) depth = 0
  }
  end(code.take())
  return ok(statements)
}

const SPACE = /\s+/y

/** Where the comment or the space ends that begins at a place; that place if none does. */
function endOfBlank(text: string, at: number): number {
  if (text[at] === '/' && (text[at + 1] === '/' || text[at + 1] === '*')) {
    const isLine = text[at + 1] === '/'
    const endAt = text.indexOf(isLine ? '\n' : '*/', at + 2)
    return endAt < 0 ? text.length : isLine ? endAt : endAt + 2
  }
  SPACE.lastIndex = at
  return at + (SPACE.exec(text)?.[0].length ?? 0)
}

interface MethodCall {
  readonly name: string
  /** What stands between its brackets; undefined without brackets. */
  readonly inside: string | undefined
}

/** `getByRole('button').click()` as its calls. */
function callsOf(code: string): readonly MethodCall[] {
  const calls: MethodCall[] = []
  for (let rest = code; rest !== '';) {
    const name = /^\.?(\w+)/.exec(rest)
    if (!name) return []
    rest = rest.slice(name[0].length)
    const length = rest.startsWith('(') ? lengthOfBrackets(rest) : 0
    calls.push({ name: name[1] ?? '', inside: length > 0 ? rest.slice(1, length - 1) : undefined })
    rest = rest.slice(length)
  }
  return calls
}

function lengthOfBrackets(code: string): number {
  let depth = 0
  for (let at = 0; at < code.length;) {
    const end = endOfLiteral(code, at, code.slice(Math.max(0, at - TAIL_CHARS), at)) ?? code.length
    if (end === at && /[([{]/.test(code[at] ?? '')) depth += 1
    if (end === at && /[)\]}]/.test(code[at] ?? '')) depth -= 1
    at = Math.max(at + 1, end)
    if (depth === 0) return at
  }
  return code.length
}

const elementAt = (code: string): RecordedElement => withoutDescription({ selector: code, code })

const codeOfCalls = (calls: readonly MethodCall[]): string =>
  calls.map(({ name, inside }) => (inside === undefined ? name : `${name}(${inside})`)).join('.')

const optionsOf = (value: ArgumentValue | undefined): Readonly<Record<string, ArgumentValue>> =>
  typeof value === 'object' && !Array.isArray(value) ? (value as Readonly<Record<string, ArgumentValue>>) : {}

function actionOf(calls: readonly MethodCall[]): RecordedAction | undefined {
  const last = calls.at(-1)
  if (last?.inside === undefined) return undefined
  const owner = calls.slice(0, -1)
  const target = owner.length > 0 && owner.at(-1)?.inside !== undefined ? codeOfCalls(owner) : undefined
  if (last.name === 'dragTo' && target !== undefined)
    return {
      kind: 'drag',
      element: elementAt(target),
      to: elementAt(last.inside.replace(/^page\.|,$/g, '')),
    }
  const values = readArguments(last.inside)
  if (!values) return undefined
  return target === undefined
    ? pageAction([...owner.map(({ name }) => name), last.name].join('.'), values)
    : elementAction(last.name, elementAt(target), values)
}

function pageAction(name: string, [first, second]: readonly ArgumentValue[]): RecordedAction | undefined {
  if (name === 'goto' && typeof first === 'string')
    return {
      kind: 'navigate',
      url: first,
      isHydrated: optionsOf(second)['waitUntil'] === 'networkidle',
      ...(optionsOf(second)['waitUntil'] === 'domcontentloaded' && { isEndless: true }),
    }
  if (name === 'goBack') return { kind: 'history', direction: 'back' }
  if (name === 'goForward') return { kind: 'history', direction: 'forward' }
  if (name === 'reload') return { kind: 'history', direction: 'reload' }
  if (name === 'keyboard.press' && typeof first === 'string') return { kind: 'press', key: first }
  if (name === 'keyboard.type' && typeof first === 'string') return { kind: 'type', text: first }
  return undefined
}

function elementAction(
  name: string,
  element: RecordedElement,
  [first, second]: readonly ArgumentValue[],
): RecordedAction | undefined {
  if (name === 'click') return { kind: 'click', element, options: optionsOf(first) }
  if (name === 'dblclick') return { kind: 'click', element, options: { ...optionsOf(first), clickCount: 2 } }
  if (name === 'hover') return { kind: 'hover', element }
  if (name === 'check' || name === 'uncheck') return { kind: 'fill', element, value: name === 'check' }
  if (name === 'selectOption' && (typeof first === 'string' || Array.isArray(first)))
    return { kind: 'select', element, values: [first].flat().map(String) }
  if (typeof first !== 'string') return undefined
  if (name === 'fill') return { kind: 'fill', element, value: first }
  if (name === 'press') return { kind: 'press', element, key: first }
  const { delay } = optionsOf(second)
  if (name === 'pressSequentially')
    return { kind: 'type', element, text: first, ...(typeof delay === 'number' && { delay }) }
  return undefined
}

/** The steps of actions, on one tab. */
export const stepsOf = (actions: readonly RecordedAction[]): readonly RecordedStep[] =>
  actions.map((action) => ({
    seq: 0,
    tab: 't1',
    action,
    urlBefore: '',
    urlAfter: '',
    durationMs: 0,
  }))
