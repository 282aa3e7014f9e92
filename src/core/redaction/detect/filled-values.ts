// What code and logs of browser tests enter into password fields: page.getByLabel('Password').fill('…'), page.fill('#password', '…').

import { findQuotedString } from './pair-syntax.ts'
import { isSecretLabel, levelOfName } from '../secret-names.ts'
import { isProse } from '../secret-values.ts'
import type { Span } from '../spans.ts'

/** The spans of the entered values. What they are entered into is an argument, or stands before the call: in its statement, or in the lines
 * of a log. */
export const findFilledValues = (text: string): Span[] =>
  [...text.matchAll(entryCall)].flatMap(({ 0: call, index }) => {
    const start = index + call.length
    const entry = findEntry(text, start)
    if (!entry) return []
    const { value, isOnlyArgument } = entry
    const inner = text.slice(value.start, value.end)
    if (inner === '' || inner.startsWith('[redacted') || isProse(inner)) return []
    const subject = isOnlyArgument ? statementBefore(text, index) : `${text.slice(start, value.start)}.`
    return namesSecret(subject) ? [value] : []
  })

// --- internal ---

const VALUE_LIMIT_CHARS = 1000
const STATEMENT_LIMIT_CHARS = 400
const ARGUMENT_LIMIT_CHARS = 300

const entryCall = /\b(?:fill|type|pressSequentially|typeText|setValue|sendKeys)\(\s{0,40}/g
const firstArgument =
  /^(?:[\w$.]{1,80}(?:\([^()\n]{0,200}\))?|'[^'\n]{0,200}'|"[^"\n]{0,200}")\s{0,9},\s{0,9}(?=["'`])/

function findEntry(
  text: string,
  start: number,
): { readonly value: Span; readonly isOnlyArgument: boolean } | undefined {
  const target = firstArgument.exec(text.slice(start, start + ARGUMENT_LIMIT_CHARS))?.[0] ?? ''
  const value = findQuotedString(text, start + target.length, VALUE_LIMIT_CHARS)
  return value && value.end < text.length ? { value, isOnlyArgument: target === '' } : undefined
}

function statementBefore(text: string, end: number): string {
  const before = text.slice(Math.max(0, end - STATEMENT_LIMIT_CHARS), end)
  const start = Math.max(...[...before.matchAll(statementStart)].map(({ index }) => index), 0)
  return before.slice(start)
}

// A line that begins with a dot continues a call, one that begins with a dash a log; both may have a number before.
const statementStart = /;|\bawait\b|\breturn\b|=>|\n(?![>|\d\s]*(?:\.|- ))/g

// A quoted text or pattern of a locator, the name of a variable, or a field that was found.
function namesSecret(code: string): boolean {
  if (/\btype=\\{0,2}["']?password\b/i.test(code)) return true
  const variable = /([\w$]{1,80})[\s,]{0,40}\??\.$/.exec(code)?.[1] ?? ''
  const texts = [...code.matchAll(quotedText)].map((match) => match.slice(1).find(Boolean) ?? '')
  return levelOfName(variable) === 'secret' || texts.some((text) => locatesSecret(text.replaceAll('\\', '')))
}

const quotedText =
  /'([^'\n]{1,200})'|"([^"\n]{1,200})"|`([^`\n]{1,200})`|(?<=[(:]\s{0,4})\/([^/\n]{1,200})\/[a-z]{0,4}(?=[,)\s}])/g

const locatesSecret = (text: string): boolean =>
  isSecretLabel(text) ||
  (/[#.[\]=>:/]/.test(text) && text.split(/[^\w-]+/).some((word) => levelOfName(word) === 'secret'))
