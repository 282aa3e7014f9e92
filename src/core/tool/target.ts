// An element is addressed by selector or ref, exactly one of them. This is checked here because JSON Schema would need more tokens for it.

import * as v from 'valibot'
import type { Target } from '../base/action.ts'
import { invalidParameter, type Outcome } from '../base/failure.ts'
import { err, ok } from '../base/result.ts'
import { unescapeInvisible } from '../base/text/invisible-characters.ts'
import { SELECTOR_LIMIT_CHARS, text } from './fields.ts'

const REF = /^(f\d+)?e\d+$/
const selectorField = v.optional(text(SELECTOR_LIMIT_CHARS))
const refField = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(50),
    v.regex(REF, 'a ref of a snapshot, such as e5 (anything else is a selector)'),
  ),
)

export const targetFields = { selector: selectorField, ref: refField }
export const destinationFields = { toSelector: selectorField, toRef: refField }

/** As answers show a ref, and other servers write it. */
const SHOWN_REF = /^\s*\[?(?:(?:aria-)?ref[=: ]\s*)?((?:f\d+)?e\d+)\]?\s*$/

/** The fields of a call with each ref in its own field: `e6`, `[e6]` and `ref=e6`, also as a selector, are ref e6. */
export function moveRefs(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const moved = { ...fields }
  for (const [selectorName, refName] of [
    ['selector', 'ref'],
    ['toSelector', 'toRef'],
  ] as const) {
    const ref = refOf(moved[refName])
    if (ref !== undefined) moved[refName] = ref
    const refInSelector = refOf(moved[selectorName])
    if (refInSelector === undefined || (ref ?? refInSelector) !== refInSelector) continue
    moved[refName] = refInSelector
    delete moved[selectorName]
  }
  return moved
}

interface TargetInput {
  readonly selector?: string | undefined
  readonly ref?: string | undefined
}

type PathOf = (name: keyof TargetInput) => string
const itself: PathOf = (name) => name

/** Returns the target; INVALID_PARAMETERS if none or two are given. `pathOf` is the path of its fields in the input. */
export function requireTarget(fields: TargetInput, pathOf: PathOf = itself): Outcome<Target> {
  const target = optionalTarget(fields, pathOf)
  if (!target.ok) return target
  if (target.value) return ok(target.value)
  return err(invalidParameter(pathOf('selector'), 'selector or ref', 'neither'))
}

/** Returns the target, or undefined if none is given; INVALID_PARAMETERS if two are given. */
export function optionalTarget(
  { selector, ref }: TargetInput,
  pathOf: PathOf = itself,
): Outcome<Target | undefined> {
  if (selector !== undefined && ref !== undefined)
    return err(invalidParameter(pathOf('ref'), 'either selector or ref', 'both'))
  if (ref !== undefined) return ok({ ref })
  return ok(selector === undefined ? undefined : { selector: unescapeInvisible(selector) })
}

export const describeTarget = (target: Target): string => ('ref' in target ? target.ref : target.selector)

// --- internal ---

const refOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? SHOWN_REF.exec(value)?.[1] : undefined
