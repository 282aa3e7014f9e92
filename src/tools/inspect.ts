import * as v from 'valibot'
import { anyText, timeout } from './define/fields.ts'
import { optionalTarget, requireTarget, targetFields } from './define/target.ts'
import { fileFieldsOf } from './files.ts'
import { answer, definePageTool, EXPLAIN_GRACE_MS } from './define/define-tool.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { SECRETS_REPORT_TIMEOUT_MS } from '../core/redaction/page-secrets.ts'
import { err, ok } from '../core/result.ts'
import type { Folder } from '../runtime/ports/files.ts'
import type { ScreenshotImages, Image, ScreenshotOptions } from '../runtime/ports/page.ts'

const INLINE_IMAGE_LIMIT_BYTES = 3_000_000
const INLINE_RESULT_LIMIT_CHARS = 100_000

export const screenshot = definePageTool({
  name: 'screenshot',
  title: 'Screenshot',
  description: 'Image of the viewport, the full page or one element, at most 1568 pixels long.',
  effect: 'reads',
  showsImage: true,
  timeoutKind: 'navigation',
  input: {
    ...targetFields,
    fullPage: v.optional(v.boolean()),
    format: v.optional(v.picklist(['png', 'jpeg'])),
    maxWidth: v.optional(v.pipe(v.number(), v.integer(), v.minValue(16), v.maxValue(10_000))),
  },
  output: {
    width: v.number(),
    height: v.number(),
    path: v.optional(v.string()),
    resource: v.optional(v.string()),
    notes: v.optional(v.array(v.string())),
  },
  async run({ selector, ref, ...options }, page, deadline, { session }) {
    const target = optionalTarget({ selector, ref })
    if (!target.ok) return target
    const request = { ...options, ...(target.value && { target: target.value }) } as ScreenshotOptions
    const capture = await page.screenshot(request, deadline)
    return capture.ok ? answerScreenshot(capture.value, session.folder) : capture
  },
})

/** The images inline, or a file if they are too large; a tall page has a file with the full image beside its first parts. */
async function answerScreenshot(
  { images, whole, notes }: ScreenshotImages,
  folder: Folder,
): Promise<Outcome<{ data: ScreenshotData; images?: readonly Image[] }>> {
  const total = images.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const isInline = total <= INLINE_IMAGE_LIMIT_BYTES
  const fileImage = whole ?? (isInline ? undefined : images[0])
  const size = images[0] ?? { width: 0, height: 0 }
  const dataOf = (allNotes: readonly string[]) => ({
    width: size.width,
    height: size.height,
    ...(allNotes.length > 0 && { notes: [...allNotes] }),
  })
  if (!fileImage) return ok({ data: dataOf(notes), images })
  const artifact = await folder.write(
    `screenshot.${fileImage.mimeType.slice('image/'.length)}`,
    fileImage.bytes,
  )
  // The answer has the parts, so a full disk is not a failure of the call.
  if (!artifact.ok) return isInline ? ok({ data: dataOf(notes), images }) : artifact
  const data = dataOf([...notes, ...(whole ? ['The file has the full image.'] : [])])
  return ok({ data: { ...data, ...fileFieldsOf(artifact.value) }, ...(isInline && { images }) })
}

interface ScreenshotData {
  readonly width: number
  readonly height: number
  readonly path?: string
  readonly resource?: string
  readonly notes?: string[]
}

export const evaluate = definePageTool({
  name: 'evaluate',
  title: 'Evaluate',
  description:
    'Run JavaScript in the page: an expression, a function of (arg) or, with a target, (element, arg), or statements with return.',
  effect: 'acts',
  // A hanging script is terminated at once; describing a missing element takes longer.
  graceMs: ({ selector, ref }) => ((selector ?? ref) ? EXPLAIN_GRACE_MS : 100),
  input: {
    script: v.pipe(anyText(1_000_000), v.minLength(1)),
    arg: v.optional(v.any()),
    ...targetFields,
    timeout,
  },
  output: { result: v.any(), notes: v.optional(v.array(v.string())), path: v.optional(v.string()) },
  async run({ script, arg, selector, ref }, page, deadline, { session }) {
    const target = optionalTarget({ selector, ref })
    if (!target.ok) return target
    const outcome = await page.evaluate(script, arg, target.value, deadline)
    const json = outcome.ok ? JSON.stringify(outcome.value.result) : ''
    // Only a string can contain a secret of the page.
    const isRedactable = (outcome.ok && !/"[^"]{4}/.test(json)) || (await page.isReported(deadline.timeout))
    if (!isRedactable) return err(unreportedSecrets(deadline.timeout))
    if (!outcome.ok) return outcome
    const { result, notes } = outcome.value
    const noteFields = notes.length > 0 ? { notes: [...notes] } : {}
    if (json.length <= INLINE_RESULT_LIMIT_CHARS) return ok({ data: { result, ...noteFields } })
    const artifact = await session.folder.write('result.json', new TextEncoder().encode(json))
    const previewOf = (where: string, length = 1000) =>
      `${json.slice(0, length)}… (${json.length} characters, ${where})`
    // The script has run, so a full disk is not a failure of the call.
    if (!artifact.ok)
      return ok({
        data: { result: previewOf('no disk space for the rest', INLINE_RESULT_LIMIT_CHARS), ...noteFields },
      })
    return ok({
      data: { result: previewOf('complete in the file'), ...noteFields, ...fileFieldsOf(artifact.value) },
    })
  },
})

// The script has run, and its result cannot be redacted.
const unreportedSecrets = (timeout: number): Failure => ({
  code: 'TIMEOUT',
  waitedFor: 'the page to report its secret fields after the script ran; its result is not shown',
  waited: Math.min(timeout, SECRETS_REPORT_TIMEOUT_MS),
})

export const exists = definePageTool({
  name: 'exists',
  title: 'Exists',
  description: 'Check whether elements match now, and how many, without waiting.',
  effect: 'reads',
  input: targetFields,
  output: { exists: v.boolean(), count: v.number() },
  async run({ selector, ref }, page, deadline) {
    const target = requireTarget({ selector, ref })
    if (!target.ok) return target
    return answer(await page.count(target.value, deadline), (count) => ({ exists: count > 0, count }))
  },
})
