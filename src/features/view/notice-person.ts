// Notices what a person does in the tabs of a session. Dialogs are not among it, because they are answered by the session.

import type { BrowserContext, Frame, Page } from 'playwright'
import { clock } from '../../core/base/system/timer.ts'
import type { PersonEvent } from '../../core/sessions/types/person.ts'
import { createEventQueue, toActionEvent } from '../lib/recording/event-queue.ts'
import { noticeActions } from '../lib/recording/notice-actions.ts'

export interface PersonWatch {
  /** Resolves when what was noticed has been passed on. */
  idle(): Promise<void>
  stop(): Promise<void>
}

interface SessionTabs {
  readonly pages: readonly Page[]
  idOf(page: Page): string
}

/** Calls back for each event, from now on, in order. */
export async function noticePerson(
  context: BrowserContext,
  { pages, idOf }: SessionTabs,
  onEvent: (event: PersonEvent) => void,
): Promise<PersonWatch> {
  const queue = createEventQueue(onEvent)
  const stopActions = await noticeActions(context, pages, ({ page, url, report, toAction }) => {
    if (report.kind === 'settle') queue.add(async () => ({ kind: 'settle' }))
    else queue.add(toActionEvent(idOf(page), url, toAction))
  })
  const onNavigated = (frame: Frame) => {
    const page = frame.page()
    const [at, url] = [clock(), frame.url()]
    if (frame === page.mainFrame()) queue.add(async () => ({ kind: 'moved', tab: idOf(page), url, at }))
  }
  const onOpened = (page: Page) => {
    const at = clock()
    page.on('framenavigated', onNavigated)
    queue.add(async () => {
      const opener = await page.opener()
      return { kind: 'opened', tab: idOf(page), url: page.url(), at, ...(opener && { opener: idOf(opener) }) }
    })
  }
  for (const page of pages) page.on('framenavigated', onNavigated)
  context.on('page', onOpened)
  return {
    idle: queue.idle,
    async stop() {
      context.off('page', onOpened)
      for (const page of context.pages()) page.off('framenavigated', onNavigated)
      await stopActions()
    },
  }
}
