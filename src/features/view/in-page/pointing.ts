import type { Box, Point, Size } from '../../../core/base/geometry.ts'
import { createElementKeys } from './element-keys.ts'
import type { ViewAnswer } from './view-answers.ts'
import type { PointedElement, ShownElement } from './viewed-session.ts'

interface PointingOptions {
  readonly stage: HTMLElement
  readonly pointOf: (event: MouseEvent) => Point
  /** The size of the viewport, once there is a picture. */
  readonly size: () => Size | undefined
  /** Calls the server of the session. */
  readonly ask: (method: string, params: object) => Promise<ViewAnswer>
  readonly onPicking: (isPicking: boolean) => void
  /** The person has chosen an element, which may not be known yet. */
  readonly onChosen: () => void
  readonly report: (text: string) => void
}

export interface Pointing {
  /** Whether the element under the mouse is described: not while a person acts. */
  setActive(isActive: boolean): void
  /** Lets the person choose an element with mouse, finger or keyboard. */
  start(): void
  stop(): void
  /** What the person chose; undefined where there is none, or it is gone. */
  chosen(): Promise<PointedElement | undefined> | undefined
  /** Marks an element of the picture. */
  mark(box: Box | undefined): void
  /** A sentence about the element. */
  say(text: string): void
}

/** Says what is under the mouse, and lets a person choose an element. */
export function createPointing(options: PointingOptions): Pointing {
  const INTERVAL_MS = 200
  const { stage, pointOf, size, ask, onPicking, onChosen, report } = options
  const find = <T extends HTMLElement>(id: string) => document.querySelector<T>(`#${id}`)!
  const [box, line] = [find('box'), find('pointed')]
  let [isActive, isPicking, isAsking] = [true, false, false]
  let latest: Point | undefined
  // What the person has seen described last, and where; what they chose, once it is known.
  let described: { readonly point: Point; readonly ref: string } | undefined
  let chosen: Promise<PointedElement | undefined> | undefined
  function mark(place: Box | undefined): void {
    const viewport = size()
    box.hidden = !place || !viewport
    if (!place || !viewport) return
    const percent = (part: number, whole: number) => `${(100 * part) / whole}%`
    box.style.left = percent(place.x, viewport.width)
    box.style.top = percent(place.y, viewport.height)
    box.style.width = percent(place.width, viewport.width)
    box.style.height = percent(place.height, viewport.height)
  }
  function describe(element: ShownElement | PointedElement | undefined): void {
    const { name = '' } = element ?? {}
    // That it has no role says nothing to a person.
    const role = element?.role === 'generic' ? 'element' : (element?.role ?? '')
    const source = element && 'source' in element ? element.source : undefined
    line.textContent = [name ? `${role} "${name}"` : role, source].filter(Boolean).join(', ')
    mark(element?.box)
  }
  const settle = (element: PointedElement | undefined, choosing: typeof chosen) => {
    if (chosen !== choosing) return
    if (element) describe(element)
    else chosen = undefined
  }
  function choose(choosing: Promise<PointedElement | undefined>): void {
    chosen = choosing
    latest = undefined
    report('')
    onChosen()
    void choosing.then((element) => settle(element, choosing))
  }
  const keys = createElementKeys({
    stage,
    ask,
    isActive: () => isPicking && !chosen,
    onMove(element) {
      describe(element)
      described = undefined
    },
    onChoose: (ref) => choose(readChosen(ref)),
  })
  async function readChosen(ref: string): Promise<PointedElement | undefined> {
    const answer = await ask('elementOf', { ref })
    if (answer.ok && answer.value) return answer.value as PointedElement
    report(answer.ok ? 'This element is gone. Choose another one.' : answer.text)
    return undefined
  }
  async function look(): Promise<void> {
    if (isAsking) return
    isAsking = true
    while (latest) {
      const point = latest
      latest = undefined
      const answer = await ask('elementAt', { point })
      const isWanted = (isActive || isPicking) && !chosen && stage.matches(':hover')
      const element = answer.ok && isWanted ? (answer.value as PointedElement | undefined) : undefined
      describe(element)
      described = element && { point, ref: element.ref }
      await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS))
    }
    isAsking = false
  }
  stage.addEventListener('mousemove', (event) => {
    if ((!isActive && !isPicking) || chosen || !size()) return
    latest = pointOf(event)
    void look()
  })
  stage.addEventListener('mouseleave', () => {
    latest = undefined
    if (!chosen && !isPicking) describe(undefined)
  })
  stage.addEventListener('click', (event) => {
    if (isPicking && size()) choose(readPointed(pointOf(event)))
  })
  /** The element that is there now, whatever the page shows when the comment is sent. */
  async function readPointed(point: Point): Promise<PointedElement | undefined> {
    const earlier = described
    const answer = await ask('elementAt', { point })
    const element = answer.ok ? (answer.value as PointedElement | undefined) : undefined
    const isSame =
      !earlier || earlier.point.x !== point.x || earlier.point.y !== point.y || earlier.ref === element?.ref
    if (element && isSame) return element
    describe(element)
    described = element && { point, ref: element.ref }
    const reason = element ? 'The page has changed since you pointed at it.' : 'No element was found there.'
    report(answer.ok ? `${reason} Click the element again.` : answer.text)
    return undefined
  }
  function setPicking(next: boolean): void {
    isPicking = next
    chosen = described = undefined
    keys.reset()
    stage.classList.toggle('pointing', next)
    describe(undefined)
    onPicking(next)
  }
  return {
    setActive(next) {
      if (isActive && !next && !isPicking) describe(undefined)
      isActive = next
    },
    start() {
      setPicking(true)
      line.textContent =
        'Click an element of the page, or move to it with the arrow keys and press Enter. Escape cancels.'
      stage.focus({ preventScroll: true })
    },
    stop: () => setPicking(false),
    chosen: () => chosen,
    mark,
    say: (text) => void (line.textContent = text),
  }
}
