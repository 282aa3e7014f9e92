import * as v from 'valibot'
import { answerScreenshot } from './answer-images.ts'
import { compareWithBaseline } from './compare-with-baseline.ts'
import { PATH_LIMIT_CHARS, text } from '../define/fields.ts'
import { optionalTarget, targetFields } from '../define/target.ts'
import { definePageTool } from '../define/define-tool.ts'
import type { ScreenshotOptions } from '../../runtime/ports/page/screenshots.ts'

const element = v.object({ role: v.string(), name: v.string(), ref: v.string() })
const size = v.object({ width: v.number(), height: v.number() })

export const screenshot = definePageTool({
  name: 'screenshot',
  title: 'Screenshot',
  description:
    'Image of the viewport, full page or an element, at most 1568 pixels long. baseline: PNG file to compare with or create; tolerance: share of pixels.',
  effect: 'reads',
  showsImage: true,
  timeoutKind: 'navigation',
  input: {
    ...targetFields,
    fullPage: v.optional(v.boolean()),
    format: v.optional(v.picklist(['png', 'jpeg'])),
    maxWidth: v.optional(v.pipe(v.number(), v.integer(), v.minValue(16), v.maxValue(10_000))),
    baseline: v.optional(text(PATH_LIMIT_CHARS)),
    tolerance: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  },
  output: {
    matches: v.optional(v.boolean()),
    changed: v.optional(v.number()),
    differences: v.optional(v.array(v.object({ box: v.array(v.number()), elements: v.array(element) }))),
    moreDifferences: v.optional(v.number()),
    baselineSize: v.optional(size),
    actualSize: v.optional(size),
    created: v.optional(v.string()),
    width: v.number(),
    height: v.number(),
    path: v.optional(v.string()),
    resource: v.optional(v.string()),
    actual: v.optional(v.string()),
    notes: v.optional(v.array(v.string())),
  },
  async run({ selector, ref, baseline, tolerance, ...options }, page, deadline, { session, files }) {
    const target = optionalTarget({ selector, ref })
    if (!target.ok) return target
    const request = { ...options, ...(target.value && { target: target.value }) } as ScreenshotOptions
    if (baseline !== undefined || tolerance !== undefined)
      return compareWithBaseline(
        { request, baseline, tolerance },
        { page, deadline, files, folder: session.folder },
      )
    const capture = await page.screenshot(request, deadline)
    return capture.ok ? answerScreenshot(capture.value, session.folder) : capture
  },
})
