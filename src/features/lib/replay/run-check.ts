import type { WaitCondition } from '../../../core/base/action.ts'
import type { Outcome } from '../../../core/base/failure.ts'
import { ok } from '../../../core/base/result.ts'
import type { Deadline } from '../../../core/base/system/deadline.ts'
import type { Page } from '../../../core/sessions/types/page.ts'
import type { RecordedCheck } from '../../../core/sessions/types/recorded-step.ts'
import { parseExpectedLines } from '../../../core/snapshot/find-lines.ts'
import { compileUrlMatcher } from '../../../core/tool/pattern.ts'

/** Waits until a check holds. */
export async function runCheck(
  check: RecordedCheck,
  replay: Pick<Replay, 'page' | 'deadline'>,
): Promise<Outcome<void>> {
  for (const part of itemChecksOf(check)) {
    const outcome = await runSingleCheck(part, replay)
    if (!outcome.ok) return outcome
  }
  return check.order ? ok(undefined) : runSingleCheck(check, replay)
}

/** The order of items as checks of each of them. */
const itemChecksOf = ({ element, order }: RecordedCheck): readonly RecordedCheck[] =>
  (order?.texts ?? []).flatMap((text, index) => {
    const [locator] = element?.locators ?? []
    if (!element || !locator) return []
    const selector = `${locator.selector} >> nth=${index + (order?.start ?? 0)}`
    const item = { ...element, locators: [{ selector, code: locator.code }] }
    return [{ element: item, checks: [{ kind: 'text', text }], not: false }]
  })

async function runSingleCheck(
  check: RecordedCheck,
  { page, deadline }: Pick<Replay, 'page' | 'deadline'>,
): Promise<Outcome<void>> {
  const { element, checks, aria, not, text, textGone, url } = check
  const matches = url === undefined ? ok(undefined) : await compileUrlMatcher(url)
  if (!matches.ok) return matches
  const selector = element?.locators[0]?.selector
  const elementCondition = {
    ...(selector !== undefined && { target: { selector } }),
    checks,
    ...(aria !== undefined && { aria: parseExpectedLines(aria) }),
    not,
  }
  const condition: WaitCondition = {
    ...(text !== undefined && { text }),
    ...(textGone !== undefined && { textGone }),
    ...(matches.value && url !== undefined && { url: { text: url, matches: matches.value } }),
    ...((selector !== undefined || aria !== undefined) && { element: elementCondition }),
  }
  return page.perform({ kind: 'check', condition }, deadline)
}

/** The deadline, or `timeout` milliseconds from now if that is earlier. */
export function limitDeadline(deadline: Deadline, timeout: number): Deadline {
  const start = deadline.remaining()
  const limit = Math.min(timeout, start)
  return {
    timeout: limit,
    signal: deadline.signal,
    remaining: () => Math.max(1, limit - (start - deadline.remaining())),
  }
}

/** The page of a replay; `tabs` has its tab of each tab of the recording. */
export interface Replay {
  readonly page: Page
  readonly deadline: Deadline
  readonly tabs: ReadonlyMap<string, string>
}
