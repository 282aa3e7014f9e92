// Whether fields move while a picture is taken. Where an animation runs beside the scripts of the page, no script knows what a picture shows.

/** Returns a function that says whether an element may be elsewhere on the screen than its box says: it, or what it is in, is animated. */
export function createMovingTest(): (element: Element) => boolean {
  const HARMLESS =
    /^(offset|computedOffset|easing|composite|opacity|color|visibility|fill|stroke|filter|background.*|border.*Color|outline.*|boxShadow|caretColor|textDecoration.*)$/
  const known = new Map<Node, boolean>()
  const moves = ({ effect, playState, timeline }: Animation): boolean =>
    playState === 'running' &&
    timeline instanceof DocumentTimeline &&
    effect instanceof KeyframeEffect &&
    effect.getKeyframes().some((keyframe) => Object.keys(keyframe).some((name) => !HARMLESS.test(name)))
  // An old picture of the page moves in a transition of the whole view.
  const isViewMoving = document
    .getAnimations()
    .some(({ effect }) => (effect as KeyframeEffect | null)?.pseudoElement?.startsWith('::view-transition'))

  function isNodeMoving(node: Node): boolean {
    const before = known.get(node)
    if (before !== undefined) return before
    const parent =
      node instanceof ShadowRoot ? node.host : ((node as Element).assignedSlot ?? node.parentNode)
    const result =
      (node instanceof Element && node.getAnimations().some(moves)) ||
      (parent !== null && isNodeMoving(parent))
    known.set(node, result)
    return result
  }

  return (element) => isViewMoving || isNodeMoving(element)
}

/** Whether this one element is such. */
export const isMoving = (element: Element): boolean => createMovingTest()(element)

/** Notes whether a field or a frame moves until `stop`, which returns that. */
export function watchFields(): { readonly stop: () => boolean } {
  const BOX_LIMIT = 500
  let isOver = false
  let hasMoved = false
  const elements: Element[] = []
  const collectFrom = (root: Document | ShadowRoot) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) collectFrom(element.shadowRoot)
      if (/^(input|textarea|iframe|frame)$/.test(element.localName)) elements.push(element)
    }
  }
  const readBoxes = () => {
    elements.length = 0
    collectFrom(document)
    return JSON.stringify(elements.slice(0, BOX_LIMIT).map((element) => element.getBoundingClientRect()))
  }
  const first = readBoxes()
  const look = () => {
    hasMoved ||= readBoxes() !== first
    if (!isOver && !hasMoved) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  return {
    stop() {
      isOver = true
      look()
      return hasMoved
    },
  }
}
