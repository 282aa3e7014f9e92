import type { Point } from '../../../core/base/geometry.ts'
import type { PersonInput } from '../../../core/sessions/types/person.ts'

interface InputOptions {
  /** Takes mouse, keyboard and paste while it is shown. */
  readonly field: HTMLTextAreaElement
  readonly pointOf: (event: MouseEvent) => Point
  readonly send: (inputs: readonly PersonInput[]) => Promise<boolean>
  /** The person returns the session by the keyboard. */
  readonly onReturn: () => void
}

export interface Input {
  /** Releases the keys that are pressed, and resolves when everything was sent. */
  finish(): Promise<void>
  /** Drops what was not sent, and forgets what is pressed. */
  reset(): void
}

/** Sends what a person does on the picture, in order, one request at a time. */
export function createInput({ field, pointOf, send, onReturn }: InputOptions): Input {
  const REQUEST_LIMIT = 100
  const QUEUE_LIMIT = 1000
  const LINE_HEIGHT_PX = 16
  const NAMED_KEY =
    /^(Shift|Control|Alt|Meta|Enter|Tab|Backspace|Delete|Escape|Arrow(Up|Down|Left|Right)|Home|End|Page(Up|Down)|Insert|F([1-9]|1[0-2]))$/
  const buttons = ['left', 'middle', 'right'] as const
  const pressedKeys = new Map<string, string>()
  let queue: PersonInput[] = []
  let sending: Promise<void> | undefined
  async function sendQueue(): Promise<void> {
    while (queue.length > 0) if (!(await send(queue.splice(0, REQUEST_LIMIT)))) queue = []
    sending = undefined
  }
  function add(input: PersonInput): void {
    const last = queue.at(-1)
    if (input.kind === 'move' && last?.kind === 'move') queue[queue.length - 1] = input
    else if (input.kind === 'wheel' && last?.kind === 'wheel')
      queue[queue.length - 1] = {
        ...input,
        deltaX: last.deltaX + input.deltaX,
        deltaY: last.deltaY + input.deltaY,
      }
    else if (queue.length < QUEUE_LIMIT) queue.push(input)
    sending ??= sendQueue()
  }
  const addText = (text: string) => text !== '' && add({ kind: 'text', text: text.slice(0, 100_000) })
  const addButton = (kind: 'down' | 'up') => (event: MouseEvent) => {
    const button = buttons[event.button]
    event.preventDefault()
    if (kind === 'down') field.focus()
    if (button) add({ kind, button, clickCount: Math.min(100, Math.max(1, event.detail)), ...pointOf(event) })
  }
  const releaseKeys = () => {
    for (const key of pressedKeys.values()) add({ kind: 'keyUp', key })
    pressedKeys.clear()
  }
  field.addEventListener('pointerdown', ({ pointerId }) => field.setPointerCapture(pointerId))
  field.addEventListener('mousedown', addButton('down'))
  field.addEventListener('mouseup', addButton('up'))
  field.addEventListener('mousemove', (event) => add({ kind: 'move', ...pointOf(event) }))
  field.addEventListener('contextmenu', (event) => event.preventDefault())
  field.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      const unit = [1, LINE_HEIGHT_PX, field.clientHeight][event.deltaMode] ?? 1
      add({ kind: 'wheel', deltaX: event.deltaX * unit, deltaY: event.deltaY * unit, ...pointOf(event) })
    },
    { passive: false },
  )
  field.addEventListener('keydown', (event) => {
    const { key, code, ctrlKey, altKey, metaKey } = event
    if (event.isComposing || key === 'Process' || key === 'Dead') return
    if (key === 'Escape' && ctrlKey && altKey) {
      event.preventDefault()
      return onReturn()
    }
    // What the person has copied comes as a paste.
    if ((ctrlKey || metaKey) && key.toLowerCase() === 'v') return
    event.preventDefault()
    const isAscii = /^[ -~]$/.test(key)
    const isComposed = event.getModifierState('AltGraph') || (altKey && ctrlKey)
    if ([...key].length === 1 && (!isAscii || isComposed)) return void addText(key)
    if (!isAscii && !NAMED_KEY.test(key)) return
    pressedKeys.set(code, key)
    add({ kind: 'keyDown', key })
  })
  field.addEventListener('keyup', ({ code, key: name }) => {
    // macOS reports no end of a key that was pressed with it.
    if (name === 'Meta') return releaseKeys()
    // With another modifier the same key has another name now.
    const key = pressedKeys.get(code)
    if (key !== undefined) add({ kind: 'keyUp', key })
    pressedKeys.delete(code)
  })
  field.addEventListener('blur', releaseKeys)
  field.addEventListener('compositionend', ({ data }) => {
    addText(data)
    field.value = ''
  })
  field.addEventListener('input', (event) => {
    // A keyboard on a screen sends no keys.
    const { isComposing, data } = event as InputEvent
    if (isComposing) return
    if (data !== null && field.value !== '') addText(data)
    field.value = ''
  })
  field.addEventListener('paste', (event) => {
    event.preventDefault()
    addText(event.clipboardData?.getData('text/plain') ?? '')
  })
  return {
    async finish() {
      releaseKeys()
      await sending
    },
    reset() {
      queue = []
      pressedKeys.clear()
    },
  }
}
