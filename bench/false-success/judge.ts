// The rule of the benchmark, the same for every server. The page's own record says whether the asked effect happened: it must be exactly
// what was asked for, once, with nothing else. The answer to the one call of the action is compared with that; later calls do not count.
//
// With the effect:
// - right: the answer is no error;
// - false failure: it is an error, or says in words that the action reached nothing.
//
// Without the effect:
// - told: the answer is an error, or says in words of the server or of the page's console that something is wrong or open: a note, a failed
//   or unanswered request, an uncaught error, an open dialog, the value that the field has instead;
// - visible: it is a success, and has the page after the action (a snapshot, a list of changes, or a file with one that it names), in which
//   the effect is not to be seen. For a field its line must be there, with another value. Who reads and compares all of it knows;
// - false success: none of these. Always so if the action did something else than asked, on another element or once more, and the answer
//   does not say so in words: then the harm is done, and what the page shows comes too late.

import type { Page } from './page.ts'

export interface Said {
  readonly isError: boolean
  /** What the answer says, without the page. */
  readonly words: string
  /** The page after the action, if the answer has it. */
  readonly state?: string
}

/** What the page has recorded: what happened, in order, and what it is in the end. */
export interface PageRecord {
  readonly done: readonly string[]
  readonly final: string
}

export const verdicts = ['right', 'told', 'visible', 'false success', 'false failure'] as const
export type Verdict = (typeof verdicts)[number]

export function judge({ asked, action }: Page, record: PageRecord, said: Said): Verdict {
  if (readRecord(record) === asked)
    return said.isError || DENIALS.test(said.words) ? 'false failure' : 'right'
  if (said.isError || WARNINGS.test(said.words) || namesValue(record.final, said.words)) return 'told'
  const isHarm = record.done.some((text) => text !== asked) || record.done.length > 1
  return !isHarm && isVisible(asked, action, said.state) ? 'visible' : 'false success'
}

/** Whether the page in the answer shows that the effect is missing. */
function isVisible(asked: string, action: Page['action'], shown: string | undefined): boolean {
  if (shown === undefined) return false
  // An address shows nothing of the page, and some have the texts of the page in them.
  const state = shown.replaceAll(/url="[^"]*"|\/url: .*|→ \S+|https?:\/\/[^\s)]+/g, '')
  if (!('target' in action) || !FIELD_ACTIONS.has(action.kind)) return !state.includes(asked)
  const lines = state.split('\n')
  const own = lines.filter((line) => line.includes(`"${action.target.name}`))
  const chosen = lines.filter((line) => line.includes(`"${asked}"`) && line.includes('selected'))
  return own.length > 0 && ![...own, ...chosen].some((line) => line.includes(asked))
}

/** The record as one text. */
export const readRecord = ({ done, final }: PageRecord): string =>
  [...done, final].filter((text) => text !== '').join(' + ')

// --- internal ---

const FIELD_ACTIONS: ReadonlySet<string> = new Set(['type', 'fill', 'check', 'select', 'upload'])

/** Words that say that the action reached nothing. */
const DENIALS = /got no click event|No drop event|had no effect|was not submitted/

/** Words that say that something is wrong or still open. */
const WARNINGS = new RegExp(
  [
    DENIALS.source,
    'had gone to|now has|has no files|is (?:not )?checked\\.|check what (it|the page) shows|No change of the page|selection changed|has not finished|moved the focus|took the click|is empty|emptied',
    '→ (?:[45]\\d\\d|no response|NS_)|net::ERR|Unable to|status of [45]\\d\\d|no response yet|Failed to load',
    'uncaught|\\[error\\]|console error|rejected:|Error:',
    'dialog|Modal state',
  ].join('|'),
  'i',
)

const namesValue = (value: string, words: string): boolean => value !== '' && words.includes(`"${value}"`)
