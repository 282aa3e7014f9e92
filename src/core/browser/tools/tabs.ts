import { answer } from '../../tool/define-tool.ts'
import * as v from 'valibot'
import { invalidParameter, type Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import { definePageTool } from '../../sessions/tools/define-session-tool.ts'
import type { Page } from '../../sessions/types/page.ts'
import { joinParts, showEntries } from '../../tool/field-texts.ts'
import { anyText, text, URL_LIMIT_CHARS } from '../../tool/fields.ts'

export const handleDialog = definePageTool({
  name: 'handle_dialog',
  title: 'Handle dialog',
  description: 'Answer the open alert, confirm, prompt or beforeunload dialog.',
  effect: 'acts',
  changesPage: true,
  input: { accept: v.boolean(), promptText: v.optional(anyText(100_000)) },
  output: { success: v.boolean(), message: v.string() },
  run: async ({ accept, promptText }, page, deadline) =>
    answer(await page.perform({ kind: 'dialog', accept, promptText }, deadline), ({ type }) => ({
      success: true,
      message: `${accept ? 'Accepted' : 'Dismissed'} the ${type}.`,
    })),
})

const tabSchema = v.object({ id: v.string(), url: v.string(), title: v.string(), active: v.boolean() })

type Tab = v.InferOutput<typeof tabSchema>

export const tabs = definePageTool({
  name: 'tabs',
  title: 'Tabs',
  description: 'List tabs, or open (url), select or close (tabId) one. Other tools use the active tab.',
  effect: 'acts',
  timeoutKind: 'navigation',
  input: {
    action: v.optional(v.picklist(['list', 'new', 'select', 'close'])),
    tabId: v.optional(text(50)),
    url: v.optional(v.pipe(text(URL_LIMIT_CHARS), v.minLength(1))),
  },
  output: {
    tabs: v.array(tabSchema),
  },
  opensUrl: ({ action, url }) => (action === 'new' ? url : undefined),
  texts: {
    tabs: showEntries(({ id, url, title, active }: Tab) => [joinParts(id, url, active && '(active)', title)]),
  },
  async run({ action = 'list', tabId, url }, page, deadline) {
    const result = await performTabAction(action, tabId, url, page, deadline)
    if (!result.ok) return result
    return answer(await page.tabs(), (list) => ({ tabs: [...list] }))
  },
})

async function performTabAction(
  action: 'list' | 'new' | 'select' | 'close',
  tabId: string | undefined,
  url: string | undefined,
  page: Page,
  deadline: Deadline,
): Promise<Outcome<unknown>> {
  if (action === 'list') return ok(undefined)
  if (action === 'close') return page.perform({ kind: 'closeTab', id: tabId }, deadline)
  if (action === 'select') {
    if (tabId !== undefined) return page.selectTab(tabId)
    return err(invalidParameter('tabId', 'the id of a tab', 'nothing'))
  }
  const newTab = await page.perform({ kind: 'openTab' }, deadline)
  if (!newTab.ok || url === undefined) return newTab
  const navigation = await page.perform({ kind: 'navigate', url }, deadline)
  // A call that fails leaves nothing behind.
  if (!navigation.ok) await page.perform({ kind: 'closeTab', id: undefined }, deadline)
  return navigation
}
