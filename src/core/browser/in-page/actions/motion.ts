// Whether animations move an element. A move without an end is not waited for.

export interface ElementMotion {
  /** An animation of it or of what is around it has an end. */
  readonly isEnding: boolean
  /** One without an end changes its place. */
  readonly isEndless: boolean
}

/** The running animations of `target`, the element or its label, and of what is around it. */
export function readMotion(element: Element, target: Element): ElementMotion {
  const isEndless = ({ effect }: Animation) => effect?.getComputedTiming().iterations === Infinity
  const isOfTarget = (animation: Animation) => {
    const animated = (animation.effect as KeyframeEffect | null)?.target
    return animation.playState === 'running' && animated instanceof Node && animated.contains(target)
  }
  const changesPlace = ({ effect }: Animation) =>
    ((effect as KeyframeEffect | null)?.getKeyframes?.() ?? []).some((frame) =>
      Object.keys(frame).some((name) =>
        /^(transform|translate|scale|rotate|left|top|right|bottom|inset|margin|offset)/.test(name),
      ),
    )
  const root = element.getRootNode() as Document | ShadowRoot
  const animations = [...document.getAnimations(), ...(root === document ? [] : root.getAnimations())]
  const moving = animations.filter(isOfTarget)
  return {
    isEnding: moving.some((animation) => !isEndless(animation)),
    isEndless: moving.some((animation) => isEndless(animation) && changesPlace(animation)),
  }
}
