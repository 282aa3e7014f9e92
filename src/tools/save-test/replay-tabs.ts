// Which tab of a replay stands for which tab of the recording.

import type { Outcome } from '../../core/failure.ts'
import type { RecordedStep } from '../../core/recording/recorded-step.ts'
import { ok } from '../../core/result.ts'
import type { Page } from '../../runtime/ports/page/page.ts'

/** Selects the tab that a step acts on. A tab whose opening no step has noted is the newest one that no other step is on. */
export function selectTab(step: RecordedStep, page: Page, tabs: Map<string, string>): Outcome<void> {
  if (page.dialog()) return ok(undefined)
  const { active, all } = page.tabIds()
  const newest = all.findLast((id) => ![...tabs.values()].includes(id))
  const tab = tabs.get(step.tab) ?? newest ?? active
  tabs.set(step.tab, tab)
  return tab === active ? ok(undefined) : page.selectTab(tab)
}

/** Notes the tab that a step has opened, if the recorded one opened one too. */
export function noteOpenedTab(
  { openedTab }: RecordedStep,
  page: Page,
  tabsBefore: readonly string[],
  tabs: Map<string, string>,
): void {
  const id = page.tabIds().all.find((candidate) => !tabsBefore.includes(candidate))
  if (openedTab !== undefined && id !== undefined) tabs.set(openedTab, id)
}
