export type Result<T, E> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E }

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value })

export const err = <E>(error: E): Result<never, E> => ({ ok: false, error })

/** Applies `change` to a success and passes a failure through. */
export const map = <T, U, E>(result: Result<T, E>, change: (value: T) => U): Result<U, E> =>
  result.ok ? ok(change(result.value)) : result
