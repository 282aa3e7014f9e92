// What a person does with mouse and keyboard, as trusted events. Keys and buttons stay pressed from one call to the next.

import type { Page } from 'playwright'
import { type Failure, invalidParameter, type Outcome } from '../../core/base/failure.ts'
import { err, ok } from '../../core/base/result.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { keysOfChord, parseChord } from '../../core/base/text/key-names.ts'
import { watchMissingDoubleClick } from '../../core/browser/actions/mouse.ts'
import { pressWithOwnClipboard } from '../../core/browser/actions/session-clipboard.ts'
import { attempt, browserError } from '../../core/browser/playwright/errors.ts'
import type { PersonInput } from '../../core/sessions/types/person.ts'

type Button = Extract<PersonInput, { button: unknown }>['button']

interface Pressed {
  readonly keys: Set<string>
  readonly buttons: Set<Button>
  /** Ends the watch of a double click whose second click has begun. */
  completeClick?: (() => Promise<void>) | undefined
}

interface PersonInputs {
  /** Performs inputs in order. What is left when it is interrupted is dropped. */
  perform(page: Page, inputs: readonly PersonInput[], isInterrupted: () => boolean): Promise<Outcome<void>>
  /** Releases the keys and buttons that are still pressed, in all tabs. */
  release(): Promise<void>
}

/** Of one input. */
const INPUT_TIMEOUT_MS = 2000

export function createPersonInputs(): PersonInputs {
  const pressedInPages = new Map<Page, Pressed>()

  function pressedIn(page: Page): Pressed {
    const pressed = pressedInPages.get(page) ?? { keys: new Set(), buttons: new Set() }
    if (!pressedInPages.has(page)) page.once('close', () => pressedInPages.delete(page))
    pressedInPages.set(page, pressed)
    return pressed
  }

  async function release(page: Page, { keys, buttons }: Pressed): Promise<void> {
    pressedInPages.delete(page)
    for (const key of keys) await settleWithin(INPUT_TIMEOUT_MS, page.keyboard.up(key))
    for (const button of buttons) await settleWithin(INPUT_TIMEOUT_MS, page.mouse.up({ button }))
  }

  return {
    async perform(page, inputs, isInterrupted) {
      const invalid = inputs.map(findInvalidKey).find(Boolean)
      if (invalid) return err(invalid)
      let isLate = false
      const isOver = () => isLate || isInterrupted()
      for (const input of inputs) {
        if (isOver()) break
        const performing = attempt(performInput(page, input, pressedIn(page), isOver), browserError)
        const result = await settleWithin(INPUT_TIMEOUT_MS, performing)
        isLate = result === undefined
        if (!result || result instanceof Error) return err(NO_ANSWER)
        if (!result.ok) return result
      }
      return ok(undefined)
    },
    async release() {
      await Promise.all([...pressedInPages].map(([page, pressed]) => release(page, pressed)))
    },
  }
}

// --- internal ---

const NO_ANSWER: Failure = {
  code: 'TIMEOUT',
  waitedFor: 'the page to react to the mouse or the keyboard',
  waited: INPUT_TIMEOUT_MS,
  responding: false,
}

async function performInput(
  page: Page,
  input: PersonInput,
  pressed: Pressed,
  isOver: () => boolean,
): Promise<void> {
  const { keyboard, mouse } = page
  if ('key' in input) return changeKey(page, input, pressed)
  if ('text' in input) return keyboard.insertText(input.text)
  await mouse.move(input.x, input.y)
  // A button that a page gets late would stay pressed.
  if (isOver()) return
  if ('deltaX' in input) return mouse.wheel(input.deltaX, input.deltaY)
  if ('button' in input) return changeButton(page, input, pressed)
}

async function changeButton(
  page: Page,
  { kind, button, clickCount, x, y }: Extract<PersonInput, { button: Button }>,
  pressed: Pressed,
): Promise<void> {
  if (kind === 'down') {
    pressed.buttons.add(button)
    pressed.completeClick = clickCount === 2 ? await watchMissingDoubleClick(page, { x, y }) : undefined
    return page.mouse.down({ button, clickCount })
  }
  pressed.buttons.delete(button)
  await page.mouse.up({ button, clickCount })
  await pressed.completeClick?.()
  pressed.completeClick = undefined
}

// What is typed with a key that an American keyboard does not have is inserted.
async function changeKey(
  page: Page,
  { kind, key }: Extract<PersonInput, { key: string }>,
  { keys }: Pressed,
): Promise<void> {
  if (isTypedAsText(key)) return kind === 'keyDown' ? page.keyboard.insertText(key) : undefined
  if (kind === 'keyUp') {
    keys.delete(key)
    return page.keyboard.up(key)
  }
  const chord = [...keys, key].join('+')
  keys.add(key)
  await pressWithOwnClipboard(page, chord, () => page.keyboard.down(key))
}

const isTypedAsText = (key: string): boolean => [...key].length === 1 && !/^[ -~]$/.test(key)

function findInvalidKey(input: PersonInput): Failure | undefined {
  if (!('key' in input) || isTypedAsText(input.key)) return undefined
  const chord = parseChord(input.key)
  if (chord.ok && chord.value === input.key && keysOfChord(input.key).length === 1) return undefined
  return invalidParameter(
    'key',
    'a key as Playwright names it, such as Enter or a',
    JSON.stringify(input.key),
  )
}
