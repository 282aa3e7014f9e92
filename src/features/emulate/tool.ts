import * as v from 'valibot'
import { map } from '../../core/base/result.ts'
import { definePageTool } from '../../core/sessions/tools/define-session-tool.ts'
import { described, headers, text, textList } from '../../core/tool/fields.ts'
import { type CurrentEmulation, type EmulationChange, parseReset } from './emulation.ts'

const viewportSize = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000))
const degrees = (maximum: number) => v.pipe(v.number(), v.minValue(-maximum), v.maxValue(maximum))
const shortText = v.pipe(text(500), v.minLength(1))

const CPU_THROTTLING_RATE_LIMIT = 100
const AT_CREATION =
  'Device, locale and time zone cannot change in an open session any more: create_session (in the shell: open) takes device, locale and timezone.'

export const emulate = definePageTool({
  name: 'emulate',
  title: 'Emulate',
  description: 'Emulate in all tabs until reset ("all" or fields). No arguments: what is set.',
  effect: 'acts',
  removed: Object.fromEntries(['device', 'locale', 'timezone'].map((field) => [field, AT_CREATION])),
  input: {
    viewport: v.optional(v.strictObject({ width: viewportSize, height: viewportSize })),
    userAgent: v.optional(shortText),
    offline: v.optional(v.boolean()),
    network: v.optional(v.picklist(['slow-3g', 'slow-4g', 'fast-4g'])),
    cpuThrottlingRate: v.optional(
      described(
        v.pipe(v.number(), v.minValue(1), v.maxValue(CPU_THROTTLING_RATE_LIMIT)),
        '4: 4 times slower',
      ),
    ),
    colorScheme: v.optional(v.picklist(['light', 'dark', 'no-preference'])),
    reducedMotion: v.optional(v.boolean()),
    forcedColors: v.optional(v.boolean()),
    contrast: v.optional(v.picklist(['more'])),
    media: v.optional(v.picklist(['print'])),
    geolocation: v.optional(
      v.strictObject({
        latitude: degrees(90),
        longitude: degrees(180),
        accuracy: v.optional(v.pipe(v.number(), v.minValue(0))),
      }),
    ),
    permissions: v.optional(textList(50, 100)),
    headers: v.optional(headers(100, 8000)),
    reset: v.optional(text(500)),
  },
  output: { success: v.boolean() },
  async run({ reset: resetText, ...settings }, page, deadline) {
    const reset = resetText === undefined ? undefined : parseReset(resetText)
    if (reset && !reset.ok) return reset
    const change = { ...settings, ...(reset && { reset: reset.value }) } as EmulationChange
    const isQuery = Object.keys(change).length === 0
    return map(await page.perform({ kind: 'emulate', change }, deadline), (current) => ({
      data: { success: true, ...(isQuery && describeEmulation(current)) },
    }))
  },
})

const describeEmulation = (current: CurrentEmulation): object =>
  Object.keys(current).length > 0 ? { emulation: current } : { message: 'Nothing is emulated.' }
