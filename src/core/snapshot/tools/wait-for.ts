import * as v from 'valibot'
import {
  ASSERTED_STATES,
  type ElementCheck,
  type ElementCondition,
  type ElementState,
  type Target,
  type WaitCondition,
} from '../../base/action.ts'
import { invalidParameter, type Outcome } from '../../base/failure.ts'
import { err, map, ok } from '../../base/result.ts'
import { unescapeInvisible } from '../../base/text/invisible-characters.ts'
import { definePageTool } from '../../sessions/tools/define-session-tool.ts'
import type { OpenSession } from '../../sessions/types/open-session.ts'
import type { Page } from '../../sessions/types/page.ts'
import { anyText, described, integerBetween, textList, timeout } from '../../tool/fields.ts'
import { compileUrlMatcher } from '../../tool/pattern.ts'
import { durationText } from '../../tool/plain-lines.ts'
import { describeTarget, optionalTarget, targetFields } from '../../tool/target.ts'
import { parseExpectedLines } from '../find-lines.ts'

const CONDITION_LIMIT_CHARS = 2000
const LINES_LIMIT_CHARS = 20_000
const COUNT_LIMIT = 1_000_000
const ANSWER_LIMIT = 50

const conditionText = v.optional(v.pipe(anyText(CONDITION_LIMIT_CHARS), v.minLength(1)))
const STATES = ['attached', 'detached', ...ASSERTED_STATES] as const

const elementFields = {
  ...targetFields,
  is: v.optional(v.picklist(STATES)),
  value: v.optional(anyText(CONDITION_LIMIT_CHARS)),
  count: v.optional(described(integerBetween(0, COUNT_LIMIT), 'Of matches')),
  aria: v.optional(v.pipe(anyText(LINES_LIMIT_CHARS), v.minLength(1))),
  not: v.optional(v.boolean()),
  text: conditionText,
}

/** A comment of the user. */
const commentFields = v.object({
  number: v.number(),
  ref: v.string(),
  name: v.string(),
  locator: v.optional(v.string()),
  source: v.optional(v.string()),
  note: v.string(),
  missing: v.optional(v.boolean()),
  picture: v.optional(v.string()),
})

/** An edited file that the page shows, and why that is known. */
const shownFile = v.object({
  file: v.string(),
  ageMs: v.number(),
  ground: v.picklist(['received', 'announced', 'built', 'started']),
})

type ElementInput = v.InferOutput<v.ObjectSchema<typeof elementFields, undefined>>

export const waitFor = definePageTool({
  name: 'wait_for',
  title: 'Wait for',
  description:
    'Wait until all conditions hold. text: of element or page. aria: snapshot lines. not: inverts the element part. url: part or glob. fresh: edits are shown. comment: by the user; answers: to it.',
  effect: 'reads',
  timeoutKind: 'navigation',
  input: {
    ...elementFields,
    textGone: conditionText,
    url: conditionText,
    fresh: v.optional(v.boolean()),
    comment: v.optional(v.boolean()),
    answers: v.optional(v.pipe(textList(ANSWER_LIMIT, CONDITION_LIMIT_CHARS), v.minLength(1))),
    timeout,
  },
  output: {
    success: v.boolean(),
    waited: v.number(),
    freshness: v.optional(v.string()),
    freshFiles: v.optional(v.array(shownFile)),
    comment: v.optional(commentFields),
    comments: v.optional(v.array(commentFields)),
  },
  texts: {
    waited: (ms: number) => [`Waited ${durationText(ms)}.`],
    freshFiles: () => [],
  },
  async run({ url, fresh = false, comment = false, answers, ...input }, page, deadline, { session }) {
    const [text, textGone, value] = [input.text, input.textGone, input.value].map(unescapeIfGiven)
    const element = elementConditionOf({ ...input, text, value })
    if (!element.ok) return element
    const others = [text, textGone, url, answers]
    if (!element.value && !fresh && !comment && others.every((field) => field === undefined)) {
      const expected = 'selector, ref, aria, text, textGone, url, fresh, comment or answers'
      return err(invalidParameter('selector', expected, 'none of them'))
    }
    const known = await requireKnownRef(element.value?.target, page, session)
    if (!known.ok) return known
    const matches = url === undefined ? ok(undefined) : await compileUrlMatcher(url)
    if (!matches.ok) return matches
    const hasOwnText = element.value?.checks.some(({ kind }) => kind === 'text')
    const condition: WaitCondition = {
      element: element.value,
      ...(text !== undefined && !hasOwnText && { text }),
      textGone,
      ...(matches.value && url !== undefined && { url: { text: url, matches: matches.value } }),
    }
    const answersResult = answers
      ? (session.answerComments?.(answers) ?? cannotKnow('answers'))
      : ok(undefined)
    if (!answersResult.ok) return answersResult
    const startedAt = performance.now()
    const freshness = fresh
      ? await (session.waitUntilFresh?.(deadline) ?? cannotKnow('fresh'))
      : ok(undefined)
    if (!freshness.ok) return freshness
    const result = await page.perform({ kind: 'check', condition }, deadline)
    if (!result.ok) return result
    const commentsResult = comment
      ? await (session.waitForComments?.(deadline) ?? cannotKnow('comment'))
      : ok(undefined)
    if (!commentsResult.ok) return commentsResult
    const { comments = [], image } = commentsResult.value ?? {}
    const [first, ...more] = comments
    return ok({
      images: image ? [image] : [],
      data: {
        success: true,
        waited: Math.round(performance.now() - startedAt),
        ...(freshness.value && {
          freshness: freshness.value.note,
          freshFiles: [...freshness.value.freshFiles],
        }),
        ...(first && (more.length > 0 ? { comments: [...comments] } : { comment: first })),
      },
    })
  },
})

// --- internal ---

/** What the feature tells that is not in the list. */
const cannotKnow = (field: string) => err(invalidParameter(field, 'no value in this build', 'true'))

const unescapeIfGiven = (text: string | undefined) => text && unescapeInvisible(text)

/** What is required of an element or of the snapshot of the page; undefined if nothing is. */
function elementConditionOf(input: ElementInput): Outcome<ElementCondition | undefined> {
  const target = optionalTarget(input)
  if (!target.ok) return target
  const { aria, not = false } = input
  const expected = aria === undefined ? undefined : parseExpectedLines(aria)
  if (expected?.length === 0)
    return err(invalidParameter('aria', 'lines of a snapshot', JSON.stringify(aria?.slice(0, 100))))
  if (!target.value) {
    const field = (['is', 'value', 'count'] as const).find((name) => input[name] !== undefined)
    if (field || (not && !expected))
      return err(
        invalidParameter(
          'selector',
          `selector or ref, for ${field ?? 'not'}`,
          'neither',
          'For text that disappears use textGone.',
        ),
      )
    return ok(expected && { checks: [], aria: expected, not })
  }
  return ok({ target: target.value, checks: checksOf(input), aria: expected, not })
}

// A target alone must be visible.
function checksOf(input: ElementInput): readonly ElementCheck[] {
  const { is, value, count, aria, text } = input
  const checks: ElementCheck[] = []
  if (is) checks.push({ kind: 'state', state: is, ...(isPresence(is) && { isFirst: true }) })
  if (value !== undefined) checks.push({ kind: 'value', value })
  if (count !== undefined) checks.push({ kind: 'count', count })
  if (text !== undefined && !isAbsence(is)) checks.push({ kind: 'text', text })
  if (checks.length === 0 && aria === undefined)
    checks.push({ kind: 'state', state: 'visible', isFirst: true })
  return checks
}

// Others may be there too.
const isPresence = (state: ElementState): boolean => state === 'attached' || state === 'visible'

// What is not there has no text: the text is then one of the page.
const isAbsence = (state: ElementState | undefined): boolean => state === 'hidden' || state === 'detached'

// What is required of a ref that never was would hold if it is required to be hidden.
async function requireKnownRef(
  target: Target | undefined,
  page: Page,
  { lastSnapshot }: OpenSession,
): Promise<Outcome<void>> {
  if (!target || !('ref' in target) || lastSnapshot.describeRef(target.ref) !== undefined)
    return ok(undefined)
  const count = await page.count(target)
  if (!count.ok || count.value > 0) return map(count, () => undefined)
  return err({ code: 'ELEMENT_NOT_FOUND', target: `ref ${describeTarget(target)}`, waited: 0, stale: true })
}
