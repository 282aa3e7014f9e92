// The page of one session, as tools use it. It outlives a renderer crash: the call under way learns of it, and the next one finds
// a new page in the same context.

import type { BrowserContext, Page as PlaywrightPage } from 'playwright'
import { click } from './click.ts'
import { screenshot } from './capture.ts'
import { evaluate } from './evaluate.ts'
import { attempt, browserError, isTimeout, plain } from './failures.ts'
import { look } from './look.ts'
import { navigate } from './navigate.ts'
import { prepareRescue, type Rescue } from './rescue.ts'
import { locate, nameOf, targetFailure } from './target.ts'
import { type } from './type.ts'
import { waitFor } from './wait.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { err, ok } from '../core/result.ts'
import type { OwnedPage } from '../runtime/ports/browsers.ts'
import type { Call, Target } from '../runtime/ports/page.ts'

/** What is opened for a session before anyone asks for it: a context, its page and the way to free it. */
export interface Surface {
  readonly context: BrowserContext
  readonly page: PlaywrightPage
  readonly rescue: Rescue
  /** How the page came to its end, if it did. */
  broken(): Failure | undefined
}

export async function openSurface(context: BrowserContext): Promise<Surface> {
  const page = await context.newPage()
  let broken: Failure | undefined
  const end = (reason: 'crashed' | 'closed') => () =>
    (broken ??= { code: 'PAGE_CRASHED', url: page.url(), reason })
  page.once('crash', end('crashed'))
  page.once('close', end('closed'))
  return { context, page, rescue: await prepareRescue(page), broken: () => broken }
}

/** `release` must free everything that was opened for the page, its browser too where it has its own. */
export function ownPage(surface: Surface, release: () => Promise<void>): OwnedPage {
  let current = surface

  // The caller that meets a broken page is told once, and a new page is opened in its place.
  async function use<T>(work: (page: PlaywrightPage) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const before = current.broken()
    const done = before ? err(before) : await work(current.page)
    const broken = current.broken()
    return !done.ok && broken ? err(await replace(broken)) : done
  }

  async function replace(failure: Failure): Promise<Failure> {
    const opened = await attempt(openSurface(current.context), browserError)
    if (!opened.ok) return failure
    await current.page.close().catch(() => {})
    current = opened.value
    return failure
  }

  return {
    url: () => current.page.url(),
    title: () => use((page) => attempt(page.title(), browserError)),
    navigate: (url, waitUntil, call) => use(() => navigate(current, url, waitUntil, call)),
    click: (target, options, call) => use((page) => click(page, target, options, call)),
    type: (target, text, options, call) => use((page) => type(page, target, text, options, call)),
    count: (target) => use((page) => count(page, target)),
    waitFor: (condition, call) => use((page) => waitFor(page, condition, call)),
    snapshot: (options, call) => use((page) => snapshot(page, options, call)),
    screenshot: (options, call) => use((page) => screenshot(page, options, call)),
    evaluate: (script, arg, target, call) => use((page) => evaluate(page, script, arg, target, call)),
    rescue: () => current.rescue.run(),
    look: (wanted, ms) => look(current.page, current.rescue.channel, wanted, ms),
    release,
  }
}

async function count(page: PlaywrightPage, target: Target): Promise<Outcome<number>> {
  const located = await locate(page, target)
  if (located.ok) return attempt(located.value.count(), (error) => targetFailure(error, target))
  return located.error.code === 'ELEMENT_NOT_FOUND' ? ok(0) : located
}

async function snapshot(
  page: PlaywrightPage,
  { target, depth }: { target?: Target; depth?: number },
  call: Call,
): Promise<Outcome<string>> {
  const settings = { mode: 'ai' as const, ...(depth !== undefined && { depth }), ...call }
  if (!target) return attempt(page.ariaSnapshot(settings), (error) => unreadable(error, call))
  const located = await locate(page, target)
  if (!located.ok) return located
  // Playwright does not wait here and has no error of its own for a locator that matches nothing.
  const missing: Failure = { code: 'ELEMENT_NOT_FOUND', target: nameOf(target), waited: 0 }
  return attempt(located.value.ariaSnapshot(settings), (error) =>
    isTimeout(error) || /does not match any element/.test(plain(error))
      ? missing
      : targetFailure(error, target),
  )
}

const unreadable = (error: Error, call: Call): Failure =>
  isTimeout(error)
    ? { code: 'TIMEOUT', waitedFor: 'the snapshot', waited: call.timeout }
    : browserError(error)
