// Reads a test that save_test wrote back into steps. Its expectations are no steps. What it does not know it names, with its line.

import type { RecordedAction, RecordedElement, RecordedStep } from '../recording/recorded-step.ts'
import { literalLength, readArguments, type ArgumentValue } from './read-literals.ts'
import { err, ok, type Result } from '../result.ts'

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
  for (const { code, line } of statementsOf(text)) {
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
    if (!action) return err(`line ${line}: ${code}`)
    actions.push(action)
  }
  return actions.length > 0 ? ok({ actions, leftOut }) : err('it has no step')
}

// --- internal ---

const TEST_START = 'test'
const NO_STEP =
  /^(import\b|await expect(\.\w+)?\(|const (state|counter) = |for \(const passkey of state\b|await context\.addInitScript\(\(origins\))/
const PASSKEYS = 'await context.credentials.install()'
const BLOCK_START = /^(await )?test(\.step|\.describe)?\(.*(=>|\))$/s

interface Statement {
  readonly code: string
  readonly line: number
}

/** The statements of all blocks, without comments, each in one line. */
function statementsOf(text: string): readonly Statement[] {
  const statements: Statement[] = []
  let [code, depth, line, start] = ['', 0, 1, 1]
  const end = (statement: string) => {
    if (statement !== '') statements.push({ code: statement, line: start })
    ;[code, depth] = ['', 0]
  }
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at, at + PART_LIMIT_CHARS)
    const part = /^(\/\/[^\n]*|\/\*[\s\S]*?\*\/)/.exec(rest)?.[0]
    const space = /^\s+/.exec(rest)?.[0]
    const skipped = part ?? space
    const literal = skipped === undefined ? rest.slice(0, literalLength(rest, code)) : ''
    const taken = skipped ?? (literal || (rest[0] ?? ''))
    at += taken.length
    if (code === '') start = line
    line += taken.split('\n').length - 1
    if (part !== undefined) continue
    if (space !== undefined) {
      const isNeeded = code !== '' && !/[([.]$/.test(code) && !/[.)\]]/.test(text[at] ?? '')
      if (isNeeded && !code.endsWith(' ')) code += ' '
    } else if (literal !== '') code += literal
    else if (taken === '{' && BLOCK_START.test(code.trim())) end(/^test\(/.test(code) ? TEST_START : '')
    else if (taken === ';' && depth === 0) end(code.trim())
    // The end of a block.
    else if (/[)}]/.test(taken) && depth === 0) code = ''
    else {
      if (/[([{]/.test(taken)) depth += 1
      if (/[)\]}]/.test(taken)) depth -= 1
      code += taken
    }
    // The head of a block is no open bracket of it.
    if (BLOCK_HEAD.test(code)) depth = 0
  }
  end(code.trim())
  return statements
}

const PART_LIMIT_CHARS = 10_000
const BLOCK_HEAD = /^(await )?test(\.step|\.describe)?\($/

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
    const literal = literalLength(code.slice(at), code.slice(0, at))
    if (literal === 0 && /[([{]/.test(code[at] ?? '')) depth += 1
    if (literal === 0 && /[)\]}]/.test(code[at] ?? '')) depth -= 1
    at += Math.max(1, literal)
    if (depth === 0) return at
  }
  return code.length
}

const elementAt = (code: string): RecordedElement => ({
  locators: [{ selector: code, code }],
  role: '',
  name: '',
  type: '',
  isEmpty: false,
  isSecret: false,
})

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
