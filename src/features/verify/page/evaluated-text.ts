// Modules that a script of webpack evaluates: each is a string on a line of its own, and names itself at its end.

/** Whether it is the name of such a module. */
export const isEvaluated = (url: string): boolean => url.startsWith('webpack-internal:')

/** The text of the module in a script; undefined if it is not in it. */
export function findEvaluated(script: string, url: string): string | undefined {
  const index = script.indexOf(`//# sourceURL=${url}\\n`)
  if (index < 0) return undefined
  const line = script.slice(script.lastIndexOf('\n', index) + 1, endOf(script, index))
  const literal = LITERAL.exec(line)?.[1]
  try {
    return literal === undefined ? undefined : String(JSON.parse(literal))
  } catch {
    return undefined
  }
}

// --- internal ---

const LITERAL = /^\s*eval\((?:__webpack_require__\.ts\()?("(?:[^"\\]|\\.)*")\)/

const endOf = (text: string, index: number): number => {
  const end = text.indexOf('\n', index)
  return end < 0 ? text.length : end
}
