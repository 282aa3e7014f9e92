import type { Box, Size } from '../../../core/base/geometry.ts'
import type { ViewAnswer } from './view-answers.ts'
import type { ViewedPin } from './viewed-session.ts'

export interface PinListOptions {
  readonly ask: (method: string, params: object) => Promise<ViewAnswer>
  /** The size of the viewport, once there is a picture. */
  readonly size: () => Size | undefined
  /** Marks the element of the pin that the person looks at. */
  readonly mark: (box: Box | undefined) => void
  readonly onEdit: (pin: ViewedPin) => void
}

export interface PinList {
  /** Reads them anew. */
  update(): Promise<void>
  /** Those that are not sent. */
  unsent(): readonly ViewedPin[]
  reset(): void
}

/** The pins of a session: numbers on the picture, and beside it words, state and what the agent says. */
export function createPinList({ ask, size, mark, onEdit }: PinListOptions): PinList {
  const stateTexts = [
    ['done', 'done'],
    ['question', 'question'],
    ['read', 'with the agent'],
    ['sent', 'sent'],
    ['draft', 'not sent'],
  ] as const
  const textOf = (state: ViewedPin['state']) => stateTexts.find(([name]) => name === state)?.[1]
  const find = <T extends HTMLElement>(id: string) => document.querySelector<T>(`#${id}`)!
  const [section, list, marks, summary] = [find('pins'), find('pinList'), find('marks'), find('pinStates')]
  const send = find<HTMLButtonElement>('sendAll')
  const items = new Map<number, { readonly facts: string; readonly item: HTMLElement }>()
  let pins: readonly ViewedPin[] = []
  // Newer than an answer that is on its way.
  let generation = 0
  const add = (parent: Element, tag: string, name: string, text: string) => {
    const part = parent.appendChild(document.createElement(tag))
    part.className = name
    part.textContent = text
    return part
  }
  const addButton = (parent: Element, name: string, label: string, act: () => void) => {
    const button = add(parent, 'button', '', name)
    button.ariaLabel = label
    button.addEventListener('click', act)
  }
  function createItem(pin: ViewedPin): HTMLElement {
    const { number, name: element, source, note, state, answer, isGone } = pin
    const item = document.createElement('li')
    item.className = `pin ${state}`
    const head = add(item, 'p', 'muted', '')
    add(head, 'b', 'pinNumber', String(number))
    head.append(` ${[element, source].filter(Boolean).join(', ')}`)
    add(item, 'p', 'pinWords', note)
    if (isGone) add(item, 'p', 'reason', 'The element is gone from the page.')
    add(item, 'p', 'pinState', [textOf(state), answer].filter(Boolean).join(': '))
    const bar = add(item, 'div', 'bar', '')
    const [name, label] = state === 'question' ? ['Reply', 'Reply to'] : ['Edit', 'Edit']
    addButton(bar, name, `${label} comment ${number}`, () => onEdit(pin))
    addButton(bar, 'Remove', `Remove comment ${number}`, () => {
      generation += 1
      void ask('removePin', { pin: number }).then(update)
    })
    const look = () => mark(pins.find((one) => one.number === number)?.box)
    item.addEventListener('mouseenter', look)
    item.addEventListener('focusin', look)
    item.addEventListener('mouseleave', () => mark(undefined))
    item.addEventListener('focusout', () => mark(undefined))
    return item
  }
  function showItems(): void {
    for (const [number, { item }] of items) {
      if (pins.some((pin) => pin.number === number)) continue
      if (item.contains(document.activeElement)) find('point').focus()
      item.remove()
      items.delete(number)
    }
    for (const pin of pins) {
      const { box: _box, ...rest } = pin
      const facts = JSON.stringify(rest)
      const earlier = items.get(pin.number)
      if (earlier?.facts === facts) continue
      const item = createItem(pin)
      const buttons = [...(earlier?.item.querySelectorAll('button') ?? [])]
      const focused = buttons.findIndex((button) => button === document.activeElement)
      if (earlier) earlier.item.replaceWith(item)
      else list.append(item)
      if (focused >= 0) item.querySelectorAll('button')[focused]?.focus()
      items.set(pin.number, { facts, item })
    }
  }
  /** A number at the corner of each element that the picture shows. */
  function showMarks(): void {
    const viewport = size()
    const visiblePins = pins.filter(({ box }) => {
      if (!box || !viewport) return false
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      return x >= 0 && y >= 0 && x < viewport.width && y < viewport.height
    })
    marks.replaceChildren(
      ...visiblePins.map(({ number, state, box }) => {
        const element = document.createElement('span')
        element.className = `pinNumber ${state}`
        element.textContent = String(number)
        element.style.left = `${(100 * Math.max(0, box?.x ?? 0)) / (viewport?.width ?? 1)}%`
        element.style.top = `${(100 * Math.max(0, box?.y ?? 0)) / (viewport?.height ?? 1)}%`
        return element
      }),
    )
  }
  const unsent = () => pins.filter(({ state }) => state === 'draft')
  function show(): void {
    section.hidden = pins.length === 0
    const count = unsent().length
    send.hidden = count === 0
    send.textContent = count === 1 ? 'Send 1 comment' : `Send ${count} comments`
    const counts = stateTexts.flatMap(([state, text]) => {
      const { length } = pins.filter((pin) => pin.state === state)
      return length > 0 ? [`${length} ${text}`] : []
    })
    if (summary.textContent !== counts.join(', ')) summary.textContent = counts.join(', ')
    showItems()
    showMarks()
  }
  async function read(): Promise<void> {
    const own = (generation += 1)
    const answer = await ask('pins', {})
    if (own !== generation || !answer.ok) return
    pins = answer.value as readonly ViewedPin[]
    show()
  }
  let latest = Promise.resolve()
  /** Waits for the newest answer: an earlier one shows nothing. */
  async function update(): Promise<void> {
    latest = read()
    for (let current; current !== latest;) {
      current = latest
      await current
    }
  }
  return {
    update,
    unsent,
    reset() {
      generation += 1
      pins = []
      show()
    },
  }
}
