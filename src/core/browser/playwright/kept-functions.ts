// Calls functions in Playwright's utility world by one message each. Playwright sends the text of a function with every call, and copies
// arguments and results once more on both sides; here the document keeps the text, and a call sends its number.

import type { ElementMatches } from '../in-page/page/element-arguments.ts'
import { runKept } from '../in-page/generated.ts'
import type { KeptReply } from '../in-page/page/run-kept.ts'

/** Where a selector leads: the frame, and the selector within it. */
export interface SelectorTarget {
  readonly frame: { context(world: 'main' | 'utility'): Promise<UtilityContext> }
  readonly info: ElementMatches['info'] & { readonly world: 'main' | 'utility' }
  readonly frameVisible: boolean
}

interface UtilityContext {
  /** Only Chromium has a client. */
  readonly delegate: { readonly _client?: unknown }
  injectedScript(): Promise<object>
  _evaluateWithArguments?: (
    source: string,
    returnsByValue: true,
    values: readonly unknown[],
    handles: readonly object[],
  ) => Promise<KeptReply>
}

/** Calls a function of the elements that match; undefined where that is not possible. Its argument and its result are JSON. */
export async function callKept(
  { frame, info, frameVisible }: SelectorTarget,
  work: unknown,
  arg: unknown,
): Promise<{ readonly result: unknown } | undefined> {
  // In the page's own world the page may have changed what a result is copied with.
  if (info.world !== 'utility') return undefined
  const context = await frame.context('utility')
  if (!context.delegate._client || !context._evaluateWithArguments) return undefined
  const injected = await context.injectedScript()
  const source = String(work)
  const number = numberOf(source)
  const sent = sentNumbersOf(context)
  const call = (text: string) =>
    context._evaluateWithArguments?.(
      String(runKept),
      true,
      [{ number, text }, { info, frameVisible }, arg],
      [injected],
    )
  const reply = await call(sent.has(number) ? '' : source)
  const known = reply === 'unknown' ? await call(source) : reply
  sent.add(number)
  return known === undefined || known === 'unknown' ? undefined : { result: known.result }
}

// --- internal ---

const SOURCE_LIMIT = 200
const numbers = new Map<string, number>()
let lastNumber = 0

function numberOf(source: string): number {
  const known = numbers.get(source)
  if (known !== undefined) return known
  if (numbers.size >= SOURCE_LIMIT) numbers.clear()
  lastNumber += 1
  numbers.set(source, lastNumber)
  return lastNumber
}

const sentNumbers = new WeakMap<object, Set<number>>()

function sentNumbersOf(context: object): Set<number> {
  const known = sentNumbers.get(context) ?? new Set()
  sentNumbers.set(context, known)
  return known
}
