import * as v from 'valibot'
import { PATH_LENGTH, text, texts } from './fields.ts'
import { named, requireTarget, targetFields } from './target.ts'
import { answer, definePageTool, timeout } from './tool.ts'
import { err, ok } from '../core/result.ts'
import { substitute } from '../core/secrets.ts'
import type { Failure } from '../core/failure.ts'
import type { FieldValue } from '../runtime/ports/page.ts'

const VALUE_LENGTH = 1_000_000

export const select = definePageTool({
  name: 'select',
  title: 'Select',
  description: 'Choose options of a <select>, by value or label.',
  effect: 'acts',
  changes: true,
  input: { ...targetFields, values: texts(1000, 4000), timeout },
  output: { success: v.boolean(), selected: v.array(v.string()) },
  async run({ selector, ref, values }, page, call) {
    const target = requireTarget({ selector, ref })
    if (!target.ok) return target
    const chosen = await page.select(target.value, values, call)
    return answer(chosen, (selected) => ({ success: true, selected: [...selected] }))
  },
})

export const fillForm = definePageTool({
  name: 'fill_form',
  title: 'Fill form',
  description:
    'Set several fields at once: texts, booleans for checkboxes, option labels for selects; submit sends the form.',
  effect: 'acts',
  changes: true,
  input: {
    fields: v.pipe(
      v.array(
        v.strictObject({
          ...targetFields,
          value: v.union([text(VALUE_LENGTH), v.boolean(), texts(1000, 4000)]),
        }),
      ),
      v.minLength(1),
      v.maxLength(100),
    ),
    submit: v.optional(v.boolean()),
    timeout,
  },
  output: { success: v.boolean(), filled: v.number() },
  async run({ fields, submit }, page, call, { secrets }) {
    const since = performance.now()
    const rest = () => ({ ...call, timeout: Math.max(1, call.timeout - (performance.now() - since)) })
    const targets = []
    for (const [index, { selector, ref }] of fields.entries()) {
      const target = requireTarget({ selector, ref }, `fields.${index}.`)
      if (!target.ok) return target
      targets.push(target.value)
    }
    for (const [index, target] of targets.entries()) {
      const given = fields[index]?.value as FieldValue
      const meant =
        typeof given === 'string' ? substitute(given, secrets, `fields.${index}.value`) : ok(given)
      if (!meant.ok) return meant
      const filled = await page.fill(target, meant.value, rest())
      if (!filled.ok) return err(inField(filled.error, index, named(target)))
    }
    const last = targets.at(-1)
    const sent = submit && last ? await page.submit(last, rest()) : ok(undefined)
    return answer(sent, () => ({ success: true, filled: targets.length }))
  },
})

// Says which field it was; those before it are filled.
function inField(failure: Failure, index: number, name: string): Failure {
  if (failure.code !== 'INVALID_PARAMETERS') return failure
  const hint = `Field ${name}; the ${index} before it are filled.`
  return {
    ...failure,
    field: `fields.${index}.${failure.field}`,
    hint: [failure.hint, hint].filter(Boolean).join(' '),
  }
}

export const uploadFile = definePageTool({
  name: 'upload_file',
  title: 'Upload files',
  description: 'Give files to a file field or the chooser that a click opens, else drop them on the element.',
  effect: 'acts',
  changes: true,
  input: {
    ...targetFields,
    paths: v.pipe(v.array(text(PATH_LENGTH)), v.minLength(1), v.maxLength(50)),
    timeout,
  },
  output: { success: v.boolean(), message: v.string() },
  async run({ selector, ref, paths }, page, call, { files }) {
    const target = requireTarget({ selector, ref })
    if (!target.ok) return target
    const found: string[] = []
    for (const path of paths) {
      const real = await files.find(path)
      if (!real.ok) return real
      found.push(real.value)
    }
    return answer(await page.upload(target.value, found, call), (how) => ({
      success: true,
      message: `${how === 'chosen' ? 'Gave' : 'Dropped'} ${found.length} files ${how === 'chosen' ? 'to' : 'on'} ${named(target.value)}.`,
    }))
  },
})
