// The functions that a document keeps: each call sends only the number of one. Runs in Playwright's utility world.

import type { ElementMatches } from './element-arguments.ts'

type InPage = (matches: ElementMatches, arg: unknown) => unknown

interface KeepingScript extends Pick<ElementMatches, 'injected'> {
  footlightFunctions?: Map<number, InPage>
}

/** What the function returned; 'unknown' if the document has none with this number and its text was not sent. */
export type KeptReply = { readonly result?: unknown } | 'unknown'

/** Runs a function with all elements that match; `text` is its source, or empty if the document should have it. */
export function runKept(
  _: unknown,
  { number, text }: { readonly number: number; readonly text: string },
  { info, frameVisible }: Pick<ElementMatches, 'info' | 'frameVisible'>,
  arg: unknown,
  injected: ElementMatches['injected'],
): KeptReply | Promise<KeptReply> {
  const FUNCTION_LIMIT = 200
  const keeper = injected as unknown as KeepingScript & {
    eval(text: string): InPage
    checkDeprecatedSelectorUsage(selector: object, elements: readonly Element[]): void
  }
  const functions = (keeper.footlightFunctions ??= new Map())
  let run = functions.get(number)
  if (!run) {
    if (text === '') return 'unknown'
    if (functions.size >= FUNCTION_LIMIT) functions.clear()
    run = keeper.eval(`(${text})`)
    functions.set(number, run)
  }
  const elements = injected.querySelectorAll(info['parsed'], document)
  keeper.checkDeprecatedSelectorUsage(info['parsed'], elements)
  const result = run({ injected, elements, info, frameVisible }, arg)
  return result instanceof Promise ? result.then((value) => ({ result: value })) : { result }
}
