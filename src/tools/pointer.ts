import * as v from 'valibot'
import { buttons, integerBetween, modifierKeys, text, timeout } from './define/fields.ts'
import { mouseActionOf, mouseActions } from './define/mouse-action.ts'
import { destinationFields, optionalTarget, requireTarget, targetFields } from './define/target.ts'
import { answer, definePageTool, EXPLAIN_GRACE_MS } from './define/define-tool.ts'

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
    const result = await page.hover(target.value, deadline)
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
    return answer(await page.drag(from.value, to.value, deadline), (note) => ({
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
    const result = await page.press(key, target.value, hold, deadline)
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

export const mouse = definePageTool({
  name: 'mouse',
  title: 'Mouse',
  description:
    'Use the mouse at x, y of the viewport (CSS pixels), for canvas and maps. drag goes to toX, toY; wheel scrolls by deltaX, deltaY; down keeps the button pressed until up.',
  effect: 'acts',
  changesPage: true,
  input: {
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
  },
  output,
  async run(input, page, deadline) {
    const action = mouseActionOf(input)
    if (!action.ok) return action
    return answer(await page.mouse(action.value, deadline), ({ element, note }) => ({
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
