import type { RecordedStep } from '../recording/recorded-step.ts'
import { clip } from '../text/clip.ts'
import { divideSteps } from './steps/divide-steps.ts'
import { joinWords, lastActionOf, titlesOf } from './steps/step-titles.ts'

/** A title for a test that has none, such as `sign in and add to cart`: at most 70 characters, and no name of a file. */
export function describeTest(steps: readonly RecordedStep[]): string {
  const parts = divideSteps(steps)
  const titles = titlesOf(parts)
  const isOpening = (part: readonly RecordedStep[]) => lastActionOf(part)?.action.kind === 'navigate'
  const main = titles.filter((_, index) => !isOpening(parts[index] ?? []))
  const names = [...new Set(main.length > 0 ? main : titles)].map(lowerFirst)
  const [first = 'recorded session'] = names
  const last = names.at(-1) ?? first
  const candidates = [
    ...(names.length <= LISTED_TITLES ? [joinWords(names)] : []),
    joinWords([...new Set([first, last])]),
    last,
  ]
  return (
    candidates.find(({ length }) => length > 0 && length <= TITLE_LIMIT_CHARS) ??
    clip(last, TITLE_LIMIT_CHARS - 1)
  )
}

// --- internal ---

const TITLE_LIMIT_CHARS = 70
const LISTED_TITLES = 3

// PDF export stays as it is.
const lowerFirst = (text: string): string =>
  /^\p{Lu}(?:\p{Ll}|\s|$)/u.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text
