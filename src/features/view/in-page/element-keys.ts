import type { ViewAnswer } from './view-answers.ts'
import type { ShownElement } from './viewed-session.ts'

interface ElementKeysOptions {
  readonly stage: HTMLElement
  readonly ask: (method: string, params: object) => Promise<ViewAnswer>
  /** Whether keys move now. */
  readonly isActive: () => boolean
  readonly onMove: (element: ShownElement) => void
  readonly onChoose: (ref: string) => void
}

export interface ElementKeys {
  /** Begins anew at the first element. */
  reset(): void
}

/** Moves through the elements of the page with the keyboard: arrow keys by one, Page Up and Down by ten, Home and End; Enter chooses. */
export function createElementKeys({
  stage,
  ask,
  isActive,
  onMove,
  onChoose,
}: ElementKeysOptions): ElementKeys {
  const LIST_AGE_MS = 1000
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowRight: 1,
    ArrowUp: -1,
    ArrowLeft: -1,
    PageDown: 10,
    PageUp: -10,
    Home: -Infinity,
    End: Infinity,
  }
  let list: readonly ShownElement[] = []
  let readAt = -Infinity
  let current: ShownElement | undefined
  // Key presses in their order, each after the list is read.
  let moving = Promise.resolve()
  async function move(step: number): Promise<void> {
    if (performance.now() - readAt > LIST_AGE_MS) {
      const answer = await ask('elements', {})
      list = answer.ok ? (answer.value as readonly ShownElement[]) : list
      readAt = performance.now()
    }
    if (!isActive() || list.length === 0) return
    const index = list.findIndex(({ ref }) => ref === current?.ref)
    const start = index < 0 && step > 0 ? -1 : Math.max(0, index)
    current = list[Math.min(list.length - 1, Math.max(0, start + step))]
    if (current) onMove(current)
  }
  stage.addEventListener('keydown', (event) => {
    const step = steps[event.key]
    if (!isActive() || event.target !== stage || event.ctrlKey || event.altKey || event.metaKey) return
    if (step !== undefined) {
      event.preventDefault()
      moving = moving.then(() => move(step))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      void moving.then(() => current && isActive() && onChoose(current.ref))
    }
  })
  return {
    reset() {
      current = undefined
      readAt = -Infinity
    },
  }
}
