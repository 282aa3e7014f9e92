import type { SerializeLimits } from './serialize-value.ts'

export interface SerializedValue {
  readonly json: string
  readonly notes: string[]
}

/** The error of a script, with its stack. */
export interface ScriptError {
  readonly error: string
}

interface Dependencies {
  /** The caller's script as an async function. */
  run(...args: unknown[]): Promise<unknown>
  serializeValue(value: unknown, limits: SerializeLimits): SerializedValue
  readonly limits: SerializeLimits
}

/** Runs the script of a caller. Its error is a value, because Firefox reports no rejected promises in pages with an init script. */
export function runCallerScript(
  { run, serializeValue, limits }: Dependencies,
  ...args: unknown[]
): Promise<SerializedValue | ScriptError> {
  const ERROR_LIMIT_CHARS = 20_000
  const describeError = (error: unknown): string => {
    if (typeof error === 'string') return error
    try {
      const { name, message, stack } = error as Error
      if (typeof stack !== 'string') return typeof error === 'object' ? JSON.stringify(error) : String(error)
      return stack.includes(message) ? stack : `${name}: ${message}\n${stack}`
    } catch {
      return String(error)
    }
  }
  return run(...args).then(
    (value) => serializeValue(value, limits),
    (error: unknown) => ({ error: describeError(error).slice(0, ERROR_LIMIT_CHARS) }),
  )
}
