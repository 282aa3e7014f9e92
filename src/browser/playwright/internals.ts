// What stands behind Playwright's client where both are in this process. Each message through the client is checked and copied twice, and
// what it offers for elements takes several messages to the page; behind it one is enough. Where Playwright looks different, or runs
// elsewhere, there is nothing to be found here and the client is used.

import { setImmediate } from 'node:timers/promises'
import type { Frame, Locator } from 'playwright'

/** What a function inside the page is given. */
export interface ElementMatches {
  readonly elements: Element[]
  readonly injected: Injected
  readonly frameVisible: boolean
}

/** What Playwright itself uses inside the page, as far as we do. */
interface Injected {
  elementState(
    element: Element,
    state: 'visible' | 'enabled' | 'editable' | 'checked',
    frameVisible: boolean,
  ): { readonly matches: boolean }
  /** Sets the value, or selects what is there and answers that the keyboard is needed. */
  fill(element: Element, value: string): 'done' | 'needsinput' | `error:${string}`
  /** The values that are chosen then. */
  selectOptions(element: Element, wanted: { valueOrLabel: string }[]): string[] | `error:${string}`
}

type InPage<A, T> = (matches: ElementMatches, arg: A) => T | Promise<T>

/** The page's own, and Playwright's. */
type World = 'main' | 'utility'

interface InnerFrame {
  readonly selectors: {
    callOnSelector<A, T>(
      target: { selector: string; strict: false; callWithoutMatches: true },
      work: InPage<A, T>,
      arg: A,
    ): Promise<{ readonly result: T } | undefined>
  }
  context(world: World): Promise<{ readonly delegate: { readonly _contextId?: unknown } }>
}

/** What Playwright holds behind an object of its client, if that is in this process. */
export function internalsOf<T>(outer: object): T | undefined {
  const { _connection } = outer as { _connection?: { toImpl?: (outer: object) => T } }
  try {
    return _connection?.toImpl?.(outer)
  } catch {
    // It is gone; the client says so.
    return undefined
  }
}

/** Runs a function of all elements that match now in Playwright's own world of their frame, which the page cannot see into. Undefined
 * where that cannot be done. The function's text is what travels: it may use nothing but its arguments. */
export async function evaluateInternally<A, T>(
  locator: Locator,
  work: InPage<A, T>,
  arg: A,
): Promise<{ readonly result: T } | undefined> {
  const { _frame: frame, _selector: selector } = locator as unknown as { _frame: Frame; _selector: string }
  const selectors = internalsOf<Partial<InnerFrame>>(frame)?.selectors
  if (!selectors?.callOnSelector) return undefined
  return afterPendingEvents(
    selectors.callOnSelector({ selector, strict: false, callWithoutMatches: true }, work, arg),
  )
}

/** Playwright's own events, such as that of a request, reach us a turn after they came. An answer waits for those before it. */
export async function afterPendingEvents<T>(work: Promise<T>): Promise<T> {
  const answer = await work
  await setImmediate()
  return answer
}

/** The number by which Chromium's protocol knows a world of a frame; undefined where it cannot be had. */
export async function contextIdOf(frame: Frame, world: World): Promise<number | undefined> {
  const context = await internalsOf<Partial<InnerFrame>>(frame)?.context?.(world)
  const id = context?.delegate._contextId
  return typeof id === 'number' ? id : undefined
}
