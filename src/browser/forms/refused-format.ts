import type { Failure } from '../../core/failure.ts'

/** A field does not accept the format of a value; it keeps the value that it had. */
export const formatFailure = (field: 'text' | 'value', expected: string, received: string): Failure => ({
  code: 'INVALID_PARAMETERS',
  field,
  expected,
  received: JSON.stringify(received.slice(0, 100)),
  hint: 'The field keeps the value that it had.',
})
