// What the page shows of the cause of a failure: the elements that an ambiguous selector matches, by their refs, so that the next call can
// name the right one, and the text that is nearest to one that was waited for.

import type { AriaNode, AriaTree } from '../../sessions/types/snapshot.ts'
import type { Page } from 'playwright'
import { takeCandidateTree } from './aria-snapshot.ts'
import { readMatchingRefs } from '../in-page/generated.ts'
import type { MatchingRef } from '../in-page/snapshot/matching-refs.ts'
import { evaluateInternally } from '../playwright/internals.ts'
import { parseSelector } from '../playwright/locator.ts'
import { sessionRefOf } from '../playwright/session-refs.ts'
import { settleWithin } from '../../base/system/settle-within.ts'
import type { SecretHooks } from '../../sessions/types/browsers.ts'
import type { Failure } from '../../base/failure.ts'
import { redactTree } from '../../snapshot/tree-redaction.ts'
import { labelControls, placePhrase } from '../../snapshot/block-labels.ts'
import { linesOf } from '../../snapshot/snapshot-lines.ts'
import { findNearestText, textsOf } from '../../snapshot/nearest-text.ts'
import { clip, normalizeSpace } from '../../base/text/clip.ts'
import { showPageText } from '../../base/text/invisible-characters.ts'

const READ_TIMEOUT_MS = 1000
const MATCH_LIMIT = 8
const NAME_LIMIT_CHARS = 60

/** The failure of an ambiguous selector with what it matches; another one, or where the page does not answer, as it is. */
export async function nameMatches(
  page: Page,
  failure: Failure,
  secrets: SecretHooks | undefined,
): Promise<Failure> {
  if (failure.code !== 'INVALID_PARAMETERS' || failure.ambiguous === undefined) return failure
  const { ambiguous, ...rest } = failure
  const names = await settleWithin(READ_TIMEOUT_MS, describeMatches(page, ambiguous, secrets))
  return typeof names === 'string' ? { ...rest, hint: `${names}. Pass one of these refs.` } : rest
}

/** The failure of a wait for a text with the text of the page that is nearest to it. */
export async function nameNearestText(page: Page, text: string, failure: Failure): Promise<Failure> {
  if (failure.code !== 'TIMEOUT' || failure.observed) return failure
  const tree = await settleWithin(READ_TIMEOUT_MS, takeCandidateTree(page))
  const nearest = !tree || tree instanceof Error ? undefined : findNearestText(text, textsOf(tree))
  return nearest === undefined
    ? failure
    : { ...failure, observed: [`the nearest text is ${showPageText(nearest, 'quoted')}`] }
}

// --- internal ---

interface Match {
  readonly title: string
  /** The ref of the element with its place, or the element around it that has one. */
  readonly place: string
}

async function describeMatches(
  page: Page,
  selector: string,
  secrets: SecretHooks | undefined,
): Promise<string | undefined> {
  const selectorResult = await parseSelector(selector)
  if (!selectorResult.ok) return undefined
  const read = await takeCandidateTree(page)
  const tree = secrets ? redactTree(read, secrets.redactText, new Set()) : read
  const answer = await evaluateInternally(page.locator(selectorResult.value), readMatchingRefs, MATCH_LIMIT)
  if (!answer) return undefined
  const { refs, count } = answer.result
  const describe = createDescriber(tree)
  const matches = refs.flatMap(({ ref, ...rest }) =>
    ref === undefined ? [] : describe({ ...rest, ref: sessionRefOf(page, ref) }),
  )
  if (matches.length === 0) return undefined
  const texts = matches.map(({ title, place }, index) =>
    index > 0 && matches[index - 1]?.title === title ? place : `${title} ${place}`,
  )
  const others = count - matches.length
  return [`${count} match: ${texts.join(', ')}`, ...(others > 0 ? [`${others} more`] : [])].join(', ')
}

function createDescriber(tree: AriaTree): (match: MatchingRef) => readonly Match[] {
  const nodes = new Map(nodesOf(tree).map((node) => [node.ref, node]))
  const lines = linesOf(tree)
  const labels = labelControls(lines)
  return ({ ref, isExact, text }) => {
    const node = nodes.get(ref)
    if (!node) return []
    if (!isExact) return [{ title: quote(text), place: `in ${titleOf(node)} [${ref}]` }]
    const label = labels.get(lines.find((line) => line.ref === ref)?.key ?? '')
    return [
      { title: titleOf(node), place: `[${ref}]${label ? `${placePhrase(label)} ${quote(label.text)}` : ''}` },
    ]
  }
}

const nodesOf = (tree: AriaTree): readonly AriaNode[] =>
  tree.flatMap((node) => (typeof node === 'string' ? [] : [node, ...nodesOf(node.children ?? [])]))

const textOf = (node: AriaNode | string): string =>
  typeof node === 'string'
    ? node
    : node.name || node.text || (node.children ?? []).map(textOf).filter(Boolean).join(' ')

const quote = (text: string): string => showPageText(clip(normalizeSpace(text), NAME_LIMIT_CHARS), 'quoted')

function titleOf(node: AriaNode): string {
  const role = node.role === undefined || node.role === 'generic' ? 'text' : node.role
  const text = textOf(node)
  return text === '' ? role : `${role} ${quote(text)}`
}
