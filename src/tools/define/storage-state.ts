import * as v from 'valibot'
import { clip } from '../../core/text/clip.ts'
import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { StorageState } from '../../runtime/ports/storage-state.ts'

// A browser keeps 180 cookies a site, and drops the oldest of more than a few thousand.
const COOKIE_LIMIT = 5000
const ORIGIN_LIMIT = 1000

const schema = v.looseObject({
  cookies: v.pipe(v.array(v.looseObject({ name: v.string(), value: v.string() })), v.maxLength(COOKIE_LIMIT)),
  origins: v.pipe(v.array(v.looseObject({ origin: v.string() })), v.maxLength(ORIGIN_LIMIT)),
})

/** Cookies and storage as storage_state saves them; `field` is where they came from. */
export function parseStorageState(given: unknown, field: string): Outcome<StorageState> {
  const parsed = v.safeParse(schema, given)
  if (parsed.success) return ok(parsed.output)
  const [issue] = parsed.issues
  const received = clip(`${v.getDotPath(issue) ?? 'the whole'}: ${issue.received}`, 200)
  return err(
    invalidParameter(
      field,
      `cookies (at most ${COOKIE_LIMIT}) and origins (at most ${ORIGIN_LIMIT}), as storage_state saves them`,
      received,
    ),
  )
}
