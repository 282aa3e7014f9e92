// An element is addressed by selector or ref, exactly one of them. This is checked here because JSON Schema would need more tokens for it.

import * as v from 'valibot'
import { SELECTOR_LIMIT_CHARS, text } from './fields.ts'
import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import { unescapeInvisible } from '../../core/text/invisible-characters.ts'
import type { Target } from '../../runtime/ports/page/target.ts'

const refPattern = v.regex(/^(f\d+)?e\d+$/)

export const targetFields = {
  selector: v.optional(text(SELECTOR_LIMIT_CHARS)),
  ref: v.optional(v.pipe(v.string(), v.maxLength(50), refPattern)),
}

interface TargetInput {
  readonly selector?: string | undefined
  readonly ref?: string | undefined
}

/** Returns the target; INVALID_PARAMETERS if none or two are given. `prefix` is put before the names of its fields. */
export function requireTarget(fields: TargetInput, prefix = ''): Outcome<Target> {
  const target = optionalTarget(fields, prefix)
  if (!target.ok) return target
  if (target.value) return ok(target.value)
  return err(invalidParameter(`${prefix}selector`, 'selector or ref', 'neither'))
}

/** Returns the target, or undefined if none is given; INVALID_PARAMETERS if two are given. */
export function optionalTarget({ selector, ref }: TargetInput, prefix = ''): Outcome<Target | undefined> {
  if (selector !== undefined && ref !== undefined) {
    return err(invalidParameter(`${prefix}ref`, 'either selector or ref', 'both'))
  }
  if (ref !== undefined) return ok({ ref })
  return ok(selector === undefined ? undefined : { selector: unescapeInvisible(selector) })
}

export const describeTarget = (target: Target): string => ('ref' in target ? target.ref : target.selector)
