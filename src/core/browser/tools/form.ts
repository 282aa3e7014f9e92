import { answer } from '../../tool/define-tool.ts'
import { basename } from 'node:path'
import * as v from 'valibot'
import { type Failure, inField, invalidParameter, type Outcome } from '../../base/failure.ts'
import type { FillMethod, Upload } from '../../base/action.ts'
import { fillPlaceholders } from '../../base/redaction/secret-placeholders.ts'
import { err, map, ok } from '../../base/result.ts'
import { unescapeInvisible } from '../../base/text/invisible-characters.ts'
import type { Files } from '../../base/files/files.ts'
import type { FilledField } from '../actions/read-fields.ts'
import { definePageTool } from '../../sessions/tools/define-session-tool.ts'
import { checkFields } from './field-notes.ts'
import { omit } from '../../tool/field-texts.ts'
import { anyText, PATH_LIMIT_CHARS, text, timeout } from '../../tool/fields.ts'
import { describeTarget, requireTarget, targetFields } from '../../tool/target.ts'

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
  async run({ selector, ref, values }, page, deadline, { session }) {
    const target = requireTarget({ selector, ref })
    if (!target.ok) return target
    const labels = values.map(unescapeInvisible)
    const result = await page.perform({ kind: 'select', element: target.value, values: labels }, deadline)
    const check = () => checkFields([{ target: target.value, value: labels }], page, session)
    return map(result, (selected) => ({ data: { success: true, selected: [...selected] }, check }))
  },
})

export const fillForm = definePageTool({
  name: 'fill_form',
  title: 'Fill form',
  description:
    'Fill fields: strings, booleans for checkboxes, option labels for selects; submit: then submits.',
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
  texts: {
    filled: omit,
  },
  async run({ fields, submit }, page, deadline, { secrets, session }) {
    const entries: FilledField[] = []
    for (const [index, { value, ...fieldTarget }] of fields.entries()) {
      const target = requireTarget(fieldTarget, (name) => `fields[${index}].${name}`)
      if (!target.ok) return target
      entries.push({ target: target.value, value })
    }
    const filledFields: FilledField[] = []
    const methodNotes: string[] = []
    for (const [index, { target, value: input }] of entries.entries()) {
      const value =
        typeof input === 'string' ? fillPlaceholders(input, secrets, `fields[${index}].value`) : ok(input)
      if (!value.ok) return value
      const result = await page.perform({ kind: 'fill', element: target, value: value.value }, deadline)
      if (!result.ok) return err(withFieldIndex(result.error, index, describeTarget(target)))
      filledFields.push({ target, value: value.value })
      const isSecret = session.redact(String(value.value)) !== String(value.value)
      methodNotes.push(...notesOfMethod(describeTarget(target), result.value, isSecret))
    }
    const data = { success: true, filled: filledFields.length }
    const check = async () =>
      map(await checkFields(filledFields, page, session), (notes) => [...notes, ...methodNotes])
    const lastTarget = entries.at(-1)?.target
    if (!submit || !lastTarget) return ok({ data, check })
    // A form that was sent may empty its fields.
    const notes = await check()
    if (!notes.ok) return notes
    const result = await page.perform({ kind: 'submit', element: lastTarget }, deadline)
    return answer(result, () => ({
      ...data,
      ...(notes.value.length > 0 && { notes: [...notes.value] }),
    }))
  },
})

function notesOfMethod(name: string, method: FillMethod | void, isSecret: boolean): string[] {
  if (method === 'unlisted')
    return [
      `${name} has the text, and its open list has no such option: nothing was chosen. Press Tab if the page takes a text when the field is left.`,
    ]
  if (method === 'open')
    return [
      `${name} has the text, and nothing was chosen from its list, which was open before: click an option, or use select.`,
    ]
  if (typeof method !== 'object') return []
  // In another form a secret would not be recognized.
  return [
    isSecret ? `${name} shows the text in another form.` : `${name} has ${JSON.stringify(method.text)}.`,
  ]
}

// Names the field that failed. The fields before it are already filled.
function withFieldIndex(failure: Failure, index: number, name: string): Failure {
  if (failure.code !== 'INVALID_PARAMETERS') return failure
  const before =
    ['', ' The field before it was filled.'][index] ?? ` The ${index} fields before it were filled.`
  const hint = `This is ${name}.${before}`
  return {
    ...failure,
    field: `fields[${index}].${failure.field === 'values' ? 'value' : failure.field}`,
    hint: [failure.hint, hint].filter(Boolean).join(' '),
  }
}

export const uploadFile = definePageTool({
  name: 'upload_file',
  title: 'Upload files',
  description:
    'Set files, or one folder, on a file input or the file chooser that a click opens; otherwise dropped on the element.',
  effect: 'acts',
  changesPage: true,
  input: {
    ...targetFields,
    paths: v.pipe(v.array(text(PATH_LIMIT_CHARS)), v.minLength(1), v.maxLength(50)),
    timeout,
  },
  output: { success: v.boolean(), message: v.string() },
  async run({ selector, ref, paths }, page, deadline, { files, session }) {
    const target = requireTarget({ selector, ref })
    if (!target.ok) return target
    const source = await findUpload(paths, files)
    if (!source.ok) return source
    const { message, ...upload } = source.value
    const result = await page.perform({ kind: 'upload', element: target.value, ...upload }, deadline)
    if (!result.ok) return result
    const value = (upload.relativePaths ?? upload.paths).map((path) => basename(path))
    const check = () => checkFields([{ target: target.value, value }], page, session)
    const verb = result.value === 'chosen' ? 'Set' : 'Dropped'
    return ok({ data: { success: true, message: `${verb} ${message}.` }, check })
  },
})

// Resolves the paths: files, or one folder that is not empty.
async function findUpload(
  paths: readonly string[],
  files: Files,
): Promise<Outcome<Upload & { message: string }>> {
  const realPaths: string[] = []
  for (const path of paths) {
    const realPath = await files.find(path)
    if (!realPath.ok) return err(inField(realPath.error, 'paths'))
    realPaths.push(realPath.value)
    const relativePaths = await files.filesBelow(realPath.value)
    if (!relativePaths) continue
    const received = JSON.stringify(path)
    if (paths.length > 1)
      return err(invalidPaths('files, or one folder only', `the folder ${received} and other paths`))
    if (relativePaths.length === 0)
      return err(invalidPaths('a folder that contains files', `${received}, which is empty`))
    return ok({
      paths: realPaths,
      relativePaths,
      message: `a folder of ${countOf(relativePaths.length)}`,
    })
  }
  return ok({ paths: realPaths, message: countOf(realPaths.length) })
}

const countOf = (count: number): string => `${count} ${count === 1 ? 'file' : 'files'}`

const invalidPaths = (expected: string, received: string): Failure =>
  invalidParameter('paths', expected, received)
