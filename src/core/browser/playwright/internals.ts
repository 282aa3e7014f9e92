// Playwright's server objects, where client and server run in this process. Each message through the client is validated and copied twice,
// and its methods for elements take several messages to the page; with the server's methods one is enough. Where the internals look
// different, or Playwright runs on another machine, nothing is found here and the client is used.

import { setImmediate } from 'node:timers/promises'
import type { Browser, BrowserContext, Cookie, Frame, Locator, Page } from 'playwright'
import type { Point } from '../../base/geometry.ts'
import type { ElementMatches } from '../in-page/page/element-arguments.ts'
import { callKept, type SelectorTarget } from './kept-functions.ts'

type InPage<A, T> = (matches: ElementMatches, arg: A) => T | Promise<T>

/** The page's own world, and Playwright's. */
type World = 'main' | 'utility'

interface ServerFrame {
  pendingDocument(): unknown
  readonly selectors: {
    resolveFramesForSelector(target: { selector: string; strict: false }): Promise<readonly SelectorTarget[]>
    callOnSelector<A, T>(
      target: { selector: string; strict: false; callWithoutMatches: true },
      work: InPage<A, T>,
      arg: A,
    ): Promise<{ readonly result: T } | undefined>
  }
  context(world: World): Promise<ServerContext>
}

interface ServerElement {
  evaluateInUtility<T>(
    work: (args: [{ generateSelectorSimple(element: Element): string }, Element]) => T,
    arg?: undefined,
  ): Promise<T>
}

interface ServerContext {
  injectedScript(): Promise<{
    evaluate<I, A>(work: (injected: I, arg: A) => void, arg: A): Promise<void>
  }>
  readonly delegate: {
    readonly _contextId?: unknown
    readonly _client?: { send(method: 'Runtime.evaluate', message: object): Promise<unknown> }
  }
}

/** The server object of a client object, if the server runs in this process. */
export function internalsOf<T>(clientObject: object): T | undefined {
  const { _connection } = clientObject as { _connection?: { toImpl?: (clientObject: object) => T } }
  try {
    return _connection?.toImpl?.(clientObject)
  } catch {
    // The object was disposed; a call of the client reports that.
    return undefined
  }
}

interface ServerBrowser {
  _isBrowserCollocatedWithServer: boolean
}

/** Says that a browser does not share the files of this machine: they are sent to it. */
export function markApart(browser: Browser): void {
  const internals = internalsOf<ServerBrowser>(browser)
  if (internals) internals._isBrowserCollocatedWithServer = false
}

/** Whether a browser does not share the files of the machine that Playwright runs on. */
export const isApart = (browser: Browser): boolean =>
  internalsOf<ServerBrowser>(browser)?._isBrowserCollocatedWithServer === false

interface ServerBrowserContext {
  doGetCookies(urls: readonly string[]): Promise<readonly Cookie[]>
}

/** The cookies of all origins. */
export const cookiesOf = (context: BrowserContext): Promise<readonly Cookie[]> =>
  internalsOf<Partial<ServerBrowserContext>>(context)?.doGetCookies?.([]) ?? context.cookies()

export const selectorOf = (locator: Locator): string =>
  (locator as unknown as { _selector: string })._selector

/** Runs a function with all elements that match now, in Playwright's utility world of their frame, which is isolated from the page.
 * Undefined where that is not possible. The function is sent as its source text: it may use nothing but its arguments. What it gets and
 * returns is JSON. */
export async function evaluateInternally<A, T>(
  locator: Locator,
  work: InPage<A, T>,
  arg: A,
): Promise<{ readonly result: T } | undefined> {
  const { _frame: frame } = locator as unknown as { _frame: Frame }
  const selectors = internalsOf<Partial<ServerFrame>>(frame)?.selectors
  if (!selectors?.callOnSelector) return undefined
  const selector = selectorOf(locator)
  const [target, ...others] = await selectors.resolveFramesForSelector({ selector, strict: false })
  const reply = target && others.length === 0 ? await callKept(target, work, arg) : undefined
  if (reply) return afterPendingEvents(Promise.resolve(reply as { readonly result: T }))
  return afterPendingEvents(
    selectors.callOnSelector({ selector, strict: false, callWithoutMatches: true }, work, arg),
  )
}

/** Runs a function with Playwright's injected script in the main world of a frame. Fails where that is not possible. The function is sent
 * as its source text. */
export async function runInMainWorld<I, A>(
  frame: Frame,
  work: (injected: I, arg: A) => void,
  arg: A,
): Promise<void> {
  const context = await internalsOf<Partial<ServerFrame>>(frame)?.context?.('main')
  if (!context) throw new Error('Playwright runs on another machine')
  const injected = await context.injectedScript()
  await injected.evaluate(work, arg)
}

/** Whether a frame has begun to load a document that has not replaced its own yet; false where that is not known. */
export const isNavigating = (frame: Frame): boolean =>
  internalsOf<Partial<ServerFrame>>(frame)?.pendingDocument?.() !== undefined

/** The selector of the element of a frame within its parent. */
export async function readFrameSelector(frame: Frame): Promise<string> {
  const element = await frame.frameElement()
  const internals = internalsOf<ServerElement>(element)
  if (!internals) throw new Error('Playwright runs on another machine')
  return internals.evaluateInUtility(([injected, frameElement]) =>
    injected.generateSelectorSimple(frameElement),
  )
}

/** Playwright emits its own events, such as that of a request, one task after they came. Delays an answer until those before it were
 * emitted. */
export async function afterPendingEvents<T>(work: Promise<T>): Promise<T> {
  const answer = await work
  await setImmediate()
  return answer
}

/** The execution context id of a world of a frame in CDP; undefined where it is not known. */
export async function contextIdOf(frame: Frame, world: World): Promise<number | undefined> {
  const context = await internalsOf<Partial<ServerFrame>>(frame)?.context?.(world)
  const id = context?.delegate._contextId
  return typeof id === 'number' ? id : undefined
}

interface ServerPage {
  readonly mouse: { _x: number; _y: number }
}

/** Where the mouse of a page is; undefined where it was not moved, or where that is not known. */
export function mousePositionOf(page: Page): Point | undefined {
  const mouse = internalsOf<Partial<ServerPage>>(page)?.mouse
  return mouse && (mouse._x || mouse._y) ? { x: mouse._x, y: mouse._y } : undefined
}

/** Says that the mouse of a page was moved without Playwright. */
export function noteMousePosition(page: Page, { x, y }: Point): void {
  const mouse = internalsOf<Partial<ServerPage>>(page)?.mouse
  if (mouse) Object.assign(mouse, { _x: x, _y: y })
}

interface MainWorld {
  /** Identifies the world: each document has its own. */
  readonly key: object
  /** Runs a script that has the functions of the developer tools' console; undefined where the browser is not Chromium. */
  readonly evaluate?: (expression: string) => Promise<unknown>
}

/** The main world of a frame; undefined where it is not known. */
export async function mainWorldOf(frame: Frame): Promise<MainWorld | undefined> {
  const context = await internalsOf<Partial<ServerFrame>>(frame)
    ?.context?.('main')
    .catch(() => undefined)
  if (!context) return undefined
  const { _client: client, _contextId: contextId } = context.delegate
  if (!client || typeof contextId !== 'number') return { key: context }
  const evaluate = (expression: string) =>
    client.send('Runtime.evaluate', { expression, contextId, includeCommandLineAPI: true, silent: true })
  return { key: context, evaluate }
}
