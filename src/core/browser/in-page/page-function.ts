type AnyFunction = (...args: never[]) => unknown

/** A function by its source text, which is sent to a page: it does nothing here. */
export const pageFunction = <F extends AnyFunction>(source: string): F =>
  Object.assign(() => {}, { toString: () => source }) as AnyFunction as F
