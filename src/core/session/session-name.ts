// The name of a session: a readable string that calls can pass instead of the id, so it must not look like an id.

const SESSION_NAME_LIMIT_CHARS = 64

const unprintable = /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isValidSessionName = (name: string): boolean =>
  name.length > 0 &&
  [...name].length <= SESSION_NAME_LIMIT_CHARS &&
  !unprintable.test(name) &&
  !uuid.test(name)
