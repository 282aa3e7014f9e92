// A caller's regular expressions and globs run in RE2JS: its time grows with the text alone. A worker with a deadline costs 25 ms a call
// against 10, and under Deno the thread goes on for ever. The searched texts come in slices, so that other sessions are served between.

import type { RE2JS } from 're2js'
import { globToRegExpSource } from '../../core/network/url-glob.ts'
import { clip } from '../../core/text/clip.ts'
import { invalidParameter, type Failure, type Outcome } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'

/** Those of the texts in which a pattern matches. */
export type TextSearch = (texts: readonly string[]) => Promise<Outcome<ReadonlySet<string>>>

/** Instructions of a compiled pattern: with a text of 16,000 characters the bound of the time that nobody else is served. */
const PROGRAM_LIMIT_INSTRUCTIONS = 300
const SLICE_MS = 20
/** Of searching alone, for one call. */
const SEARCH_TIMEOUT_MS = 5000
const MATCHED_URL_LIMIT_CHARS = 8000

/** Undefined where no pattern is given. */
export async function compileSearch(source: string | undefined): Promise<Outcome<TextSearch | undefined>> {
  if (source === undefined) return ok(undefined)
  const compiled = await compile(source, 'pattern')
  return map(compiled, createSearch)
}

/** Whether an address is what was asked for: it contains the text, or matches it where it is a glob. */
export async function compileUrlMatcher(wanted: string): Promise<Outcome<(address: string) => boolean>> {
  if (!wanted.includes('*')) return ok((address) => address.includes(wanted))
  const source = globToRegExpSource(wanted)
  if (source === undefined)
    return err(invalidPattern('url', 'a glob whose {a,b} are closed and not nested', wanted))
  const compiled = await compile(source, 'url')
  return map(
    compiled,
    (pattern) => (address) => address.length <= MATCHED_URL_LIMIT_CHARS && pattern.matcher(address).find(),
  )
}

// --- internal ---

async function compile(source: string, field: 'pattern' | 'url'): Promise<Outcome<RE2JS>> {
  const { RE2JS } = await import('re2js')
  try {
    const flags = field === 'pattern' ? RE2JS.CASE_INSENSITIVE : RE2JS.DOTALL
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source), flags)
    if (pattern.programSize() <= PROGRAM_LIMIT_INSTRUCTIONS) return ok(pattern)
    const hint = 'Make it shorter, or use fewer repetitions.'
    return err(invalidPattern(field, 'a smaller pattern', source, hint))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const hint = `${reason}. Lookahead, lookbehind and backreferences are not supported: search for a simpler pattern and filter the result.`
    return err(invalidPattern(field, 'a regular expression (RE2 syntax)', source, hint))
  }
}

function createSearch(pattern: RE2JS): TextSearch {
  // Its DFA is ten times faster than its NFA on ordinary patterns, and ten times slower on those that have a state for every text.
  let matches = (text: string) => pattern.test(text)
  let spent = 0
  return async (texts) => {
    const found = new Set<string>()
    let since = performance.now()
    let count = 0
    for (const text of texts) {
      count += 1
      if (matches(text)) found.add(text)
      const slice = performance.now() - since
      if (slice < SLICE_MS) continue
      if (count === 1) matches = (one) => pattern.matcher(one).find()
      spent += slice
      if (spent > SEARCH_TIMEOUT_MS) return err(slowPattern(pattern.pattern()))
      await new Promise((resolve) => setImmediate(resolve))
      since = performance.now()
      count = 0
    }
    spent += performance.now() - since
    return ok(found)
  }
}

const slowPattern = (source: string): Failure =>
  invalidPattern(
    'pattern',
    `a pattern that completes within ${SEARCH_TIMEOUT_MS} ms`,
    source,
    'Use fewer repetitions, or search fewer entries with since or cursor.',
  )

const invalidPattern = (field: string, expected: string, source: string, hint?: string): Failure =>
  invalidParameter(field, expected, JSON.stringify(clip(source, 200)), hint)
