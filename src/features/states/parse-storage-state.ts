import * as v from 'valibot'
import { invalidParameter, type Outcome } from '../../core/base/failure.ts'
import { err, ok } from '../../core/base/result.ts'
import type { StorageState } from '../../core/base/storage.ts'
import { clip } from '../../core/base/text/clip.ts'
import { pathOf, receivedOf } from '../../core/tool/describe-issue.ts'

// A browser keeps 180 cookies per site and a few thousand in total.
const COOKIE_LIMIT = 5000
const ORIGIN_LIMIT = 1000

const PASSKEY_LIMIT = 1000

const items = v.optional(v.array(v.looseObject({ name: v.string(), value: v.string() })))

const passkey = v.looseObject({
  id: v.string(),
  rpId: v.string(),
  userHandle: v.string(),
  publicKey: v.string(),
  privateKey: v.string(),
  signCount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(0xff_ff_ff_ff)), 0),
})

const schema = v.looseObject({
  cookies: v.pipe(v.array(v.looseObject({ name: v.string(), value: v.string() })), v.maxLength(COOKIE_LIMIT)),
  origins: v.pipe(
    v.array(v.looseObject({ origin: v.string(), localStorage: items, sessionStorage: items })),
    v.maxLength(ORIGIN_LIMIT),
  ),
  credentials: v.optional(v.pipe(v.array(passkey), v.maxLength(PASSKEY_LIMIT))),
})

/** Validates cookies and storage as storage_state saves them; INVALID_PARAMETERS names `field`. */
export function parseStorageState(input: unknown, field: string): Outcome<StorageState> {
  const result = v.safeParse(schema, input)
  if (result.success) return ok(result.output)
  const [issue] = result.issues
  const received = clip(`${pathOf(issue) || 'the whole'}: ${receivedOf(issue)}`, 200)
  return err(
    invalidParameter(
      field,
      `cookies (at most ${COOKIE_LIMIT}) and origins (at most ${ORIGIN_LIMIT}), as storage_state saves them`,
      received,
    ),
  )
}
