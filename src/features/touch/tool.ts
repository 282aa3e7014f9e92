import * as v from 'valibot'
import type { Target } from '../../core/base/action.ts'
import { invalidParameter, type Outcome } from '../../core/base/failure.ts'
import type { Point } from '../../core/base/geometry.ts'
import { err, ok } from '../../core/base/result.ts'
import { definePageTool, EXPLAIN_GRACE_MS } from '../../core/sessions/tools/define-session-tool.ts'
import { answer } from '../../core/tool/define-tool.ts'
import { integerBetween, timeout } from '../../core/tool/fields.ts'
import { requireTarget, targetFields } from '../../core/tool/target.ts'
import type { Touch } from './touch.ts'

const HOLD_LIMIT_MS = 30_000
const TAP_LIMIT = 3
/** In CSS pixels; wider than any screen. */
const DELTA_LIMIT = 20_000
const delta = v.optional(v.pipe(v.number(), v.minValue(-DELTA_LIMIT), v.maxValue(DELTA_LIMIT)))
const SCALE_LIMIT = 10

const touchFields = {
  action: v.picklist(['tap', 'swipe', 'pinch']),
  ...targetFields,
  x: v.optional(v.number()),
  y: v.optional(v.number()),
  deltaX: delta,
  deltaY: delta,
  scale: v.optional(v.pipe(v.number(), v.minValue(1 / SCALE_LIMIT), v.maxValue(SCALE_LIMIT))),
  count: v.optional(integerBetween(1, TAP_LIMIT)),
  hold: v.optional(integerBetween(0, HOLD_LIMIT_MS)),
  timeout,
}

type TouchInput = v.InferOutput<v.ObjectSchema<typeof touchFields, undefined>>

export const touch = definePageTool({
  name: 'touch',
  title: 'Touch',
  description:
    'Fingers on an element, or at x, y of the viewport, where the device has touch: tap (count, hold in ms), swipe by deltaX, deltaY pixels, pinch by scale (above 1 zooms in).',
  effect: 'acts',
  changesPage: true,
  graceMs: ({ hold = 0 }) => EXPLAIN_GRACE_MS + hold,
  input: touchFields,
  output: { success: v.boolean(), message: v.string() },
  async run(input, page, deadline) {
    const place = placeOf(input)
    if (!place.ok) return place
    const gesture = gestureOf(input)
    if (!gesture.ok) return gesture
    const action = { kind: 'touch', tool: 'touch', place: place.value, gesture: gesture.value } as const
    const result = await page.perform(action, deadline)
    return answer(result, (element) => ({
      success: true,
      message: `${MESSAGES[input.action]}${element && ` ${element}`}.`,
    }))
  },
})

const MESSAGES = { tap: 'Tapped', swipe: 'Swiped on', pinch: 'Pinched' } as const

/** The fields that only some actions have. A field that its action would ignore is more likely a mistake. */
const ACTIONS_OF_FIELD: readonly (readonly [keyof TouchInput, readonly TouchInput['action'][]])[] = [
  ['deltaX', ['swipe']],
  ['deltaY', ['swipe']],
  ['scale', ['pinch']],
  ['count', ['tap']],
  ['hold', ['tap', 'swipe']],
]

function placeOf({ selector, ref, x, y }: TouchInput): Outcome<Target | Point> {
  if (x === undefined && y === undefined) return requireTarget({ selector, ref })
  if (selector !== undefined || ref !== undefined)
    return err(invalidParameter('x', 'either selector or ref, or x and y', 'both'))
  if (x === undefined || y === undefined)
    return err(invalidParameter(x === undefined ? 'x' : 'y', 'a coordinate', 'nothing'))
  return ok({ x, y })
}

/** The gesture of an input; INVALID_PARAMETERS if it lacks a field of its action or has one of another. */
function gestureOf(input: TouchInput): Outcome<Touch> {
  const { action: kind, deltaX = 0, deltaY = 0, scale, count = 1, hold: holdMs = 0 } = input
  for (const [field, kinds] of ACTIONS_OF_FIELD)
    if (input[field] !== undefined && !kinds.includes(kind))
      return err(
        invalidParameter(field, `nothing with ${kind}, only with ${kinds.join(', ')}`, `${input[field]}`),
      )
  if (kind === 'tap') return ok({ kind, count, holdMs })
  if (kind === 'swipe')
    return deltaX === 0 && deltaY === 0
      ? err(invalidParameter('deltaY', 'deltaX or deltaY other than 0', 'neither'))
      : ok({ kind, deltaX, deltaY, holdMs })
  return scale === undefined || scale === 1
    ? err(invalidParameter('scale', 'a factor other than 1', `${scale ?? 'nothing'}`))
    : ok({ kind, scale })
}
