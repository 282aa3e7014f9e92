// The name of a session: a readable string that calls can pass instead of the id, so it must not look like an id. A session without a
// requested name gets s1, s2, …

const SESSION_NAME_LIMIT_CHARS = 64

const unprintable = /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isValidSessionName = (name: string): boolean =>
  name.length > 0 &&
  [...name].length <= SESSION_NAME_LIMIT_CHARS &&
  !unprintable.test(name) &&
  !uuid.test(name)

/** The numbers of an owner's automatic names. */
export interface SessionNumbers {
  /** The number of the last automatic name; 0 if there was none. */
  readonly last: number
  /** Higher numbers that the owner used in requested names, such as 7 for `s7`. */
  readonly reserved: readonly number[]
}

export const NO_SESSION_NUMBERS: SessionNumbers = { last: 0, reserved: [] }

/** The next automatic name of an owner, which no session of the owner had before, and the numbers after it. */
export function nextSessionName({ last, reserved }: SessionNumbers): {
  readonly name: string
  readonly numbers: SessionNumbers
} {
  let number = last + 1
  while (reserved.includes(number)) number += 1
  return {
    name: `s${number}`,
    numbers: { last: number, reserved: reserved.filter((value) => value > number) },
  }
}

const RESERVED_NUMBER_LIMIT = 100
const automaticName = /^s([1-9]\d{0,14})$/

/** The numbers after a session got a requested name: no later automatic name is the same. Beyond 100 reserved numbers the lowest counts as
 * the last automatic one. */
export function reserveSessionName({ last, reserved }: SessionNumbers, name: string): SessionNumbers {
  const number = Number(automaticName.exec(name)?.[1] ?? 0)
  if (number <= last || reserved.includes(number)) return { last, reserved }
  const sorted = [...reserved, number].toSorted((a, b) => a - b)
  const [lowest = last, ...higher] = sorted
  return sorted.length > RESERVED_NUMBER_LIMIT
    ? { last: lowest, reserved: higher }
    : { last, reserved: sorted }
}

/** The name as it stands in a sentence: quoted if it is not a single word. */
export const formatSessionName = (name: string): string =>
  /^[\p{L}\p{N}._-]+$/u.test(name) ? name : `"${name}"`

/** What the name of a saved state may be. It is a file name on every system. */
export const STATE_NAME_RULE = '1 to 64 letters, digits, - and _, and . inside'

// Names of devices are no file names on Windows, whatever follows them.
const DEVICE_NAME = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

export const isStateName = (name: string): boolean =>
  /^[A-Za-z0-9_-](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$/.test(name) && !DEVICE_NAME.test(name)
