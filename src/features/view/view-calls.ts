// What the page of the view asks a server for. A call comes from the page or, on the private socket, from the server that the page has; it is
// checked here, and its answer is JSON.

import * as v from 'valibot'
import type { Outcome } from '../../core/base/failure.ts'
import { map, ok } from '../../core/base/result.ts'
import { failureText } from '../../core/mcp/answers/failure-text.ts'
import type { Frame, PersonInput } from '../../core/sessions/types/person.ts'
import { displayText } from '../lib/html/report.ts'
import type { ServedFrame, ViewAnswer } from './in-page/view-answers.ts'
import type { CommentedElement, PointedElement, ViewedPin } from './in-page/viewed-session.ts'
import type { SessionViews } from './viewing.ts'

const ENTRY_LIMIT_CHARS = 4000
const LABEL_LIMIT_CHARS = 300
const NOTE_LIMIT_CHARS = 4000
const PASTE_LIMIT_CHARS = 100_000
const INPUTS_LIMIT = 200

export const viewer = v.pipe(v.string(), v.regex(/^[\w-]{8,64}$/))
export const session = v.pipe(v.string(), v.maxLength(LABEL_LIMIT_CHARS))
export const after = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const note = v.pipe(v.string(), v.maxLength(NOTE_LIMIT_CHARS))
const coordinate = v.pipe(v.number(), v.minValue(0), v.maxValue(100_000))
const distance = v.pipe(v.number(), v.minValue(-100_000), v.maxValue(100_000))
const point = v.strictObject({ x: coordinate, y: coordinate })
const text = v.pipe(v.string(), v.maxLength(ENTRY_LIMIT_CHARS))
const ref = v.pipe(v.string(), v.regex(/^\w{1,40}$/))
const pin = after
const element = v.strictObject({
  ref,
  role: text,
  name: text,
  source: v.exactOptional(text),
}) satisfies v.GenericSchema<CommentedElement>
const input = v.variant('kind', [
  v.strictObject({ kind: v.literal('move'), ...point.entries }),
  v.strictObject({
    kind: v.picklist(['down', 'up']),
    button: v.picklist(['left', 'middle', 'right']),
    clickCount: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
    ...point.entries,
  }),
  v.strictObject({ kind: v.literal('wheel'), deltaX: distance, deltaY: distance, ...point.entries }),
  v.strictObject({ kind: v.picklist(['keyDown', 'keyUp']), key: v.pipe(v.string(), v.maxLength(20)) }),
  v.strictObject({ kind: v.literal('text'), text: v.pipe(v.string(), v.maxLength(PASTE_LIMIT_CHARS)) }),
]) satisfies v.GenericSchema<PersonInput>

const call = <const M extends string, const E extends v.ObjectEntries>(method: M, params: E) =>
  v.strictObject({ method: v.literal(method), params: v.strictObject(params) })

const viewCall = v.variant('method', [
  call('list', { viewer }),
  call('read', { session, after }),
  call('nextFrame', { session, after }),
  call('takeOver', { viewer, session }),
  call('giveBack', { viewer, session, note }),
  call('sendInput', { viewer, session, inputs: v.pipe(v.array(input), v.maxLength(INPUTS_LIMIT)) }),
  call('elementAt', { session, point }),
  call('elements', { session }),
  call('elementOf', { session, ref }),
  call('pins', { session }),
  call('addPin', { session, element, note }),
  call('editPin', { session, pin, note }),
  call('removePin', { session, pin }),
  call('sendPins', { session }),
])

/** `signal` aborts when nobody waits for the answer any more. */
export async function answerViewCall(
  views: SessionViews,
  message: unknown,
  signal: AbortSignal,
): Promise<ViewAnswer> {
  const callResult = v.safeParse(viewCall, message)
  if (!callResult.success) return { ok: false, text: 'This server does not know this call of the view.' }
  const outcome = await runViewCall(views, callResult.output, signal)
  return outcome.ok ? outcome : { ok: false, text: failureText(outcome.error) }
}

// --- internal ---

async function runViewCall(
  views: SessionViews,
  { method, params }: v.InferOutput<typeof viewCall>,
  signal: AbortSignal,
): Promise<Outcome<unknown>> {
  switch (method) {
    case 'list':
      return ok((await views.list(params.viewer)).map((viewed) => displayTexts(viewed, LABEL_LIMIT_CHARS)))
    case 'read':
      return map(await views.read(params.session, params.after), ({ entries, dropped }) => ({
        entries: entries.map((entry) => displayTexts(entry, ENTRY_LIMIT_CHARS)),
        dropped,
      }))
    case 'nextFrame':
      return map(
        await views.nextFrame(params.session, params.after, signal),
        (frame) => frame && toJson(frame),
      )
    case 'takeOver':
      return views.takeOver(params.viewer, params.session)
    case 'giveBack':
      return views.giveBack(params.viewer, params.session, params.note)
    case 'sendInput':
      return views.sendInput(params.viewer, params.session, params.inputs)
    case 'elementAt':
      return map(
        await views.elementAt(params.session, params.point),
        (element) => element && shownElement(element),
      )
    case 'elements':
      return map(await views.elements(params.session), (elements) => elements.map(shownElement))
    case 'elementOf':
      return map(
        await views.elementOf(params.session, params.ref),
        (element) => element && shownElement(element),
      )
    case 'pins':
      return map(await views.pins(params.session), (pins) => pins.map(shownPin))
    case 'addPin':
      return views.addPin(params.session, params.element, params.note)
    case 'editPin':
      return views.editPin(params.session, params.pin, params.note)
    case 'removePin':
      return views.removePin(params.session, params.pin)
    case 'sendPins':
      return views.sendPins(params.session)
  }
}

const toJson = ({ bytes, ...frame }: Frame): ServedFrame => ({
  ...frame,
  base64: Buffer.from(bytes).toString('base64'),
})

const shownElement = ({ box, ...texts }: PointedElement) => ({
  box,
  ...displayTexts(texts, LABEL_LIMIT_CHARS),
})

const shownPin = ({ box, ...pin }: ViewedPin) => ({ box, ...displayTexts(pin, NOTE_LIMIT_CHARS) })

/** The record with each of its texts as people read it. Names by which a session is asked for stay as they are. */
const displayTexts = <T extends object>(record: T, limit: number): T =>
  Object.fromEntries(
    Object.entries(record).map(([key, value]: [string, unknown]) => [
      key,
      key === 'id' || typeof value !== 'string' ? displayNested(value, limit) : displayText(value, limit),
    ]),
  ) as T

// The reason for which an agent asks for a person.
const displayNested = (value: unknown, limit: number): unknown =>
  typeof value === 'object' && value !== null ? displayTexts(value, limit) : value
