// The comments of people on elements of a session, as pins with numbers: set, sent together, read by the agent and answered.

import { invalidParameter, type Outcome } from '../../core/base/failure.ts'
import type { Image } from '../../core/base/image.ts'
import { err, ok } from '../../core/base/result.ts'
import type { CommentedElement, ViewedPin } from './in-page/viewed-session.ts'

export interface Pin extends CommentedElement, Pick<ViewedPin, 'number' | 'note' | 'state' | 'answer'> {
  /** Of the pins that were sent together; 0 before. */
  readonly batch: number
  /** By which the element is found where its ref is lost. */
  readonly locator?: { readonly selector: string; readonly code: string }
  /** Of the page that it was set on, without its fragment. */
  readonly url: string
  readonly image?: Image
  /** Whether the element was gone when it was looked for last. */
  readonly isGone: boolean
}

export interface Pins {
  readonly list: readonly Pin[]
  /** The last number, which no other pin gets, and the last batch. */
  readonly lastNumber: number
  readonly lastBatch: number
}

export const noPins: Pins = { list: [], lastNumber: 0, lastBatch: 0 }

/** How many are sent together at most. */
const BATCH_LIMIT = 10
const PIN_LIMIT = 50

type NewPin = Omit<Pin, 'number' | 'state' | 'batch' | 'answer' | 'isGone'>

/** With one more that is not sent. Fails where as many wait as are sent together. */
export function addPin(pins: Pins, pin: NewPin): Outcome<Pins> {
  if (pins.list.filter(({ state }) => state === 'draft').length >= BATCH_LIMIT)
    return err(tooMany('not sent'))
  // What is done makes room.
  const oldest = pins.list.length < PIN_LIMIT ? undefined : pins.list.find(({ state }) => state === 'done')
  if (pins.list.length >= PIN_LIMIT && !oldest) return err(tooMany('open'))
  const number = pins.lastNumber + 1
  const added: Pin = { ...pin, number, state: 'draft', batch: 0, isGone: false }
  return ok({ ...pins, lastNumber: number, list: [...pins.list.filter((one) => one !== oldest), added] })
}

/** With other words, which are sent again. A number that is gone changes nothing. */
export const editPin = (pins: Pins, number: number, note: string): Pins =>
  changePin(pins, number, ({ answer: _, ...pin }) => ({ ...pin, note, state: 'draft' }))

export const removePin = (pins: Pins, number: number): Pins => ({
  ...pins,
  list: pins.list.filter((pin) => pin.number !== number),
})

/** With all that are not sent as one batch. */
export function sendPins(pins: Pins): Pins {
  const batch = pins.lastBatch + 1
  const list = pins.list.map((pin): Pin => (pin.state === 'draft' ? { ...pin, state: 'sent', batch } : pin))
  return { ...pins, lastBatch: batch, list }
}

/** The oldest batch that the agent has not read; empty without any. */
export function unreadPins({ list }: Pins): readonly Pin[] {
  const sent = list.filter(({ state }) => state === 'sent')
  const oldest = Math.min(...sent.map(({ batch }) => batch))
  return sent.filter(({ batch }) => batch === oldest)
}

/** With these read by the agent. */
export const readPins = (pins: Pins, read: readonly Pin[]): Pins =>
  read.reduce((all, { number }) => changePin(all, number, (pin) => ({ ...pin, state: 'read' })), pins)

/** With the answers of the agent, such as `3 done: it is green` or `4 question: which green?`. All of them count, or none. */
export function answerPins(pins: Pins, answers: readonly string[]): Outcome<Pins> {
  let next = pins
  for (const [index, text] of answers.entries()) {
    const [, digits, state, words = ''] = ANSWER.exec(text) ?? []
    const field = `answers[${index}]`
    if (digits === undefined)
      return err(invalidParameter(field, '"NUMBER done: WORDS" or "NUMBER question: WORDS"', quote(text)))
    const number = Number(digits)
    const pin = pins.list.find((one) => one.number === number && one.state !== 'draft')
    if (!pin) {
      const open = pins.list.filter(({ state: one }) => one !== 'draft').map((one) => one.number)
      const known =
        open.length > 0 ? `the number of a comment (${open.join(', ')})` : 'a comment; there is none'
      return err(invalidParameter(field, known, String(number), 'The user may have removed it.'))
    }
    const newState = state?.toLowerCase() === 'done' ? 'done' : 'question'
    next = changePin(next, number, (one) => ({ ...one, state: newState, answer: words.trim() }))
  }
  return ok(next)
}

/** With what is known of a pin since it was looked for. */
export const placePin = (pins: Pins, number: number, place: Pick<Pin, 'isGone'> & { ref?: string }): Pins =>
  changePin(pins, number, (pin) => ({ ...pin, ...place }))

// --- internal ---

const ANSWER = /^\s*#?(\d{1,9})[\s:.,-]+(done|question)\b[\s:.,-]*([^]*)$/i
const QUOTE_LIMIT_CHARS = 100

const quote = (text: string): string => JSON.stringify(text.slice(0, QUOTE_LIMIT_CHARS))

const tooMany = (kind: string) =>
  invalidParameter('pin', `at most ${kind === 'open' ? PIN_LIMIT : BATCH_LIMIT} that are ${kind}`, 'one more')

const changePin = (pins: Pins, number: number, change: (pin: Pin) => Pin): Pins => ({
  ...pins,
  list: pins.list.map((pin) => (pin.number === number ? change(pin) : pin)),
})
