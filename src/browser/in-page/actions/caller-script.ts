import type { SerializeLimits } from './serialize-value.ts'

export interface SerializedValue {
  readonly json: string
  readonly notes: string[]
}

interface Dependencies {
  /** The caller's script as an async function. */
  run(...args: unknown[]): Promise<unknown>
  serializeValue(value: unknown, limits: SerializeLimits): SerializedValue
  readonly limits: SerializeLimits
}

/** Runs the script of a caller. A long error is truncated here and thrown as a string. */
export function runCallerScript(
  { run, serializeValue, limits }: Dependencies,
  ...args: unknown[]
): Promise<SerializedValue> {
  const ERROR_LIMIT_CHARS = 20_000
  return run(...args).then(
    (value) => serializeValue(value, limits),
    (error: unknown) => {
      const reason = error instanceof Error ? error.stack : error
      const text = typeof reason === 'string' ? reason : ''
      throw text.length > ERROR_LIMIT_CHARS ? `${text.slice(0, ERROR_LIMIT_CHARS)}…` : error
    },
  )
}
