// Literals in code: strings, numbers, lists and objects of them.

import { unescapeText } from './literals.ts'

export type ArgumentValue =
  string | number | boolean | readonly ArgumentValue[] | { readonly [name: string]: ArgumentValue }

/** Where the string, template or regular expression ends that begins at a place of a code: that place if none does, undefined if it has no end.
 * `before` is what stands before, at least its last word. */
export function endOfLiteral(code: string, start: number, before: string): number | undefined {
  const first = code[start] ?? ''
  if (QUOTES.includes(first)) return endOfText(code, start)
  const next = code[start + 1] ?? ''
  if (first !== '/' || '/*'.includes(next) || !/(^|[(,=:[!&|?{;])\s*$/.test(before)) return start
  return endOfExpression(code, start)
}

/** The values of the arguments of a call; undefined if one is no literal. */
export function readArguments(code: string): readonly ArgumentValue[] | undefined {
  const json = toJson(code)
  try {
    return json === undefined ? undefined : (JSON.parse(`[${json}]`) as readonly ArgumentValue[])
  } catch {
    return undefined
  }
}

// --- internal ---

const QUOTES = ['"', "'", '`']

function endOfText(code: string, start: number): number | undefined {
  for (let at = start + 1; at < code.length; at += 1) {
    if (code[at] === '\\') at += 1
    else if (code[at] === code[start]) return at + 1
  }
  return undefined
}

const FLAGS = /[a-z]*/y

function endOfExpression(code: string, start: number): number | undefined {
  let isInClass = false
  for (let at = start + 1; at < code.length && code[at] !== '\n'; at += 1) {
    if (code[at] === '\\') at += 1
    else if (code[at] === '[') isInClass = true
    else if (code[at] === ']') isInClass = false
    else if (code[at] === '/' && !isInClass) {
      FLAGS.lastIndex = at + 1
      return at + 1 + (FLAGS.exec(code)?.[0].length ?? 0)
    }
  }
  return undefined
}

const TOKEN =
  /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\$]|\\.)*)`|(\d[\d_]*(?:\.\d+)?)|(true|false)|(\w+)(?=\s*:)|,(?=\s*(?:[\]}]|$))|([[\]{}:,\s-])/sy

/** A code of literals as JSON; undefined if there is something else in it. */
function toJson(code: string): string | undefined {
  let end = 0
  let json = ''
  while (end < code.length) {
    TOKEN.lastIndex = end
    const match = TOKEN.exec(code)
    if (!match) return undefined
    end += match[0].length
    const [, single, double, template, number, word, name, other] = match
    const text = single ?? double ?? template
    if (text !== undefined) json += JSON.stringify(unescapeText(text))
    else if (name !== undefined) json += JSON.stringify(name)
    else json += number?.replaceAll('_', '') ?? word ?? other ?? ''
  }
  return json
}
