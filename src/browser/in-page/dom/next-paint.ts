import type { ElementMatches } from './element-arguments.ts'

/** Resolves when what the page has changed until now is painted, also while the page has a clock of its own. */
export function waitForPaint({ injected }: Pick<ElementMatches, 'injected'>): Promise<boolean> {
  const { builtins } = injected.utils
  return new Promise((resolve) =>
    builtins.requestAnimationFrame(() => builtins.requestAnimationFrame(() => resolve(true))),
  )
}
