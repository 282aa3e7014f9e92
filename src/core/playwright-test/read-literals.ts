// Literals in code: strings, numbers, lists and objects of them.

export type ArgumentValue =
  string | number | boolean | readonly ArgumentValue[] | { readonly [name: string]: ArgumentValue }

/** The length of the string, template or regular expression that a code begins with; 0 if it begins with none. */
export function literalLength(code: string, before: string): number {
  const text = /^('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)/s.exec(code)?.[0]
  if (text !== undefined) return text.length
  const isExpression = /(^|[(,=:[!&|?{;])\s*$/.test(before)
  return isExpression
    ? (/^\/(?![/*])(?:\\.|\[(?:[^\]\\\n]|\\.)*\]|[^/\\\n])+\/[a-z]*/.exec(code)?.[0] ?? '').length
    : 0
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

const TOKEN =
  /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\$]|\\.)*)`|(\d[\d_]*(?:\.\d+)?)|(true|false)|(\w+)(?=\s*:)|,(?=\s*(?:[\]}]|$))|([[\]{}:,\s-])/gs

/** A code of literals as JSON; undefined if there is something else in it. */
function toJson(code: string): string | undefined {
  let end = 0
  let json = ''
  for (const match of code.matchAll(TOKEN)) {
    if (match.index !== end) return undefined
    end = match.index + match[0].length
    const [, single, double, template, number, word, name, other] = match
    const text = single ?? double ?? template
    if (text !== undefined) json += JSON.stringify(unescapeText(text))
    else if (name !== undefined) json += JSON.stringify(name)
    else json += number?.replaceAll('_', '') ?? word ?? other ?? ''
  }
  return end === code.length ? json : undefined
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
}

const unescapeText = (text: string): string =>
  text.replace(
    /\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|(\n)|(.))/gis,
    (_, point, unit, byte, line, char) => {
      const hex = (point ?? unit ?? byte) as string | undefined
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
      return line === undefined ? (ESCAPES[char as string] ?? (char as string)) : ''
    },
  )
