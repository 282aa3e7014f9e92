import { answer } from '../../tool/define-tool.ts'
import * as v from 'valibot'
import { invalidParameter, type Outcome } from '../../base/failure.ts'
import type { MouseAction } from '../../base/action.ts'
import { err, ok } from '../../base/result.ts'
import { definePageTool, EXPLAIN_GRACE_MS } from '../../sessions/tools/define-session-tool.ts'
import { buttons, integerBetween, modifierKeys, text, timeout } from '../../tool/fields.ts'
import { destinationFields, optionalTarget, requireTarget, targetFields } from '../../tool/target.ts'

const output = { success: v.boolean(), message: v.string() }

export const hover = definePageTool({
  name: 'hover',
  title: 'Hover',
  description: 'Move the mouse over an element.',
  effect: 'acts',
  changesPage: true,
  input: { ...targetFields, timeout },
  output,
  async run({ selector, ref }, page, deadline) {
    const target = requireTarget({ selector, ref })
    if (!target.ok) return target
    const result = await page.perform({ kind: 'hover', element: target.value }, deadline)
    return answer(result, () => ({ success: true, message: 'Hovered.' }))
  },
})

export const drag = definePageTool({
  name: 'drag',
  title: 'Drag',
  description: 'Drag one element onto another.',
  effect: 'acts',
  changesPage: true,
  input: {
    ...targetFields,
    ...destinationFields,
    timeout,
  },
  output,
  async run({ selector, ref, toSelector, toRef }, page, deadline) {
    const from = requireTarget({ selector, ref })
    if (!from.ok) return from
    const to = requireTarget({ selector: toSelector, ref: toRef }, (name) => DESTINATION_NAMES[name])
    if (!to.ok) return to
    const result = await page.perform({ kind: 'drag', element: from.value, to: to.value }, deadline)
    return answer(result, (note) => ({
      success: true,
      message: note ? `Dragged. ${note}` : 'Dragged.',
    }))
  },
})

const DESTINATION_NAMES = { selector: 'toSelector', ref: 'toRef' } as const

const HOLD_LIMIT_MS = 60_000

export const pressKey = definePageTool({
  name: 'press_key',
  title: 'Press key',
  description: 'Press a key or chord (Enter, Control+A) on the focused or given element. hold: for ms.',
  effect: 'acts',
  changesPage: true,
  movesFocus: true,
  graceMs: ({ hold = 0 }) => EXPLAIN_GRACE_MS + hold,
  input: {
    key: v.pipe(text(50), v.minLength(1)),
    hold: v.optional(integerBetween(0, HOLD_LIMIT_MS)),
    ...targetFields,
    timeout,
  },
  output,
  async run({ key, hold = 0, selector, ref }, page, deadline) {
    const target = optionalTarget({ selector, ref })
    if (!target.ok) return target
    const result = await page.perform({ kind: 'press', key, element: target.value, holdMs: hold }, deadline)
    return answer(result, () => ({
      success: true,
      message: hold > 0 ? 'Pressed, held and released.' : 'Pressed.',
    }))
  },
})

const coordinate = v.optional(v.number())
/** In CSS pixels; further than any page is long. */
const WHEEL_LIMIT = 1_000_000
const wheelDelta = v.optional(v.pipe(v.number(), v.minValue(-WHEEL_LIMIT), v.maxValue(WHEEL_LIMIT)))

export const mouseActions = ['click', 'move', 'down', 'up', 'drag', 'wheel'] as const

const mouseFields = {
  action: v.picklist(mouseActions),
  x: v.number(),
  y: v.number(),
  toX: coordinate,
  toY: coordinate,
  deltaX: wheelDelta,
  deltaY: wheelDelta,
  button: v.optional(v.picklist(buttons)),
  clickCount: v.optional(integerBetween(1, 10)),
  modifiers: v.optional(v.array(v.picklist(modifierKeys))),
  timeout,
}

type MouseInput = v.InferOutput<v.ObjectSchema<typeof mouseFields, undefined>>

export const mouse = definePageTool({
  name: 'mouse',
  title: 'Mouse',
  description:
    'Use the mouse at x, y of the viewport (CSS pixels), for canvas and maps. drag goes to toX, toY; wheel scrolls by deltaX, deltaY; down keeps the button pressed until up.',
  effect: 'acts',
  changesPage: true,
  input: mouseFields,
  output,
  async run(input, page, deadline) {
    const action = mouseActionOf(input)
    if (!action.ok) return action
    const result = await page.perform({ kind: 'mouse', tool: 'mouse', action: action.value }, deadline)
    return answer(result, ({ element, note }) => ({
      success: true,
      message: `${MOUSE_MESSAGES[input.action]}${element && ` ${element}`}.${note && ` ${note}`}`,
    }))
  },
})

const MOUSE_MESSAGES = {
  click: 'Clicked',
  move: 'Moved to',
  down: 'Pressed on',
  up: 'Released on',
  drag: 'Dragged on',
  wheel: 'Scrolled on',
} as const

/** The fields that only some actions have. A field that its action would ignore is more likely a mistake. */
const ACTIONS_OF_FIELD: readonly (readonly [keyof MouseInput, readonly MouseInput['action'][]])[] = [
  ['toX', ['drag']],
  ['toY', ['drag']],
  ['deltaX', ['wheel']],
  ['deltaY', ['wheel']],
  ['button', ['click', 'down', 'up', 'drag']],
  ['clickCount', ['click']],
]

/** The action of an input; INVALID_PARAMETERS if it lacks a field of its action or has one of another. */
export function mouseActionOf(input: MouseInput): Outcome<MouseAction> {
  const { action: kind, x, y, toX, toY, deltaX = 0, deltaY = 0, button = 'left', clickCount = 1 } = input
  for (const [field, kinds] of ACTIONS_OF_FIELD)
    if (input[field] !== undefined && !kinds.includes(kind))
      return err(
        invalidParameter(field, `nothing with ${kind}, only with ${kinds.join(', ')}`, `${input[field]}`),
      )
  const base = { point: { x, y }, ...(input.modifiers && { modifiers: input.modifiers }) }
  if (kind === 'move') return ok({ ...base, kind })
  if (kind === 'click') return ok({ ...base, kind, button, clickCount })
  if (kind === 'wheel')
    return deltaX === 0 && deltaY === 0
      ? err(invalidParameter('deltaY', 'deltaX or deltaY other than 0', 'neither'))
      : ok({ ...base, kind, deltaX, deltaY })
  if (kind !== 'drag') return ok({ ...base, kind, button })
  if (toX === undefined || toY === undefined)
    return err(invalidParameter(toX === undefined ? 'toX' : 'toY', 'a coordinate', 'nothing'))
  return ok({ ...base, kind, button, to: { x: toX, y: toY } })
}
