import { createPinList, type PinListOptions } from './pin-list.ts'
import type { Pointing } from './pointing.ts'
import type { ViewAnswer } from './view-answers.ts'

interface CommentFormOptions extends Pick<PinListOptions, 'size'> {
  readonly pointing: () => Pointing
  readonly ask: (method: string, params: object) => Promise<ViewAnswer>
  readonly report: (text: string) => void
}

export interface CommentForm {
  /** An element was chosen: its words come next. */
  open(): void
  /** Reads the pins anew. */
  update(): Promise<void>
  /** Begins with another session. */
  reset(): void
}

/** Takes what a person says about the element that they chose, or other words for a pin, and sends all pins together. */
export function createCommentForm({ pointing, ask, report, size }: CommentFormOptions): CommentForm {
  const find = <T extends HTMLElement>(id: string) => document.querySelector<T>(`#${id}`)!
  const [form, words, button] = [
    find<HTMLFormElement>('comment'),
    find<HTMLTextAreaElement>('words'),
    find<HTMLButtonElement>('point'),
  ]
  const [more, send] = [find<HTMLButtonElement>('more'), find<HTMLButtonElement>('sendAll')]
  let [isPicking, isBusy] = [false, false]
  let edited: number | undefined
  const pins = createPinList({
    ask,
    size,
    mark: (box) => {
      if (!isPicking) pointing().mark(box)
    },
    onEdit(pin) {
      setPicking(false)
      edited = pin.number
      words.value = pin.note
      openForm('Save')
      pointing().say(`Comment ${pin.number}: ${pin.name}`)
    },
  })
  function openForm(secondButton: string): void {
    form.hidden = false
    more.textContent = secondButton
    words.focus()
  }
  function setPicking(next: boolean): void {
    isPicking = next
    edited = undefined
    form.hidden = true
    button.ariaPressed = String(next)
    if (next) pointing().start()
    else pointing().stop()
  }
  const cancel = () => {
    setPicking(false)
    button.focus()
  }
  button.addEventListener('click', () => setPicking(!isPicking))
  find('cancel').addEventListener('click', cancel)
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && (isPicking || !form.hidden)) cancel()
  })
  words.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    form.requestSubmit()
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void submit(event.submitter !== more)
  })
  send.addEventListener('click', () => void sendAll())
  /** Keeps the words, and sends all pins or goes on with another one. */
  async function submit(isLast: boolean): Promise<void> {
    if (isBusy) return
    isBusy = true
    const result = await (edited === undefined ? keep() : ask('editPin', { pin: edited, note: words.value }))
    isBusy = false
    if (!result) return
    report(result.ok ? '' : result.text)
    if (!result.ok) return
    const goesOn = !isLast && edited === undefined
    words.value = ''
    await pins.update()
    if (isLast) return sendAll()
    if (goesOn) setPicking(true)
    else cancel()
  }
  async function keep(): Promise<ViewAnswer | undefined> {
    const choosing = pointing().chosen()
    const pointed = await choosing
    if (!pointed || pointing().chosen() !== choosing) return undefined
    const { box: _box, ...element } = pointed
    return ask('addPin', { element, note: words.value })
  }
  async function sendAll(): Promise<void> {
    const [first, ...others] = pins.unsent()
    const answer = await ask('sendPins', {})
    report(answer.ok ? '' : answer.text)
    if (!answer.ok || !first) return
    cancel()
    const about = [first.name, first.source].filter(Boolean).join(', ')
    pointing().say(
      others.length > 0
        ? `The agent gets your ${others.length + 1} comments.`
        : `The agent gets your comment about ${about}.`,
    )
    await pins.update()
  }
  return {
    open: () => openForm('Add another'),
    update: pins.update,
    reset() {
      words.value = ''
      pins.reset()
      setPicking(false)
    },
  }
}
