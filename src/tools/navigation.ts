import * as v from 'valibot'
import { anyText, SELECTOR_LIMIT_CHARS, text, URL_LIMIT_CHARS, timeout } from './define/fields.ts'
import { compileUrlMatcher } from './define/pattern.ts'
import { answer, definePageTool } from './define/define-tool.ts'
import { err, ok } from '../core/result.ts'
import type { WaitCondition } from '../runtime/ports/page.ts'
import { invalidParameter } from '../core/failure.ts'

const navigationOutput = {
  success: v.boolean(),
  title: v.string(),
  url: v.string(),
  status: v.number(),
  serverOutput: v.optional(v.array(v.string())),
}

export const navigate = definePageTool({
  name: 'navigate',
  title: 'Navigate',
  description: 'Navigate to a URL and wait for it to load. A 404 page is a success with status 404.',
  effect: 'acts',
  timeoutKind: 'navigation',
  changesPage: true,
  input: {
    url: text(URL_LIMIT_CHARS),
    waitUntil: v.optional(v.picklist(['load', 'domcontentloaded', 'networkidle', 'commit'])),
    timeout,
  },
  output: navigationOutput,
  opensUrl: ({ url }) => url,
  run: async ({ url, waitUntil = 'load' }, page, deadline) =>
    answer(await page.navigate(url, waitUntil, deadline), (location) => ({ success: true, ...location })),
})

export const history = definePageTool({
  name: 'history',
  title: 'History',
  description: 'Go back, forward, or reload.',
  effect: 'acts',
  timeoutKind: 'navigation',
  changesPage: true,
  input: { direction: v.picklist(['back', 'forward', 'reload']), timeout },
  output: navigationOutput,
  run: async ({ direction }, page, deadline) =>
    answer(await page.history(direction, deadline), (location) => ({ success: true, ...location })),
})

const conditionText = v.optional(v.pipe(anyText(2000), v.minLength(1)))

export const waitFor = definePageTool({
  name: 'wait_for',
  title: 'Wait for',
  description:
    'Wait for an element, a text, a text to disappear, or part of the URL (or a glob): for all that are given.',
  effect: 'reads',
  timeoutKind: 'navigation',
  input: {
    selector: v.optional(text(SELECTOR_LIMIT_CHARS)),
    state: v.optional(v.picklist(['attached', 'detached', 'visible', 'hidden'])),
    text: conditionText,
    textGone: conditionText,
    url: conditionText,
    timeout,
  },
  output: { success: v.boolean(), waited: v.number() },
  async run({ selector, state, text, textGone, url }, page, deadline) {
    if ([selector, text, textGone, url].every((field) => field === undefined)) {
      const expected = 'selector, text, textGone or url'
      return err(invalidParameter('selector', expected, 'none of them'))
    }
    const matches = url === undefined ? ok(undefined) : await compileUrlMatcher(url)
    if (!matches.ok) return matches
    const urlCondition = matches.value && { url: { text: url, matches: matches.value } }
    const condition = { selector, state, text, textGone, ...urlCondition } as WaitCondition
    const startedAt = performance.now()
    const result = await page.waitFor(condition, deadline)
    if (!result.ok) return result
    return ok({ data: { success: true, waited: Math.round(performance.now() - startedAt) } })
  },
})
