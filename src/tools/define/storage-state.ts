import * as v from 'valibot'
import { clip } from '../../core/text/clip.ts'
import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { StorageState } from '../../runtime/ports/storage-state.ts'

// A browser keeps 180 cookies a site, and drops the oldest of more than a few thousand.
const COOKIES = 5000
const ORIGINS = 1000

const schema = v.looseObject({
  cookies: v.pipe(v.array(v.looseObject({ name: v.string(), value: v.string() })), v.maxLength(COOKIES)),
  origins: v.pipe(v.array(v.looseObject({ origin: v.string() })), v.maxLength(ORIGINS)),
})

/** Cookies and storage as storage_state saves them; `field` is where they came from. */
export function checkState(given: unknown, field: string): Outcome<StorageState> {
  const parsed = v.safeParse(schema, given)
  if (parsed.success) return ok(parsed.output)
  const [issue] = parsed.issues
  const received = clip(`${v.getDotPath(issue) ?? 'the whole'}: ${issue.received}`, 200)
  return err(
    invalidParameter(
      field,
      `cookies (at most ${COOKIES}) and origins (at most ${ORIGINS}), as storage_state saves them`,
      received,
    ),
  )
}
