import * as v from 'valibot'
import type { Outcome } from '../core/failure.ts'
import { err, ok } from '../core/result.ts'
import type { StorageState } from '../runtime/ports/browsers.ts'

const schema = v.looseObject({
  cookies: v.array(v.looseObject({ name: v.string(), value: v.string() })),
  origins: v.array(v.looseObject({ origin: v.string() })),
})

/** Cookies and storage as storage_state saves them; `field` is where they came from. */
export function checkState(given: unknown, field: string): Outcome<StorageState> {
  const parsed = v.safeParse(schema, given)
  if (parsed.success) return ok(parsed.output)
  const [issue] = parsed.issues
  const received = `${v.getDotPath(issue) ?? 'the whole'}: ${issue.received}`
  return err({
    code: 'INVALID_PARAMETERS',
    field,
    expected: 'cookies and origins, as storage_state saves them',
    received,
  })
}
