import { invalidParameter, type Failure } from '../../core/failure.ts'
import { clip } from '../../core/text/clip.ts'

/** The failure for a value whose format a field does not accept; the field is not changed. */
export const formatFailure = (field: 'text' | 'value', expected: string, received: string): Failure =>
  invalidParameter(
    field,
    expected,
    JSON.stringify(clip(received, 100)),
    'The field keeps its previous value.',
  )
