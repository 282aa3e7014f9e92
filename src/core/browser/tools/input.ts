import { answer } from '../../tool/define-tool.ts'
import * as v from 'valibot'
import type { ClickOptions } from '../../base/action.ts'
import { fillPlaceholders } from '../../base/redaction/secret-placeholders.ts'
import { ok } from '../../base/result.ts'
import { definePageTool, EXPLAIN_GRACE_MS } from '../../sessions/tools/define-session-tool.ts'
import { anyText, buttons, described, modifierKeys, timeout } from '../../tool/fields.ts'
import { describeTarget, optionalTarget, requireTarget, targetFields } from '../../tool/target.ts'
import { checkFields, describeFields } from './field-notes.ts'

/** Time that typing may take in addition to the timeout. */
const TYPING_LIMIT_MS = 600_000
/** What a key may take on a busy machine, alone and in a batch. */
const KEY_DURATION_MS = 60
const BATCHED_KEY_DURATION_MS = 10

const messageOutput = { success: v.boolean(), message: v.string() }

export const click = definePageTool({
  name: 'click',
  title: 'Click',
  description:
    'Click an element by ref or selector (CSS, XPath, getByRole(…)), once visible, enabled, stable and not covered (force: no checks).',
  effect: 'acts',
  changesPage: true,
  input: {
    ...targetFields,
    timeout,
    force: v.optional(v.boolean()),
    clickCount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10))),
    button: v.optional(v.picklist(buttons)),
    modifiers: v.optional(v.array(v.picklist(modifierKeys))),
  },
  output: messageOutput,
  async run({ selector, ref, timeout: _, ...options }, page, deadline) {
    const target = requireTarget({ selector, ref })
    if (!target.ok) return target
    const action = { kind: 'click', element: target.value, options: options as ClickOptions } as const
    const result = await page.perform(action, deadline)
    return answer(result, (note) => ({ success: true, message: note ? `Clicked. ${note}` : 'Clicked.' }))
  },
})

export const type = definePageTool({
  name: 'type',
  title: 'Type',
  description:
    'Type text at the end of a field or editor (default: focused); clear empties it first, submit presses Enter.',
  effect: 'acts',
  changesPage: true,
  graceMs: ({ text, delay = 0 }) =>
    EXPLAIN_GRACE_MS +
    Math.min(TYPING_LIMIT_MS, text.length * (delay > 0 ? delay + KEY_DURATION_MS : BATCHED_KEY_DURATION_MS)),
  input: {
    ...targetFields,
    text: anyText(100_000),
    delay: v.optional(described(v.pipe(v.number(), v.minValue(0), v.maxValue(1000)), 'ms between keys')),
    timeout,
    clear: v.optional(v.boolean()),
    submit: v.optional(v.boolean()),
  },
  output: messageOutput,
  async run({ selector, ref, text, delay, clear, submit }, page, deadline, { secrets, session }) {
    const target = optionalTarget({ selector, ref })
    if (!target.ok) return target
    const typedText = fillPlaceholders(text, secrets, 'text')
    if (!typedText.ok) return typedText
    const result = await page.perform(
      { kind: 'type', element: target.value, text: typedText.value, delay, clear, submit },
      deadline,
    )
    if (!result.ok) return result
    const { note, field } = result.value
    const { value: element } = target
    const dataWith = (notes: readonly string[]) => ({
      success: true,
      message: ['Typed.', note, ...notes].filter(Boolean).join(' '),
    })
    if (!field) return ok({ data: dataWith([]) })
    // A form that was sent may empty its fields.
    if (!element || submit) {
      const name = element ? describeTarget(element) : 'the focused element'
      return ok({ data: dataWith(await describeFields([{ name, ...field }], page, session)) })
    }
    const check = () => checkFields([{ target: element, value: field.entered }], page, session)
    return ok({ data: dataWith([]), check })
  },
})
