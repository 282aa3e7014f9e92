import type { Point, Size } from '../../../core/base/geometry.ts'
import type { ViewAnswer } from './view-answers.ts'
import type { PointedElement } from './viewed-session.ts'

interface PointingOptions {
  readonly stage: HTMLElement
  readonly pointOf: (event: MouseEvent) => Point
  /** The size of the viewport, once there is a picture. */
  readonly size: () => Size | undefined
  /** Calls the server of the session. */
  readonly ask: (method: string, params: object) => Promise<ViewAnswer>
  readonly onPicking: (isPicking: boolean) => void
  readonly report: (text: string) => void
}

export interface Pointing {
  /** Whether the element under the mouse is described: not while a person acts. */
  setActive(isActive: boolean): void
  reset(): void
}

/** Says what is under the mouse, and tells the agent what a person says about it. */
export function createPointing(options: PointingOptions): Pointing {
  const INTERVAL_MS = 200
  const { stage, pointOf, size, ask, onPicking, report } = options
  const find = <T extends HTMLElement>(id: string) => document.querySelector<T>(`#${id}`)!
  const [box, line, button] = [find('box'), find('pointed'), find('point')]
  const [form, words] = [find<HTMLFormElement>('comment'), find<HTMLTextAreaElement>('words')]
  let [isActive, isPicking, isAsking] = [true, false, false]
  let latest: Point | undefined
  // What the person has seen described last, and where; what they chose, once it is known.
  let described: { readonly point: Point; readonly ref: string } | undefined
  let chosen: Promise<PointedElement | undefined> | undefined
  function describe(element: PointedElement | undefined): void {
    const viewport = size()
    box.hidden = !element || !viewport
    const { role = '', name = '', source } = element ?? {}
    line.textContent = [name ? `${role} "${name}"` : role, source].filter(Boolean).join(', ')
    if (!element || !viewport) return
    const { x, y, width, height } = element.box
    const percent = (part: number, whole: number) => `${(100 * part) / whole}%`
    box.style.left = percent(x, viewport.width)
    box.style.top = percent(y, viewport.height)
    box.style.width = percent(width, viewport.width)
    box.style.height = percent(height, viewport.height)
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
  function setPicking(next: boolean): void {
    isPicking = next
    chosen = described = undefined
    form.hidden = true
    button.ariaPressed = String(next)
    stage.classList.toggle('pointing', next)
    describe(undefined)
    if (next) line.textContent = 'Click an element of the page. Escape cancels.'
    onPicking(next)
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
    if (!isPicking || !size()) return
    const choosing = choose(pointOf(event))
    chosen = choosing
    latest = undefined
    form.hidden = false
    report('')
    words.focus()
    void choosing.then((element) => {
      if (chosen !== choosing) return
      if (element) describe(element)
      else chosen = undefined
    })
  })
  /** The element that is there now, whatever the page shows when the comment is sent. */
  async function choose(point: Point): Promise<PointedElement | undefined> {
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
  button.addEventListener('click', () => setPicking(!isPicking))
  const cancel = () => {
    setPicking(false)
    button.focus()
  }
  find('cancel').addEventListener('click', cancel)
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && isPicking) cancel()
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send()
  })
  async function send(): Promise<void> {
    const choosing = chosen
    const pointed = await choosing
    if (!pointed || chosen !== choosing) return
    chosen = undefined
    const { box: _box, ...element } = pointed
    const answer = await ask('comment', { element, note: words.value })
    if (!answer.ok) {
      chosen = choosing
      return report(answer.text)
    }
    report('')
    const { name, source } = answer.value as { name: string; source?: string }
    words.value = ''
    cancel()
    line.textContent = `The agent gets your comment about ${[name, source].filter(Boolean).join(', ')}.`
  }
  return {
    setActive(next) {
      if (isActive && !next && !isPicking) describe(undefined)
      isActive = next
    },
    reset() {
      words.value = ''
      setPicking(false)
    },
  }
}
