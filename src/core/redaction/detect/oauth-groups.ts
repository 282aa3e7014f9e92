// In an OAuth exchange every value counts that has a weak name: codes and states are often short.

import { isOauthName } from '../secret-names.ts'

/** Whether a place belongs to an OAuth exchange: whether the same address, form or object has one of its names. */
export function createOauthDetector(text: string): (at: number, inObject: boolean) => boolean {
  if (!/client_id|redirect_uri|code_verifier|grant_type/.test(text)) return () => false
  let group = { start: 0, end: 0, isOauth: false }
  return (at, inObject) => {
    if (at >= group.start && at < group.end) return group.isOauth
    const before = text.slice(Math.max(0, at - GROUP_LIMIT_CHARS), at)
    const ends = inObject ? ['{', '}'] : ['\n', ' http', '{', '}', '"http', "'http"]
    const edges = ends.map((edge) => before.lastIndexOf(edge))
    const start = at - before.length + Math.max(...edges) + 1
    const length =
      (inObject ? /[{}]/ : /[\n{}]|\shttp/).exec(text.slice(at, at + GROUP_LIMIT_CHARS))?.index ??
      GROUP_LIMIT_CHARS
    const names = text.slice(start, at + length).matchAll(/([a-z_]{9,13})["'\\]{0,4}\s?[=:]/g)
    group = { start, end: at + length, isOauth: [...names].some(([, name = '']) => isOauthName(name)) }
    return group.isOauth
  }
}

const GROUP_LIMIT_CHARS = 2000
