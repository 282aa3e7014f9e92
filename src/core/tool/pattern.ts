// Regular expressions and globs of callers run in RE2JS, whose time is linear in the length of the text. A worker with a timeout would
// cost 25 ms a call instead of 10, and its thread would run on under Deno. A search pauses regularly, so that other sessions are served.

import type { RE2JS } from 're2js'
import { type Failure, invalidParameter, type Outcome } from '../base/failure.ts'
import { globToRegExpSource } from '../base/network/page-url.ts'
import { err, map, ok } from '../base/result.ts'
import { clip } from '../base/text/clip.ts'

/** Returns the texts that match a pattern; INVALID_PARAMETERS if that takes too long. */
export type TextSearch = (texts: readonly string[]) => Promise<Outcome<ReadonlySet<string>>>

/** Of a compiled pattern. Limits the time that one text of 16,000 characters blocks other sessions. */
const PROGRAM_LIMIT_INSTRUCTIONS = 300
const SLICE_DURATION_MS = 20
/** Matching time of one call, without its pauses. */
const SEARCH_TIMEOUT_MS = 5000
const MATCHED_URL_LIMIT_CHARS = 8000

/** Compiles a regular expression; undefined if none is given, INVALID_PARAMETERS if it is not valid or too large. */
export async function compileSearch(source: string | undefined): Promise<Outcome<TextSearch | undefined>> {
  if (source === undefined) return ok(undefined)
  const regex = await compile(source, 'pattern')
  return map(regex, createSearch)
}

/** A function that tests whether a URL contains the text or, if the text is a glob, matches it. Fails as `compileSearch` does. */
export async function compileUrlMatcher(textOrGlob: string): Promise<Outcome<(url: string) => boolean>> {
  if (!textOrGlob.includes('*')) return ok((url) => url.includes(textOrGlob))
  const source = globToRegExpSource(textOrGlob)
  if (source === undefined)
    return err(invalidPattern('url', 'a glob whose {a,b} are closed and not nested', textOrGlob))
  return compileUrlSource(source)
}

/** The same for a regular expression between slashes too. */
export async function compileUrlPattern(pattern: string): Promise<Outcome<(url: string) => boolean>> {
  const source = /^\/(.+)\/$/s.exec(pattern)?.[1]
  return source === undefined ? compileUrlMatcher(pattern) : compileUrlSource(source)
}

const compileUrlSource = async (source: string): Promise<Outcome<(url: string) => boolean>> =>
  map(
    await compile(source, 'url'),
    (regex) => (url) => url.length <= MATCHED_URL_LIMIT_CHARS && regex.matcher(url).find(),
  )

// --- internal ---

type PatternField = 'pattern' | 'url'

async function compile(source: string, field: PatternField): Promise<Outcome<RE2JS>> {
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
  let elapsedMs = 0
  return async (texts) => {
    const matching = new Set<string>()
    let sliceStart = performance.now()
    let sliceCount = 0
    for (const text of texts) {
      sliceCount += 1
      if (matches(text)) matching.add(text)
      const sliceMs = performance.now() - sliceStart
      if (sliceMs < SLICE_DURATION_MS) continue
      if (sliceCount === 1) matches = (candidate) => pattern.matcher(candidate).find()
      elapsedMs += sliceMs
      if (elapsedMs > SEARCH_TIMEOUT_MS) return err(slowPattern(pattern.pattern()))
      await new Promise((resolve) => setImmediate(resolve))
      sliceStart = performance.now()
      sliceCount = 0
    }
    elapsedMs += performance.now() - sliceStart
    return ok(matching)
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
