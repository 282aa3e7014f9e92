// Texts in languages that are written from the right, and numbers in them, have marks of the direction that nobody sees and nobody types.

import { escapeRegExp } from './escape-reg-exp.ts'

const MARKS = '\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069'
const ANY_MARK = new RegExp(`[${MARKS}]`, 'g')

/** Whether a page may show this text with marks in it: one that is written from the right, or of numbers and signs. */
export const mayHaveMarks = (text: string): boolean =>
  new RegExp(`[${MARKS}\u0590-\u08ff\ufb1d-\ufefc]`).test(text) || !/\p{L}/u.test(text)

export const removeMarks = (text: string): string => text.replace(ANY_MARK, '')

/** Matches the text with marks anywhere in it, in any case and with any white space. */
export function patternWithMarks(text: string): RegExp {
  const words = removeMarks(text).trim().split(/\s+/)
  const sources = words.map((word) => [...word].map(escapeRegExp).join(`[${MARKS}]*`))
  return new RegExp(sources.join(`[${MARKS}]*\\s[\\s${MARKS}]*`), 'i')
}
