// The elements that an ambiguous selector matches, by their refs, so that the next call can name the right one.

import type { Page } from 'playwright'
import { takeCandidateTree } from './aria-snapshot.ts'
import type { AriaInjected } from '../in-page/observe/aria-injected.ts'
import type { ElementMatches } from '../in-page/actions/element-arguments.ts'
import { evaluateInternally } from '../playwright/internals.ts'
import { parseSelector } from '../playwright/locator.ts'
import { sessionRefOf } from '../playwright/session-refs.ts'
import { settleWithin } from '../../runtime/system/settle-within.ts'
import type { SecretHooks } from '../../runtime/ports/browsers.ts'
import type { Failure } from '../../core/failure.ts'
import { redactTree } from '../../core/redaction/tree-redaction.ts'
import { labelControls, placePhrase } from '../../core/snapshot/block-labels.ts'
import { linesOf, type AriaNode, type AriaTree } from '../../core/snapshot/snapshot-lines.ts'
import { clip, normalizeSpace } from '../../core/text/clip.ts'
import { showPageText } from '../../core/text/invisible-characters.ts'

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

// --- internal ---

interface Match {
  readonly title: string
  /** The ref of the element with its place, or the element around it that has one. */
  readonly place: string
}

/** A matching element by its ref; a part of another element has none of its own. */
interface FoundRef {
  readonly ref: string | undefined
  readonly isExact: boolean
  readonly text: string
}

async function describeMatches(
  page: Page,
  selector: string,
  secrets: SecretHooks | undefined,
): Promise<string | undefined> {
  const parsed = await parseSelector(selector)
  if (!parsed.ok) return undefined
  const read = await takeCandidateTree(page)
  const tree = secrets ? redactTree(read, secrets.redactText, new Set()) : read
  const answer = await evaluateInternally(page.locator(parsed.value), readRefs, MATCH_LIMIT)
  if (!answer) return undefined
  const { found, count } = answer.result
  const describe = createDescriber(tree)
  const matches = found.flatMap(({ ref, ...rest }) =>
    ref === undefined ? [] : describe({ ...rest, ref: sessionRefOf(page, ref) }),
  )
  if (matches.length === 0) return undefined
  const texts = matches.map(({ title, place }, index) =>
    index > 0 && matches[index - 1]?.title === title ? place : `${title} ${place}`,
  )
  const others = count - matches.length
  return [`${count} match: ${texts.join(', ')}`, ...(others > 0 ? [`${others} more`] : [])].join(', ')
}

function createDescriber(tree: AriaTree): (found: FoundRef) => readonly Match[] {
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

function readRefs(
  { elements, injected }: ElementMatches,
  limit: number,
): { readonly found: readonly FoundRef[]; readonly count: number } {
  const refs = (injected as unknown as AriaInjected).footlight?.refs
  const found = elements.slice(0, limit).map((element) => {
    let owner: Element | null = element
    while (owner && !refs?.has(owner)) owner = owner.parentElement
    const ref = owner ? refs?.get(owner)?.ref : undefined
    return { ref, isExact: owner === element, text: (element.textContent ?? '').slice(0, 200) }
  })
  return { found, count: elements.length }
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
