// Elements that an animation removes. A page that shows a new step once the old one has left, as `AnimatePresence mode="wait"` does, has
// the old one in its document meanwhile. Runs in Playwright's utility world.

import { joinSpaces } from '../page/elements.ts'
import type { ElementMatches } from '../page/element-arguments.ts'
import type { Size } from '../../../base/geometry.ts'

/** What an element that a script moves frame by frame looks like. */
interface Look {
  readonly opacity: number
  readonly height: number
  /** How far its transform is from none, in pixels. */
  readonly distance: number
}

interface MovingState {
  /** Elements that never come to rest, such as a marquee. */
  footlightRestless?: WeakSet<Element>
}

/** `running`: an animation is. `styled`: one may begin, because libraries that animate by script leave inline styles on what they animate,
 * and begin a frame or two after an action. */
export type Motion = 'running' | 'styled'

export function findMotion(): Motion | undefined {
  const styled =
    '[style*="opacity"],[style*="transform"],[style*="translate"],[class*="-leave-"],[class*="-exit-"],[data-leave]'
  const { activeViewTransition } = document as { readonly activeViewTransition?: unknown }
  if (activeViewTransition || document.getAnimations().some(({ playState }) => playState === 'running'))
    return 'running'
  return document.body?.querySelector(styled) ? 'styled' : undefined
}

export interface Exit {
  /** Whether the page may look different now. */
  readonly hasChanged: boolean
  /** The texts of what is still leaving. */
  readonly remaining: readonly string[]
}

// How far a transform is from none, in pixels; the size of the element counts for the way that it is scaled.
function distanceOf(transform: string, { width, height }: Size): number {
  if (transform === '' || transform === 'none') return 0
  try {
    const { a, d, e, f } = new DOMMatrix(transform)
    return Math.abs(e) + Math.abs(f) + Math.abs(1 - a) * width + Math.abs(1 - d) * height
  } catch {
    // In units that depend on the page.
    return 0
  }
}

// The element that an animation hides or moves away; undefined for one that does neither.
function findAnimatedOut({ playState, playbackRate, effect }: Animation): Element | undefined {
  const isNothing = (value: unknown): boolean => /^0(px|fr)?$/.test(String(value))
  const sizes = ['height', 'maxHeight', 'blockSize', 'gridTemplateRows'] as const
  if (playState !== 'running' || !(effect instanceof KeyframeEffect)) return undefined
  const { target, pseudoElement } = effect
  const { direction, endTime } = effect.getComputedTiming()
  if (!target || pseudoElement !== null || endTime === Infinity) return undefined
  const frames = effect.getKeyframes()
  const isReversed = (direction === 'reverse') !== playbackRate < 0
  const last: Readonly<Record<string, unknown>> = (isReversed ? frames[0] : frames.at(-1)) ?? {}
  const { opacity, visibility, display, scale, transform, translate } = last
  const isHidden =
    (opacity !== undefined && Number(opacity) < 0.05) ||
    (scale !== undefined && Number(scale) < 0.05) ||
    visibility === 'hidden' ||
    display === 'none' ||
    sizes.some((name) => isNothing(last[name]))
  if (isHidden) return target
  const move = String(transform ?? (translate ? `translate(${String(translate)})` : ''))
  if (/%|v[wh]/.test(move)) return /-?(9\d|[1-9]\d\d)(\.\d+)?(%|v[wh])/.test(move) ? target : undefined
  const { width, height } = target.getBoundingClientRect()
  return distanceOf(move, { width, height }) > 0.9 * Math.min(width, height) ? target : undefined
}

// Finds the elements that a script has moved away or made smaller since the last call. What comes in moves to its place.
function createMovementFinder(): () => readonly Element[] {
  const ELEMENT_LIMIT = 200
  // The first frames of a movement are slow.
  const MOVE_LEAST_PX = 0.01
  const styled = '[style*="opacity"],[style*="transform"],[style*="translate"],[style*="height"]'
  const looks = new Map<Element, Look>()

  function lookOf(element: Element): Look {
    const { opacity, transform, translate, overflowY } = getComputedStyle(element)
    const { width, height } = element.getBoundingClientRect()
    const [x = 0, y = 0] = translate.split(' ').map((part) => Number.parseFloat(part) || 0)
    const distance = distanceOf(transform, { width, height }) + Math.abs(x) + Math.abs(y)
    return { opacity: Number(opacity), height: overflowY === 'visible' ? 0 : height, distance }
  }

  return () =>
    [...document.querySelectorAll(styled)].slice(0, ELEMENT_LIMIT).filter((element) => {
      const before = looks.get(element)
      const look = lookOf(element)
      looks.set(element, look)
      return (
        before !== undefined &&
        (look.opacity < before.opacity ||
          look.height < before.height - MOVE_LEAST_PX ||
          look.distance > before.distance + MOVE_LEAST_PX)
      )
    })
}

/** Waits until nothing has been leaving for three frames, at most `limitMs`. */
export async function waitUntilLeft(
  { injected }: Pick<ElementMatches, 'injected'>,
  limitMs: number,
): Promise<Exit> {
  const QUIET_FRAMES = 3
  // A page that is not painted has no frames.
  const FRAME_LIMIT_MS = 250
  const TEXT_LIMIT_CHARS = 60
  // They move when they are pressed.
  const controls =
    'button,a,input,select,textarea,label,summary,[role=button],[role=link],[role=tab],[role=switch]'
  const content = 'a,button,input,select,textarea,img,video,[role]'
  const { builtins } = injected.utils
  const restless = ((injected as MovingState).footlightRestless ??= new WeakSet())
  const findMovedAway = createMovementFinder()

  const waitFor = (ms: number) => new Promise<void>((resolve) => builtins.setTimeout(resolve, ms))
  const waitFrame = () =>
    Promise.race([
      new Promise<void>((resolve) => builtins.requestAnimationFrame(() => resolve())),
      waitFor(FRAME_LIMIT_MS),
    ])
  const textOf = ({ textContent }: Element) => joinSpaces(textContent ?? '')
  const isContent = (element: Element): boolean =>
    element.isConnected &&
    !restless.has(element) &&
    !element.closest(controls) &&
    (textOf(element) !== '' || element.querySelector(content) !== null) &&
    (element.checkVisibility?.() ?? true)
  const findLeaving = (): readonly Element[] => {
    const animated = document.getAnimations().flatMap((animation) => findAnimatedOut(animation) ?? [])
    return [...new Set([...animated, ...findMovedAway()])].filter(isContent)
  }

  // The page is changed in its callback, which waits until the page was painted.
  const { activeViewTransition: transition } = document as {
    readonly activeViewTransition?: { readonly updateCallbackDone: Promise<void> } | null
  }
  const startedAt = performance.now()
  const observer = new MutationObserver(() => {})
  observer.observe(document, { subtree: true, childList: true, characterData: true })
  if (transition) await Promise.race([transition.updateCallbackDone.catch(() => {}), waitFor(limitMs)])
  let hasChanged = Boolean(transition)
  let leaving = findLeaving()
  for (let quietFrames = 0; quietFrames < QUIET_FRAMES && performance.now() - startedAt < limitMs;) {
    await waitFrame()
    leaving = findLeaving()
    quietFrames = leaving.length > 0 ? 0 : quietFrames + 1
    hasChanged ||= leaving.length > 0 || observer.takeRecords().length > 0
  }
  observer.disconnect()
  for (const element of leaving) restless.add(element)
  return { hasChanged, remaining: leaving.map((element) => textOf(element).slice(0, TEXT_LIMIT_CHARS)) }
}
