// The result of a comparison, as its answer, its page and its Markdown show it. Every text in it has been redacted.

import { clip } from '../../../core/base/text/clip.ts'
import { estimateTokens } from '../../../core/base/token-estimate.ts'
import type { ChangeKind, DifferenceKind } from './page-view.ts'

type Box = readonly [x: number, y: number, width: number, height: number]

export interface Difference {
  readonly kind: DifferenceKind
  readonly change: ChangeKind
  readonly text?: string
  readonly box?: Box
  readonly elements?: readonly string[]
  readonly file?: string
  readonly line?: number
  /** Whether the change made it, as far as evidence tells. */
  readonly inDiff?: boolean
  /** Whether it is outside of what was declared to change. */
  readonly isOutside?: true
}

export interface StepDifferences {
  /** From 1. */
  readonly step: number
  /** What was done. */
  readonly title: string
  readonly url: string
  readonly differences: readonly Difference[]
}

/** What differed between two runs of the base too, or could not be compared. */
export interface Masked {
  readonly step: number
  readonly what: string
  readonly why: string
}

export interface Expectation {
  readonly check: string
  readonly base: boolean
  readonly current: boolean
}

export interface Comparison {
  readonly base: string
  readonly current: string
  /** Those with differences, first those with an unexplained one. */
  readonly steps: readonly StepDifferences[]
  readonly stepCount: number
  readonly unexplained: number
  readonly masked: readonly Masked[]
  readonly expect: readonly Expectation[]
  /** Why it is less than a proof: what both shared, and steps that ended elsewhere. A sentence each. */
  readonly unproven?: readonly string[]
  readonly notes: readonly string[]
}

/** Whether something tells that the change did not make it, or was not meant to. */
export const isUnexplained = ({ inDiff, isOutside }: Difference): boolean =>
  inDiff === false || isOutside === true

/** What is to be said of its cause beside its place; empty where the place is the cause. */
export const causeOf = ({ inDiff, isOutside }: Difference): string =>
  [
    inDiff === undefined ? 'cause not known' : inDiff ? '' : 'NOT in the diff',
    isOutside ? 'outside of what is meant to change' : '',
  ]
    .filter(Boolean)
    .join(', ')

/** How many differences have a known cause, and how many are outside; empty where nothing is to be said. */
export function countCauses({ steps, unproven = [] }: Pick<Comparison, 'steps' | 'unproven'>): string {
  const all = steps.flatMap(({ differences }) => differences)
  const count = (is: (one: Difference) => boolean) => all.filter(is).length
  const parts = (
    [
      [count(({ inDiff }) => inDiff === false), 'NOT in the diff'],
      [count(({ isOutside }) => isOutside === true), 'outside of what is meant to change'],
      [count(({ inDiff }) => inDiff === undefined), 'of a cause that is not known'],
    ] as const
  ).flatMap(([number, what]) => (number > 0 ? [`${number} ${what}`] : []))
  return parts.length > 0 ? parts.join(', ') : unproven.length === 0 ? 'all are in the diff' : ''
}

/** How many differences there are, in one sentence. It says of no comparison more than it saw. */
export function summarize({
  steps,
  stepCount,
  masked,
  unproven = [],
}: Pick<Comparison, 'steps' | 'stepCount' | 'masked' | 'unproven'>): string {
  const count = steps.reduce((sum, { differences }) => sum + differences.length, 0)
  const isProven = unproven.length === 0
  const inSteps = `${stepCount} ${stepCount === 1 ? 'step' : 'steps'}`
  const rest = masked.length > 0 ? ', apart from what is masked' : ''
  if (count === 0)
    return isProven
      ? `Nothing differs for a user in ${inSteps}${rest}.`
      : `No difference was seen in ${inSteps}.`
  const causes = countCauses({ steps, unproven })
  const noun = count === 1 ? 'difference' : 'differences'
  const end = causes === '' ? ` ${count === 1 ? 'was' : 'were'} seen` : `; ${causes}`
  return `${count} ${noun} in ${steps.length} of ${inSteps}${end}.`
}

/** Steps with a difference, those first that the change does not explain; so are the differences of each. */
export function orderSteps(steps: readonly StepDifferences[]): readonly StepDifferences[] {
  const unexplainedOf = ({ differences }: StepDifferences) => differences.filter(isUnexplained).length
  return steps
    .filter(({ differences }) => differences.length > 0)
    .map((step) => ({
      ...step,
      differences: step.differences.toSorted((a, b) => rankOf(a) - rankOf(b)),
    }))
    .toSorted((a, b) => Number(unexplainedOf(b) > 0) - Number(unexplainedOf(a) > 0) || a.step - b.step)
}

/** What an answer has room for: all expectations, some of what is masked, and the first differences. Notes say what is left out. */
export function limitComparison({
  steps,
  masked,
  expect,
  unproven = [],
  notes,
  ...rest
}: Comparison): Comparison {
  const extras = {
    ...(unproven.length > 0 && { unproven: limitSentences(unproven) }),
    expect: expect.map((one) => ({ ...one, check: clip(one.check, CHECKS_LIMIT_CHARS / expect.length) })),
    masked: masked
      .slice(0, MASKED_LIMIT)
      .map((one) => ({ ...one, what: clip(one.what, MASKED_LIMIT_CHARS) })),
    notes: notes.slice(0, NOTE_LIMIT).map((note) => clip(note, NOTE_LIMIT_CHARS)),
  }
  const limited = limitDifferences(steps, ANSWER_TOKENS - estimateTokens(JSON.stringify(extras)))
  const leftOut = [
    [limited.omitted, 'more differences'],
    [masked.length - extras.masked.length, 'more masked'],
    [notes.length - extras.notes.length, 'more notes'],
  ] as const
  const counts = leftOut.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : []))
  return {
    ...rest,
    ...extras,
    base: clip(rest.base, SIDE_LIMIT_CHARS),
    current: clip(rest.current, SIDE_LIMIT_CHARS),
    steps: limited.steps,
    notes: [...extras.notes, ...(counts.length > 0 ? [`In the files: ${counts.join(', ')}.`] : [])],
  }
}

/** What has no place: the framework notes the elements that it makes, and a stack the messages. */
export const unplacedOf = (steps: readonly StepDifferences[]): readonly string[] =>
  steps.some(({ differences }) =>
    differences.some(
      ({ kind, file, inDiff }) => kind === 'tree' && inDiff === undefined && file === undefined,
    ),
  )
    ? [
        'Cause not known, no place: server code, a static page, or a script that notes no source. verify tells what ran.',
      ]
    : []

/** A difference as one line: `+ button "Pay" — src/cart.tsx:41`. */
export function describeDifference(difference: Difference): string {
  const { kind, change, text, box, elements } = difference
  const subject = [
    kind === 'tree' ? marks[change] : `${kind} ${change}:`,
    text,
    box && `${box[2]} × ${box[3]} pixels at ${box[0]},${box[1]}`,
    elements && elements.length > 0 && `in ${elements.join(', ')}`,
  ]
  const origin = [placeOf(difference), causeOf(difference)].filter(Boolean).join(', ')
  return `${subject.filter(Boolean).join(' ')}${origin && ` — ${origin}`}`
}

/** Such as `src/cart.tsx:41`; empty where no file is known. */
export const placeOf = ({ file = '', line }: Pick<Difference, 'file' | 'line'>): string =>
  line === undefined ? file : `${file}:${line}`

/** The text of a difference that has one or both of these. */
export function textOfChange(before: string | undefined, after: string | undefined): string {
  if (before === undefined || after === undefined) return before ?? after ?? ''
  const role = /^[a-z]+(?=[: ])/.exec(before)?.[0]
  const isShared = role !== undefined && after.startsWith(role) && /^[: ]/.test(after.slice(role.length))
  return `${before} → ${isShared ? after.slice(role.length).replace(/^:? /, '') : after}`
}

// --- internal ---

const marks = { added: '+', removed: '-', changed: '~' } as const

/** For all but the paths of the files and the message. */
const ANSWER_TOKENS = 1200
const SIDE_LIMIT_CHARS = 80
const TITLE_LIMIT_CHARS = 80
/** Of all of them. */
const CHECKS_LIMIT_CHARS = 800
const MASKED_LIMIT = 4
const MASKED_LIMIT_CHARS = 80
const NOTE_LIMIT = 3
const UNPROVEN_LIMIT = 5
const UNPROVEN_LIMIT_CHARS = 240
const NOTE_LIMIT_CHARS = 120
const DIFFERENCE_LIMIT_CHARS = 160
const ELEMENT_LIMIT = 2
/** So many differences of the first step come before those of the others. */
const LEAD = 4

const KIND_ORDER: readonly DifferenceKind[] = [
  'console',
  'request',
  'tree',
  'address',
  'title',
  'layout',
  'accessibility',
  'pixels',
]

const rankOf = (one: Difference): number =>
  (isUnexplained(one) ? 0 : one.inDiff === undefined ? 1 : 2) * 100 + KIND_ORDER.indexOf(one.kind)

// The last sentence is the way out.
function limitSentences(sentences: readonly string[]): readonly string[] {
  const omitted = sentences.length - UNPROVEN_LIMIT
  const rest =
    omitted > 0
      ? [...sentences.slice(0, UNPROVEN_LIMIT - 1), `${omitted} more in the files.`, ...sentences.slice(-1)]
      : sentences
  return rest.map((text) => clip(text, UNPROVEN_LIMIT_CHARS))
}

// Each step has its first difference before one has its second; the one that comes first leads with a few.
function limitDifferences(
  steps: readonly StepDifferences[],
  tokens: number,
): { readonly steps: readonly StepDifferences[]; readonly omitted: number } {
  const heads = steps.map(({ title, url, differences: _, ...step }) => ({
    ...step,
    title: clip(title, TITLE_LIMIT_CHARS),
    url: clip(url, TITLE_LIMIT_CHARS),
  }))
  const places = steps.flatMap(({ differences }, step) =>
    differences.map((difference, index) => ({ step, index, difference })),
  )
  const roundOf = ({ step, index }: (typeof places)[number]) => (step === 0 ? index - LEAD : index)
  const lists = steps.map((): Difference[] => [])
  let spent = 0
  for (const { step, index, difference } of places.toSorted((a, b) => roundOf(a) - roundOf(b))) {
    const short = shortenDifference(difference)
    const head = index === 0 ? [heads[step]] : []
    spent += estimateTokens(JSON.stringify([...head, short]))
    if (spent > tokens) break
    lists[step]?.push(short)
  }
  const limited = heads.map((head, index) => ({ ...head, differences: lists[index] ?? [] }))
  const count = lists.reduce((sum, { length }) => sum + length, 0)
  return {
    steps: limited.filter(({ differences }) => differences.length > 0),
    omitted: places.length - count,
  }
}

const shortenDifference = ({ text, elements, ...difference }: Difference): Difference => ({
  ...difference,
  ...(text !== undefined && { text: clip(text, DIFFERENCE_LIMIT_CHARS) }),
  elements: elements?.slice(0, ELEMENT_LIMIT).map((name) => clip(name, 60)),
})
