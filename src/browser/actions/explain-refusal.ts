// Why an element that exists could not be used: one check in the page finds the obstacle; where that has gone meanwhile, Playwright's log
// has what it last waited for.

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

const FAILURE_CODES = { click: 'ELEMENT_NOT_CLICKABLE', type: 'ELEMENT_NOT_EDITABLE' } as const

/** The failure behind a rejected action. `doing` names it, as in "the click". */
export async function explainRefusal(
  element: ResolvedTarget,
  error: Error,
  action: 'click' | 'type',
  doing: string,
): Promise<Failure> {
  const { target, call } = element
  if (!isTimeout(error)) return targetFailure(error, target)
  const miss = await explainTimeout(element)
  if (miss.code === 'ELEMENT_NOT_FOUND') return miss
  const state = await readActionability(element, { action, timeoutMs: 0 }, EXPLAIN_TIMEOUT_MS).catch(
    (): Actionability => ({}),
  )
  const { obstacle: reason, by } = state.obstacle ? state : obstacleFromLog(stripColors(error.message))
  const waited = call.timeout
  if (!reason)
    return { code: 'TIMEOUT', waitedFor: `${doing} on ${describeTarget(target)} to be done`, waited }
  return { code: FAILURE_CODES[action], target: describeTarget(target), reason, waited, ...(by && { by }) }
}

function obstacleFromLog(log: string): Actionability {
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
