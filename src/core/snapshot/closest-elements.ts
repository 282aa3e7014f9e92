// Finds the elements of a page that are most similar to a target that was not found.

import type { ElementName } from '../base/action.ts'
import { clip } from '../base/text/clip.ts'
import { computeEditDistance } from '../base/text/closest-name.ts'
import type { SnapshotLine } from '../sessions/types/snapshot.ts'

const candidateRole =
  /^(button|link|textbox|searchbox|checkbox|radio|combobox|listbox|option|switch|tab|menuitem|slider|spinbutton|heading|img|dialog)$/
const CANDIDATE_LIMIT = 5
const TARGET_LIMIT_CHARS = 300
const WORD_LIMIT = 12
/** The maximum number of letter comparisons for one target. */
const COMPARISON_LIMIT_LETTERS = 500_000

/** At most five similar elements, the most similar first; if none is similar, the first interactive ones. */
export function findClosestElements(target: string, lines: readonly SnapshotLine[]): readonly ElementName[] {
  const words = wordsOfTarget(target)
  const candidates = lines.flatMap(({ role, name, ref, isUnseen }) =>
    ref !== undefined && candidateRole.test(role) && !isUnseen ? [{ role, name: clip(name, 80), ref }] : [],
  )
  const similarity = createSimilarity()
  const scoredCandidates = candidates.map((candidate, index) => ({
    candidate,
    index,
    score: scoreCandidate(words, candidate, similarity),
  }))
  const similar = scoredCandidates
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
  const selection = similar.length > 0 ? similar : scoredCandidates
  return selection.slice(0, CANDIDATE_LIMIT).map(({ candidate }) => candidate)
}

/** Whether an element has anything in common with a target that was not found. */
export const isSimilar = (target: string, element: Pick<ElementName, 'role' | 'name'>): boolean =>
  scoreCandidate(wordsOfTarget(target), element, createSimilarity()) > 0

const LOCATOR_SYNTAX =
  /\b(?:page\.|getBy[A-Z]\w*\(|(?:locator|frameLocator|filter)\(|(?:name|hasText|has|exact)\s*:)/g

// A ref has no words, and the names of methods and options are none of the element.
const wordsOfTarget = (target: string): string[] =>
  /^ref \w+$/.test(target) ? [] : wordsOf(target.slice(0, TARGET_LIMIT_CHARS).replace(LOCATOR_SYNTAX, ' '))

// The words of a selector or a text: #submit-order and submitOrder both have submit and order.
const wordsOf = (text: string): string[] =>
  text
    .slice(0, TARGET_LIMIT_CHARS)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)
    .slice(0, WORD_LIMIT)

type Similarity = (a: string, b: string) => number

function scoreCandidate(
  words: readonly string[],
  { role, name }: Pick<ElementName, 'role' | 'name'>,
  similarity: Similarity,
): number {
  const candidateWords = wordsOf(`${name} ${role}`)
  const scores = words.map((word) => Math.max(0, ...candidateWords.map((other) => similarity(word, other))))
  return scores.reduce((sum, score) => sum + score, 0)
}

// A page may have a million words: after the limit of comparisons, only equal words and substrings count as similar.
function createSimilarity(): Similarity {
  let remainingComparisons = COMPARISON_LIMIT_LETTERS
  return (a, b) => {
    if (a === b) return 1
    const maxLength = Math.max(a.length, b.length)
    if (maxLength > 40) return 0
    remainingComparisons -= a.length * b.length
    const ratio = remainingComparisons > 0 ? 1 - computeEditDistance(a, b) / maxLength : 0
    const containment = a.length > 2 && b.length > 2 && (a.includes(b) || b.includes(a)) ? 0.7 : 0
    return Math.max(ratio > 0.6 ? ratio : 0, containment)
  }
}
