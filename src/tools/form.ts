import * as v from 'valibot'
import { anyText, PATH_LIMIT_CHARS, text, timeout } from './define/fields.ts'
import { describeTarget, requireTarget, targetFields } from './define/target.ts'
import { answer, definePageTool } from './define/define-tool.ts'
import { err, ok } from '../core/result.ts'
import { fillPlaceholders } from '../core/text/secret-placeholders.ts'
import { invalidParameter, type Failure, type Outcome } from '../core/failure.ts'
import type { Files } from '../runtime/ports/files.ts'
import type { FieldValue, Upload } from '../runtime/ports/page.ts'

const VALUE_LIMIT_CHARS = 1_000_000

const anyTextList = v.pipe(v.array(anyText(4000)), v.maxLength(1000))

export const select = definePageTool({
  name: 'select',
  title: 'Select',
  description: 'Select options of a <select>, combobox or listbox by label or value.',
  effect: 'acts',
  changesPage: true,
  input: { ...targetFields, values: anyTextList, timeout },
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
    'Fill form fields: strings, booleans for checkboxes, option labels for selects; submit submits the form.',
  effect: 'acts',
  changesPage: true,
  input: {
    fields: v.pipe(
      v.array(
        v.strictObject({
          ...targetFields,
          value: v.union([anyText(VALUE_LIMIT_CHARS), v.boolean(), anyTextList]),
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
        typeof given === 'string' ? fillPlaceholders(given, secrets, `fields.${index}.value`) : ok(given)
      if (!meant.ok) return meant
      const filled = await page.fill(target, meant.value, rest())
      if (!filled.ok) return err(withFieldIndex(filled.error, index, describeTarget(target)))
    }
    const last = targets.at(-1)
    const sent = submit && last ? await page.submit(last, rest()) : ok(undefined)
    return answer(sent, () => ({ success: true, filled: targets.length }))
  },
})

// Says which field it was; those before it are filled.
function withFieldIndex(failure: Failure, index: number, name: string): Failure {
  if (failure.code !== 'INVALID_PARAMETERS') return failure
  const hint = `Field ${name}; the ${index} fields before it were filled.`
  return {
    ...failure,
    field: `fields.${index}.${failure.field}`,
    hint: [failure.hint, hint].filter(Boolean).join(' '),
  }
}

export const uploadFile = definePageTool({
  name: 'upload_file',
  title: 'Upload files',
  description:
    'Set files, or one folder, on a file input or the file chooser that a click opens; otherwise drop them on the element.',
  effect: 'acts',
  changesPage: true,
  input: {
    ...targetFields,
    paths: v.pipe(v.array(text(PATH_LIMIT_CHARS)), v.minLength(1), v.maxLength(50)),
    timeout,
  },
  output: { success: v.boolean(), message: v.string() },
  async run({ selector, ref, paths }, page, call, { files }) {
    const target = requireTarget({ selector, ref })
    if (!target.ok) return target
    const found = await findUpload(paths, files)
    if (!found.ok) return found
    const { message, ...given } = found.value
    return answer(await page.upload(target.value, given, call), (how) => ({
      success: true,
      message: `${how === 'chosen' ? 'Set' : 'Dropped'} ${message} ${'on'} ${describeTarget(target.value)}.`,
    }))
  },
})

// Files, or one folder that has some.
async function findUpload(
  paths: readonly string[],
  files: Files,
): Promise<Outcome<Upload & { message: string }>> {
  const found: string[] = []
  for (const path of paths) {
    const real = await files.find(path)
    if (!real.ok) return real
    found.push(real.value)
    const below = await files.filesBelow(real.value)
    if (!below) continue
    const received = JSON.stringify(path)
    if (paths.length > 1)
      return err(invalidPaths('files, or one folder only', `the folder ${received} and other paths`))
    if (below.length === 0)
      return err(invalidPaths('a folder that contains files', `${received}, which is empty`))
    return ok({ paths: found, below, message: `the folder ${received} (${below.length} files)` })
  }
  return ok({ paths: found, message: `${found.length} files` })
}

const invalidPaths = (expected: string, received: string): Failure =>
  invalidParameter('paths', expected, received)
