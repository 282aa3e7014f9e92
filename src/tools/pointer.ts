import * as v from 'valibot'
import { SELECTOR_LIMIT_CHARS, text, timeout } from './define/fields.ts'
import { optionalTarget, requireTarget, targetFields } from './define/target.ts'
import { answer, definePageTool } from './define/define-tool.ts'

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
  description: 'Drag one element onto another with real mouse events.',
  effect: 'acts',
  changesPage: true,
  input: {
    ...targetFields,
    toSelector: v.optional(text(SELECTOR_LIMIT_CHARS)),
    toRef: v.optional(v.pipe(v.string(), v.maxLength(50), v.regex(/^(f\d+)?e\d+$/))),
    timeout,
  },
  output,
  async run({ selector, ref, toSelector, toRef }, page, deadline) {
    const from = requireTarget({ selector, ref })
    if (!from.ok) return from
    const to = requireTarget({ selector: toSelector, ref: toRef }, 'to ')
    if (!to.ok) return to
    return answer(await page.drag(from.value, to.value, deadline), (note) => ({
      success: true,
      message: note ? `Dragged. ${note}` : 'Dragged.',
    }))
  },
})

export const pressKey = definePageTool({
  name: 'press_key',
  title: 'Press key',
  description: 'Press a key or chord (Enter, ArrowDown, Control+A) on the focused or given element.',
  effect: 'acts',
  changesPage: true,
  input: { key: v.pipe(text(50), v.minLength(1)), ...targetFields, timeout },
  output,
  async run({ key, selector, ref }, page, deadline) {
    const target = optionalTarget({ selector, ref })
    if (!target.ok) return target
    const result = await page.press(key, target.value, deadline)
    return answer(result, () => ({ success: true, message: 'Pressed.' }))
  },
})
