// Why an element that is there could not be used: one look into the page says it, and where the obstacle has gone meanwhile,
// Playwright's log still has what it last waited for.

import { isTimeout, stripColors } from '../playwright/errors.ts'
import type { Actionability } from '../in-page/actions/actionability.ts'
import {
  readActionability,
  EXPLAIN_TIMEOUT_MS,
  explainTimeout,
  describeTarget,
  targetFailure,
  type ResolvedTarget,
} from '../playwright/locator.ts'
import { clip } from '../../core/text/clip.ts'
import type { Failure } from '../../core/failure.ts'

const codes = { click: 'ELEMENT_NOT_CLICKABLE', type: 'ELEMENT_NOT_EDITABLE' } as const

/** The failure behind a rejected action. `doing` names it, as in "the click". */
export async function explainRefusal(
  element: ResolvedTarget,
  error: Error,
  want: 'click' | 'type',
  doing: string,
): Promise<Failure> {
  const { target, call } = element
  if (!isTimeout(error)) return targetFailure(error, target)
  const missed = await explainTimeout(element)
  if (missed.code === 'ELEMENT_NOT_FOUND') return missed
  const actionability = await readActionability(element, { want, budget: 0 }, EXPLAIN_TIMEOUT_MS).catch(
    (): Actionability => ({}),
  )
  const { obstacle: reason, by } = actionability.obstacle
    ? actionability
    : verdictOf(stripColors(error.message))
  const waited = call.timeout
  if (!reason)
    return { code: 'TIMEOUT', waitedFor: `${doing} on ${describeTarget(target)} to complete`, waited }
  return { code: codes[want], target: describeTarget(target), reason, waited, ...(by && { by }) }
}

function verdictOf(log: string): Actionability {
  const last =
    log
      .split('\n')
      .findLast((line) => /element is not|intercepts pointer|outside of the viewport/.test(line)) ?? ''
  const [from, to] = [last.indexOf('- <'), last.lastIndexOf(' intercepts pointer events')]
  if (from >= 0 && from < to) return { obstacle: 'covered', by: clip(last.slice(from + 2, to), 120) }
  if (/not visible/.test(last)) return { obstacle: 'hidden' }
  if (/not enabled/.test(last)) return { obstacle: 'disabled' }
  if (/not editable/.test(last)) return { obstacle: 'read_only' }
  if (/viewport/.test(last)) return { obstacle: 'outside' }
  return /not stable/.test(last) ? { obstacle: 'moving' } : {}
}
