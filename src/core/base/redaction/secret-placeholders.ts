// Secrets that a client can type without seeing them: it passes {{NAME}}, which is replaced by the value when it is sent to the page.

import { invalidParameter, type Outcome } from '../failure.ts'
import { err, ok } from '../result.ts'

export type Secrets = ReadonlyMap<string, string>

/** Parses NAME=value lines, as in a dotenv file, or a JSON object of strings. `problem` contains no values. */
export function parseSecrets(text: string): { values: Secrets } | { problem: string } {
  if (text.trimStart().startsWith('{')) return parseJsonSecrets(text)
  const values = new Map<string, string>()
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    const [, name, value = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined) return { problem: `line ${index + 1} is not NAME=value` }
    values.set(name, /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value)
  }
  return { values }
}

/** Replaces the placeholders of a text; `field` is the parameter that it came from, for the failure. */
export function fillPlaceholders(text: string, secrets: Secrets, field: string): Outcome<string> {
  const unknown = [...text.matchAll(/\{\{(\w+)\}\}/g)].find(([, name = '']) => !secrets.has(name))
  if (unknown && secrets.size > 0) {
    const expected = `one of ${[...secrets.keys()].map((name) => `{{${name}}}`).join(', ')}`
    return err(invalidParameter(field, expected, unknown[0]))
  }
  return ok(text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => secrets.get(name) ?? placeholder))
}

function parseJsonSecrets(text: string): { values: Secrets } | { problem: string } {
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, unknown>)
    const nonString = entries.find(([, value]) => typeof value !== 'string')
    return nonString
      ? { problem: `${nonString[0]} is not a string` }
      : { values: new Map(entries as [string, string][]) }
  } catch {
    return { problem: 'it is not valid JSON' }
  }
}
