import * as v from 'valibot'
import { optionalTarget, requireTarget, targetFields } from './target.ts'
import { fileFields } from './artifacts.ts'
import { answer, definePageTool, timeout } from './tool.ts'
import { ok } from '../core/result.ts'
import type { ScreenshotOptions } from '../runtime/ports/page.ts'

const INLINE_IMAGE = 3_000_000
const INLINE_RESULT = 100_000

export const screenshot = definePageTool({
  name: 'screenshot',
  title: 'Screenshot',
  description: 'A picture of the viewport, the full page or one element.',
  shows: 'first',
  effect: 'reads',
  pace: 'navigation',
  input: {
    ...targetFields,
    fullPage: v.optional(v.boolean()),
    format: v.optional(v.picklist(['png', 'jpeg'])),
    maxWidth: v.optional(v.pipe(v.number(), v.integer(), v.minValue(16), v.maxValue(10_000))),
  },
  output: { width: v.number(), height: v.number(), path: v.optional(v.string()) },
  async run({ selector, ref, sessionId: _, ...options }, page, call, { room }) {
    const target = optionalTarget({ selector, ref })
    if (!target.ok) return target
    const wanted = { ...options, ...(target.value && { target: target.value }) } as ScreenshotOptions
    const taken = await page.screenshot(wanted, call)
    if (!taken.ok) return taken
    const { width, height, bytes, mimeType } = taken.value
    if (bytes.length <= INLINE_IMAGE) return ok({ data: { width, height }, images: [taken.value] })
    const written = await room.folder.write(`screenshot.${mimeType.slice('image/'.length)}`, bytes)
    return answer(written, (artifact) => ({ width, height, ...fileFields(artifact) }))
  },
})

export const evaluate = definePageTool({
  name: 'evaluate',
  title: 'Evaluate',
  description:
    'Run JavaScript in the page: an expression, a function of (arg) or, with a target, (element, arg), or statements with return.',
  effect: 'acts',
  // A script that hangs is to be freed at once; a missing element takes a moment to be told.
  grace: ({ selector, ref }) => ((selector ?? ref) ? 1000 : 100),
  input: { script: v.pipe(v.string(), v.minLength(1)), arg: v.optional(v.any()), ...targetFields, timeout },
  output: { result: v.any(), notes: v.optional(v.array(v.string())), path: v.optional(v.string()) },
  async run({ script, arg, selector, ref }, page, call, { room }) {
    const target = optionalTarget({ selector, ref })
    if (!target.ok) return target
    const evaluated = await page.evaluate(script, arg, target.value, call)
    const json = evaluated.ok ? JSON.stringify(evaluated.value.result) : ''
    // Only a text can hold a secret of the page.
    if (!evaluated.ok || /"[^"]{4}/.test(json)) await page.learn()
    if (!evaluated.ok) return evaluated
    const { result, notes } = evaluated.value
    const more = notes.length > 0 ? { notes: [...notes] } : {}
    if (json.length <= INLINE_RESULT) return ok({ data: { result, ...more } })
    const written = await room.folder.write('result.json', new TextEncoder().encode(json))
    const stand = (where: string, length = 1000) =>
      `${json.slice(0, length)}… (${json.length} characters, ${where})`
    // The script has run, so that no room for its result must not look like a failure of it.
    if (!written.ok)
      return ok({ data: { result: stand('no room for the rest on the disk', INLINE_RESULT), ...more } })
    return ok({ data: { result: stand('all in the file'), ...more, ...fileFields(written.value) } })
  },
})

export const exists = definePageTool({
  name: 'exists',
  title: 'Exists',
  description: 'Whether elements match now, and how many, without waiting.',
  effect: 'reads',
  input: targetFields,
  output: { exists: v.boolean(), count: v.number() },
  async run({ selector, ref }, page, call) {
    const target = requireTarget({ selector, ref })
    if (!target.ok) return target
    return answer(await page.count(target.value, call), (count) => ({ exists: count > 0, count }))
  },
})
