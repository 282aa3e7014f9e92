// In an OAuth exchange all values with weak names are secrets, because codes and states are often short.

import { isOauthName } from '../secret-names.ts'

/** Returns a function that tells whether a position belongs to an OAuth exchange: the same URL, form or object has an OAuth name. */
export function createOauthDetector(text: string): (at: number, isInObject: boolean) => boolean {
  if (!/client_id|redirect_uri|code_verifier|grant_type/.test(text)) return () => false
  let group = { start: 0, end: 0, isOauth: false }
  return (at, isInObject) => {
    if (at >= group.start && at < group.end) return group.isOauth
    const textBefore = text.slice(Math.max(0, at - GROUP_LIMIT_CHARS), at)
    const boundaries = isInObject ? ['{', '}'] : ['\n', ' http', '{', '}', '"http', "'http"]
    const boundaryPositions = boundaries.map((boundary) => textBefore.lastIndexOf(boundary))
    const start = at - textBefore.length + Math.max(...boundaryPositions) + 1
    const length =
      (isInObject ? /[{}]/ : /[\n{}]|\shttp/).exec(text.slice(at, at + GROUP_LIMIT_CHARS))?.index ??
      GROUP_LIMIT_CHARS
    const names = text.slice(start, at + length).matchAll(/([a-z_]{9,13})["'\\]{0,4}\s?[=:]/g)
    group = { start, end: at + length, isOauth: [...names].some(([, name = '']) => isOauthName(name)) }
    return group.isOauth
  }
}

const GROUP_LIMIT_CHARS = 2000
