import { answer } from '../../tool/define-tool.ts'
import * as v from 'valibot'
import type { Failure } from '../../base/failure.ts'
import { SECRETS_REPORT_TIMEOUT_MS } from '../../base/redaction/page-secrets.ts'
import { err, ok } from '../../base/result.ts'
import { definePageTool, EXPLAIN_GRACE_MS } from '../../sessions/tools/define-session-tool.ts'
import { omit, quote, readsAsLine } from '../../tool/field-texts.ts'
import { anyText, timeout } from '../../tool/fields.ts'
import { blockLines } from '../../tool/plain-lines.ts'
import { optionalTarget, requireTarget, targetFields } from '../../tool/target.ts'
import { resultFieldsOf } from './result-fields.ts'

export const evaluate = definePageTool({
  name: 'evaluate',
  title: 'Evaluate',
  description:
    'JavaScript in the page: an expression, a function of (arg) or, with a target, (element, arg), or statements with return.',
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
  texts: {
    result: resultLines,
  },
  async run({ script, arg, selector, ref }, page, deadline, { session }) {
    const target = optionalTarget({ selector, ref })
    if (!target.ok) return target
    const outcome = await page.evaluate(script, arg, target.value, deadline)
    const json = outcome.ok ? JSON.stringify(outcome.value.result) : ''
    // Only a string can contain a secret of the page.
    const isRedactable = (outcome.ok && !/"[^"]{4}/.test(json)) || (await page.isReported(deadline.timeout))
    if (!isRedactable) return err(unreportedSecrets(deadline.timeout))
    if (!outcome.ok) return outcome
    return ok({ data: await resultFieldsOf(outcome.value, session.folder) })
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
  description: 'Whether elements match now, and how many.',
  effect: 'reads',
  input: targetFields,
  output: { exists: v.boolean(), count: v.number() },
  texts: {
    exists: omit,
    count: (count: number) => [`${count} ${count === 1 ? 'match' : 'matches'}`],
  },
  async run({ selector, ref }, page) {
    const target = requireTarget({ selector, ref })
    if (!target.ok) return target
    return answer(await page.count(target.value), (count) => ({ exists: count > 0, count }))
  },
})

/** The result of a script: a string as it is, unless it could be read as another value or as a line of the answer. */
function resultLines(value: unknown): readonly string[] {
  if (typeof value !== 'string') return [JSON.stringify(value) ?? 'undefined']
  if (/^(?:$|true$|false$|null$|[-\d"[{\s])/.test(value)) return [quote(value)]
  if (value.includes('\n')) return blockLines(value)
  return [readsAsLine(value) ? quote(value) : value]
}
