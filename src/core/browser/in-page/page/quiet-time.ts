import type { ElementMatches } from './element-arguments.ts'

interface QuietWatch {
  readonly observer: MutationObserver
  readonly roots: Set<Node>
  changedAt: number
  readAt: number
}

/** Milliseconds in which the DOM of this document has not changed and no animation has run, counted from the last call with `restart`. It
 * runs in Playwright's world, so the page sees nothing of it. A watch that is not read for five seconds ends. */
export function readQuietTime({ injected }: Pick<ElementMatches, 'injected'>, restart: boolean): number {
  const WATCH_TIMEOUT_MS = 5000
  const owner = injected as { footlightQuiet?: QuietWatch }
  const now = performance.now()

  function startWatch(): QuietWatch {
    const observer = new MutationObserver(() => {
      watch.changedAt = performance.now()
      if (watch.changedAt - watch.readAt > WATCH_TIMEOUT_MS) observer.disconnect()
    })
    const watch = { observer, roots: new Set<Node>(), changedAt: now, readAt: now }
    return watch
  }

  // The document and its open shadow roots.
  function findRoots(): (Document | ShadowRoot)[] {
    const roots: (Document | ShadowRoot)[] = [document]
    for (const root of roots)
      for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot)
    return roots
  }

  const previousWatch = owner.footlightQuiet
  const isRead = previousWatch && now - previousWatch.readAt <= WATCH_TIMEOUT_MS
  if (!isRead) previousWatch?.observer.disconnect()
  const watch = (owner.footlightQuiet = isRead ? previousWatch : startWatch())
  const roots = findRoots()
  const newRoots = roots.filter((root) => !watch.roots.has(root))
  for (const root of newRoots) {
    watch.roots.add(root)
    watch.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true })
  }
  const isAnimated = roots.some((root) =>
    root.getAnimations().some(({ playState }) => playState === 'running'),
  )
  if (restart || newRoots.length > 0 || isAnimated || watch.observer.takeRecords().length > 0)
    watch.changedAt = now
  watch.readAt = now
  return now - watch.changedAt
}

/** Resolves when no finite animation has run for three frames: one may start a frame late, and elements are removed a frame after its end. */
export async function waitForAnimations(): Promise<void> {
  const waitFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const runningAnimations = () =>
    document
      .getAnimations()
      .filter(
        ({ playState, effect }) =>
          playState === 'running' && effect?.getComputedTiming().endTime !== Infinity,
      )
  for (let quietFrames = 0; quietFrames < 3; quietFrames += 1) {
    await waitFrame()
    const animations = runningAnimations()
    if (animations.length === 0) continue
    await Promise.all(animations.map((animation) => animation.finished.catch(() => {})))
    quietFrames = -1
  }
}

export const waitOneFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))

export const waitTwoFrames = (): Promise<unknown> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))

/** Resolves when what the page has changed until now is painted, also while the page has a clock of its own. */
export function waitForPaint({ injected }: Pick<ElementMatches, 'injected'>): Promise<boolean> {
  const { builtins } = injected.utils
  return new Promise((resolve) =>
    builtins.requestAnimationFrame(() => builtins.requestAnimationFrame(() => resolve(true))),
  )
}
