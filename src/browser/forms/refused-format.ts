import { invalidParameter, type Failure } from '../../core/failure.ts'

/** A field does not accept the format of a value; it keeps the value that it had. */
export const formatFailure = (field: 'text' | 'value', expected: string, received: string): Failure =>
  invalidParameter(
    field,
    expected,
    JSON.stringify(received.slice(0, 100)),
    'The field keeps its previous value.',
  )
