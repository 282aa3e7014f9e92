import type { Deadline } from '../ports/deadline.ts'
import type { Page } from '../ports/page/page.ts'
import type { ElementCondition, WaitCondition } from '../ports/page/wait-condition.ts'
import type { RecordedAction, RecordedElement } from '../../core/recording/recorded-step.ts'

/** A check as a record; undefined if it required nothing of the page. */
export async function recordCheck(
  page: Page,
  condition: WaitCondition,
  deadline: Deadline,
): Promise<RecordedAction | undefined> {
  const { element: elementCondition, text, textGone, url } = condition
  if (!elementCondition && [text, textGone, url].every((field) => field === undefined)) return undefined
  const element = elementCondition && (await describeChecked(page, elementCondition, deadline))
  const { checks = [], aria, not = false } = elementCondition ?? {}
  return {
    kind: 'check',
    check: {
      ...(element && { element }),
      checks,
      ...(aria && { aria: aria.map((line) => `${' '.repeat(line.depth)}${line.text}`).join('\n') }),
      not,
      ...(text !== undefined && { text }),
      ...(textGone !== undefined && { textGone }),
      ...(url && { url: url.text }),
    },
  }
}

// --- internal ---

// What counts elements, or checks what they contain, keeps the selector of the client: one that Playwright finds may depend on the very
// text that is checked.
async function describeChecked(
  page: Page,
  { target, checks, aria }: ElementCondition,
  deadline: Deadline,
): Promise<RecordedElement | undefined> {
  if (!target) return undefined
  const isContent = aria !== undefined || checks.some(({ kind }) => kind === 'text' || kind === 'count')
  if (!('selector' in target))
    return page.describeElement(target, deadline, isContent ? 'text-check' : 'action')
  if (isContent) return page.describeSelector(target.selector)
  return page.describeElement(target, deadline)
}
