// Which texts of a page a check can be about.

import { REDACTED } from '../../../core/base/redaction/spans.ts'
import { normalizeSpace } from '../../../core/base/text/clip.ts'
import type { SnapshotLine } from '../../../core/sessions/types/snapshot.ts'

/** The longest name or text that a check has. */
export const CHECKED_TEXT_LIMIT_CHARS = 80

/** Roles of messages; those of the first four may vanish. */
export const announcingRole = /^(alert|status|log|alertdialog|heading|dialog)$/

/** Whether the text can be expected in every run: times, dates, ages, ids, and what is shown while something loads cannot, unless they are
 * what was entered. */
export function isStable(text: string, enteredTexts: readonly string[] = []): boolean {
  if (text.length > CHECKED_TEXT_LIMIT_CHARS || text.includes('\n') || text.includes(REDACTED)) return false
  return !variableText.test(text) || enteredTexts.some((entered) => areSame(text, entered))
}

/** Whether an entered text is a part of it, or the whole of it in another format, as `1 212 5550107` for `+1 (212) 555-0107`. */
export const isEnteredIn = (text: string, enteredTexts: readonly string[]): boolean =>
  enteredTexts.some((entered) => {
    const trimmed = entered.trim()
    return trimmed.length > 1 && (text.includes(trimmed) || areSame(text, trimmed))
  })

/** Whether a locator for this text finds the other one too: it matches parts, whatever their case and white space. */
export const includesText = (text: string, part: string): boolean => normalize(text).includes(normalize(part))

const variableText =
  /\d{1,2}:\d{2}|\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\b(ago|just now|today|loading|saving|please wait)\b|…$|\.\.\.$|[\da-f]{8}-[\da-f]{4}|\d{5,}|\b[\da-f]{12,}\b/i

const FORMATTED_LIMIT_CHARS = 4

const normalize = (text: string): string => normalizeSpace(text).toLowerCase()

function areSame(a: string, b: string): boolean {
  const [first, second] = [a, b].map((text) => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase())
  return first === second && first !== undefined && first.length >= FORMATTED_LIMIT_CHARS
}

/** The lines of messages that may vanish after a while, with all that is in them. */
export function linesInAnnouncements(lines: readonly SnapshotLine[]): ReadonlySet<SnapshotLine> {
  const announced = new Set<SnapshotLine>()
  let announcementDepth = Infinity
  for (const line of lines) {
    if (line.depth <= announcementDepth) announcementDepth = isAnnouncement(line) ? line.depth : Infinity
    if (announcementDepth < Infinity) announced.add(line)
  }
  return announced
}

/** Whether a text is shown by something else than a message that may vanish. */
export function isShownLastingly(lines: readonly SnapshotLine[], text: string): boolean {
  const announced = linesInAnnouncements(lines)
  return lines.some((line) => !announced.has(line) && !line.isHidden && includesText(line.name, text))
}

const isAnnouncement = ({ role, name }: SnapshotLine): boolean =>
  /^(alert|status|log)$/.test(role) || (/^(region|list)$/.test(role) && /\b(notification|toast)/i.test(name))
