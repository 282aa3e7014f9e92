// The text of a page that is nearest to one that was waited for: "3 teas" for "1 teas".

import { normalizeSpace } from '../base/text/clip.ts'
import type { AriaTree } from '../sessions/types/snapshot.ts'

const COMPARED_LIMIT_CHARS = 100
const TEXT_COUNT_LIMIT = 2000
const LEAST_SIMILARITY = 0.5

export const textsOf = (tree: AriaTree): readonly string[] =>
  tree.flatMap((node) =>
    typeof node === 'string'
      ? [node]
      : [...[node.name, node.text].filter((text) => text !== undefined), ...textsOf(node.children ?? [])],
  )

/** Undefined if none is similar. Of a long text the part that is nearest is taken. */
export function findNearestText(searched: string, texts: readonly string[]): string | undefined {
  const goal = normalizeSpace(searched).slice(0, COMPARED_LIMIT_CHARS)
  let best: { readonly text: string; readonly similarity: number } | undefined
  for (const text of texts.slice(0, TEXT_COUNT_LIMIT)) {
    for (const part of partsOf(normalizeSpace(text), goal)) {
      const similarity = similarityOf(goal.toLowerCase(), part.toLowerCase())
      if (similarity >= LEAST_SIMILARITY && similarity > (best?.similarity ?? 0))
        best = { text: part, similarity }
    }
  }
  return best?.text
}

// --- internal ---

const WORD_LIMIT = 60

// A text that is much longer is compared by runs of as many words as the goal has.
function partsOf(text: string, goal: string): readonly string[] {
  if (text.length <= goal.length * 2) return [text.slice(0, COMPARED_LIMIT_CHARS)]
  const words = text.split(' ').slice(0, WORD_LIMIT)
  const count = goal.split(' ').length
  return words.map((_, index) =>
    words
      .slice(index, index + count)
      .join(' ')
      .slice(0, COMPARED_LIMIT_CHARS),
  )
}

/** 1 for equal texts, 0 for those without a common pair of characters. */
function similarityOf(a: string, b: string): number {
  if (a === b) return 1
  const pairs = new Map<string, number>()
  for (const pair of pairsOf(a)) pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  let common = 0
  for (const pair of pairsOf(b)) {
    const count = pairs.get(pair) ?? 0
    if (count > 0) common += 1
    pairs.set(pair, count - 1)
  }
  return (2 * common) / Math.max(1, a.length + b.length - 2)
}

const pairsOf = (text: string): readonly string[] =>
  [...text].slice(1).map((character, index) => `${text.charAt(index)}${character}`)
