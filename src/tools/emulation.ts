import * as v from 'valibot'
import { headers } from './define/fields.ts'
import { answer, definePageTool } from './define/define-tool.ts'
import { err } from '../core/result.ts'
import type { Emulation } from '../runtime/ports/page.ts'
import { invalidParameter } from '../core/failure.ts'

const size = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000))
const degrees = (maximum: number) => v.pipe(v.number(), v.minValue(-maximum), v.maxValue(maximum))

export const emulate = definePageTool({
  name: 'emulate',
  title: 'Emulate',
  description: 'Set viewport, offline mode, color scheme, geolocation or extra HTTP headers of the session.',
  effect: 'acts',
  input: {
    viewport: v.optional(v.strictObject({ width: size, height: size })),
    offline: v.optional(v.boolean()),
    colorScheme: v.optional(v.picklist(['light', 'dark', 'no-preference'])),
    geolocation: v.optional(
      v.strictObject({
        latitude: degrees(90),
        longitude: degrees(180),
        accuracy: v.optional(v.pipe(v.number(), v.minValue(0))),
      }),
    ),
    headers: v.optional(headers(100, 8000)),
  },
  output: { success: v.boolean() },
  async run(settings, page, deadline) {
    if (Object.keys(settings).length === 0) {
      const expected = 'viewport, offline, colorScheme, geolocation or headers'
      return err(invalidParameter('viewport', expected, 'none of them'))
    }
    return answer(await page.emulate(settings as Emulation, deadline), () => ({ success: true }))
  },
})
