// Estimates the number of tokens of a text without a tokenizer, whose tables are large. The text is split as the tokenizers of current
// models do: words, up to three digits, runs of punctuation. The cost of each piece was measured with o200k_base.

import type { Size } from './geometry.ts'

const TOKEN_PIECE =
  /[^\r\n\p{L}\p{N}]?\p{Lu}?\p{Ll}+|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|[^\s\p{L}\p{N}]+|\s+/gu
const RANDOM_RUN = /[A-Za-z0-9+/_-]{24,}/g

/** An estimate that is rarely much lower than the actual number. */
export function estimateTokens(text: string): number {
  let sum = 0
  for (const [run] of text.matchAll(RANDOM_RUN)) sum += surchargeOf(run)
  for (const [piece] of text.matchAll(TOKEN_PIECE)) sum += costOf(piece)
  return Math.ceil(sum)
}

// Models charge for images by their area.
const PIXELS_PER_TOKEN = 750

export const estimateImageTokens = ({ width, height }: Size): number =>
  Math.ceil((width * height) / PIXELS_PER_TOKEN)

// --- internal ---

const LETTERS_PER_TOKEN = 4
const COMMON_WORD_CHARS = 7
const WORD_LIMIT_CHARS = 20
// Such as `":["` in JSON.
const COMMON_PUNCTUATION_CHARS = 5

function costOf(piece: string): number {
  if (!/^[\0-\x7f]*$/.test(piece))
    return [...piece].reduce((sum, character) => sum + characterCostOf(character), 0)
  const { length } = piece
  if (/[a-z]/i.test(piece)) {
    if (length <= COMMON_WORD_CHARS) return 1
    return looksLikeWord(piece) ? 1 + (length - COMMON_WORD_CHARS) / LETTERS_PER_TOKEN : length / 2
  }
  if (/[\d\s]/.test(piece)) return 1
  return length <= COMMON_PUNCTUATION_CHARS ? Math.ceil(length / 2) : length * 0.95
}

const looksLikeWord = (piece: string): boolean =>
  piece.length <= WORD_LIMIT_CHARS && !/[^aeiouy\W]{5}|[aeiouy]{4}/i.test(piece)

// A base64 key is split into pieces of one or two letters.
const surchargeOf = (run: string): number =>
  /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run) && !/[a-z]{7}/.test(run) ? run.length / 6 : 0

// The first code point of each group of scripts and the cost of a character: tokens are made of bytes, and common characters have their own token.
const SCRIPT_COSTS: readonly (readonly [from: number, cost: number])[] = [
  [0x10000, 2.5],
  [0xf900, 1.5],
  [0xac00, 1],
  [0xa000, 2.5],
  [0x4e00, 1],
  [0x3400, 3],
  [0x2e80, 1],
  [0x2000, 1.5],
  [0x0e80, 2],
  [0x0900, 0.6],
  [0x0530, 0.4],
  [0x0180, 0.5],
  [0x0080, 0.8],
  [0, 0.25],
]

function characterCostOf(character: string): number {
  const code = character.codePointAt(0) ?? 0
  return SCRIPT_COSTS.find(([from]) => code >= from)?.[1] ?? 1
}
