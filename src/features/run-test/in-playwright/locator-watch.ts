// Writes which elements the locators of a test found, what is there in place of those that find nothing, and what a check expected. The text of
// this function is written to a file, so it uses nothing from outside of it.

import type { Repair } from '../in-page/choose-mark.ts'
import type { findRepair, readMark } from '../in-page/element-mark.ts'

export interface LocatorWatchSettings {
  /** The file of the marks of the elements that were found before, by tests and selectors; undefined if nobody wants to know any. */
  readonly elements?: string | undefined
  /** The file that gets one event a line. */
  readonly events: string
  /** The command line program of the project's Playwright Test. */
  readonly program: string
}

type Marks = Record<string, readonly string[]>

interface ClientFrame {
  readonly _type: string
  readonly _connection: Connection
  /** Without it a call would be a step of the test. */
  _wrapApiCall<T>(work: () => Promise<T>, options: { readonly internal: true }): Promise<T>
  locator(selector: string): object
  $(selector: string): Promise<{ contentFrame(): Promise<ClientFrame | null> } | null>
}

interface ServerFrame {
  context?(world: 'utility'): Promise<ServerContext>
  _context?(world: 'utility'): Promise<ServerContext>
}

interface ServerContext {
  injectedScript(): Promise<{
    evaluate<A, T>(work: (injected: never, arg: A) => T, arg: A): Promise<Awaited<T>>
  }>
}

type Send = (object: ClientFrame, method: string, params: Params, ...rest: unknown[]) => Promise<unknown>
type Params = { readonly selector?: unknown; readonly isNot?: boolean } | undefined

interface Connection {
  toImpl?(client: object): ServerFrame | undefined
  sendMessageToServer: Send
}

interface Context {
  readonly _connection?: Connection
  close(...args: unknown[]): Promise<void>
}

interface TestInfo {
  readonly testId: string
  readonly file: string
  readonly titlePath: readonly string[]
  readonly project: { readonly name: string }
}

interface FailureReader {
  _failWithError?(error: { matcherResult?: { expected?: unknown; actual?: unknown } } | undefined): void
}

/** Returns the function that watches a context of Playwright. */
export function createLocatorWatch(
  load: NodeJS.Require,
  settings: LocatorWatchSettings,
  inPage: { readonly readMark: typeof readMark; readonly findRepair: typeof findRepair },
): (context: object) => void {
  const { elements: knownFile } = settings
  if (knownFile === undefined) return () => {}
  const { createHash } = load('node:crypto') as typeof import('node:crypto')
  const { appendFileSync, readFileSync, realpathSync } = load('node:fs') as typeof import('node:fs')
  const { createRequire } = load('node:module') as typeof import('node:module')
  const { inspect } = load('node:util') as typeof import('node:util')
  const METHODS = new Set(
    'click dblclick tap fill hover check uncheck focus selectOption setInputFiles type press expect'.split(
      ' ',
    ),
  )
  const ENTER_FRAME = ' >> internal:control=enter-frame >> '
  const READ_TIMEOUT_MS = 2000
  const MARK_LIMIT = 60
  const USE_LIMIT = 5
  const TEXT_LIMIT_CHARS = 80
  const report = (event: object) => appendFileSync(settings.events, `${JSON.stringify(event)}\n`)
  const hashOf = (text: string) => createHash('sha1').update(text).digest('base64url').slice(0, 8)
  const readTest = (): TestInfo | undefined => {
    try {
      const playwright = createRequire(settings.program).resolve('playwright/package.json')
      const { test } = createRequire(playwright)('playwright/test') as { test: { info(): TestInfo } }
      return test.info()
    } catch {
      return undefined
    }
  }
  let known: Record<string, Marks> | undefined
  const knownMarksOf = ({ file, titlePath, project }: TestInfo): Marks | undefined => {
    try {
      known ??= JSON.parse(readFileSync(knownFile, 'utf8')) as Record<string, Marks>
    } catch {
      known = {}
    }
    const name = `${titlePath.slice(1).join(' › ')}${project.name === '' ? '' : ` [${project.name}]`}`
    return known[`${realpathSync(file)} ${name}`]
  }
  const within = <T>(work: Promise<T>) =>
    Promise.race([
      work.catch(() => undefined),
      new Promise<undefined>((resolve) =>
        AbortSignal.timeout(READ_TIMEOUT_MS).addEventListener('abort', () => resolve(undefined)),
      ),
    ])

  /** Runs a function with Playwright's own script in the frame that a selector leads to. */
  const runIn = async <A extends object, T>(
    frame: ClientFrame,
    selector: string,
    work: (injected: never, arg: A & { selector: string; frame: string }) => T,
    arg: A,
  ): Promise<Awaited<T> | undefined> => {
    const end = selector.lastIndexOf(ENTER_FRAME)
    const readFrame = async () => (await frame.$(selector.slice(0, end)))?.contentFrame()
    const own = end < 0 ? frame : await frame._wrapApiCall(readFrame, { internal: true })
    const server = own && own._connection.toImpl?.(own)
    const world = await (server?.context?.('utility') ?? server?._context?.('utility'))
    const start = end < 0 ? 0 : end + ENTER_FRAME.length
    const place = { selector: selector.slice(start), frame: selector.slice(0, start) }
    return (await world?.injectedScript())?.evaluate(work, { ...arg, ...place })
  }

  interface WatchedTest {
    readonly marks: Record<string, string[]>
    count: number
  }
  const tests = new Map<string, WatchedTest>()
  const pending = new Map<Promise<unknown>, () => Promise<unknown>>()
  const readings = new Set<Promise<unknown>>()
  const keep = (reading: Promise<unknown>) => {
    const watched = within(reading).finally(() => readings.delete(watched))
    readings.add(watched)
  }

  /** What is known of the element of the n-th use of a selector. */
  const repair = async (info: TestInfo, frame: ClientFrame, selector: string, use: number) => {
    const marks = knownMarksOf(info)?.[hashOf(selector)]
    const mark = marks?.[Math.min(use, marks.length - 1)]
    if (!mark) return
    const answer: Repair | undefined = await runIn(frame, selector, inPage.findRepair as never, { mark })
    if (!answer) return
    const codeOf = (text: string) => String(frame.locator(text))
    const offer = answer.state === 'offered' ? { ...answer, locator: codeOf(answer.locator) } : answer
    report({ type: 'repair', testId: info.testId, locator: codeOf(selector), repair: offer })
  }

  const watchCall = async (info: TestInfo, frame: ClientFrame, params: Params, call: Promise<unknown>) => {
    const selector = String(params?.selector)
    const test = tests.get(info.testId) ?? { marks: {}, count: 0 }
    tests.set(info.testId, test)
    const uses = (test.marks[hashOf(selector)] ??= [])
    const use = uses.length
    if (use >= USE_LIMIT || test.count >= MARK_LIMIT) return
    test.count += 1
    uses.push('')
    const read = async () => {
      const mark: string | undefined = await runIn(frame, selector, inPage.readMark as never, {})
      if (mark) uses[use] = mark
    }
    const first = read().catch(() => {})
    pending.set(call, () => repair(info, frame, selector, use))
    let isFailed = false
    try {
      const result = (await call) as { readonly matches?: boolean } | undefined
      isFailed = result?.matches !== undefined && result.matches === (params?.isNot ?? false)
    } catch {
      isFailed = true
    }
    pending.delete(call)
    if (isFailed) return repair(info, frame, selector, use)
    // A page that went on has left the question behind.
    if (uses[use] === '') await Promise.race([first, within(read())])
  }

  const watchConnection = (connection: Connection) => {
    const send = connection.sendMessageToServer
    const isWatched = Symbol.for('footlight.watched')
    if (typeof send !== 'function' || isWatched in connection) return
    Object.assign(connection, { [isWatched]: true })
    connection.sendMessageToServer = function sendAndWatch(object, method, params, ...rest) {
      const call = send.call(this, object, method, params, ...rest)
      const isWatchedCall = object._type === 'Frame' && METHODS.has(method)
      const info = isWatchedCall && typeof params?.selector === 'string' ? readTest() : undefined
      if (info) keep(watchCall(info, object, params, call))
      return call
    }
  }

  const formatValue = (value: unknown) =>
    typeof value === 'string'
      ? JSON.stringify(value.slice(0, TEXT_LIMIT_CHARS))
      : inspect(value, { depth: 1, breakLength: Infinity }).slice(0, TEXT_LIMIT_CHARS)

  /** What a check of any kind expected and got is known where its error ends the test. */
  const watchFailures = (info: TestInfo) => {
    const reader = Object.getPrototypeOf(info) as FailureReader
    const fail = reader._failWithError
    const isWatched = Symbol.for('footlight.watched')
    if (typeof fail !== 'function' || isWatched in reader) return
    Object.assign(reader, { [isWatched]: true })
    reader._failWithError = function failAndReport(this: TestInfo, error) {
      const { expected, actual } = error?.matcherResult ?? {}
      if (expected !== undefined && actual !== undefined) {
        const values = { expected: formatValue(expected), received: formatValue(actual) }
        report({ type: 'mismatch', testId: this.testId, ...values })
      }
      return fail.call(this, error)
    }
  }

  const watchContext = (context: Context) => {
    if (context._connection) watchConnection(context._connection)
    const info = readTest()
    if (info) watchFailures(info)
    const { close } = context
    context.close = async (...closeArguments) => {
      // A test that is out of time still waits for what is not there.
      for (const ask of pending.values()) keep(ask())
      pending.clear()
      await within(Promise.all(readings))
      for (const [testId, { marks }] of tests) report({ type: 'elements', testId, marks })
      tests.clear()
      return close.apply(context, closeArguments)
    }
  }
  return (context) => {
    try {
      watchContext(context as Context)
    } catch {
      // Other versions of Playwright have it elsewhere.
    }
  }
}
