// Notices what a person does with the address bar, the buttons beside it, and with dialogs. What the page does has left its mark in the
// history: an address that was typed has another type of transition than a link.

import type { CDPSession } from 'playwright'
import type { RecordedAction } from '../../core/recording/recorded-step.ts'

/** `read` says what the person has done, if it was the person; `url` is where the page is then, if it has navigated. */
export type OnNoticed = (read: () => Promise<RecordedAction | undefined>, url?: string) => void

interface History {
  readonly currentIndex: number
  readonly entries: readonly {
    readonly id: number
    readonly url: string
    readonly userTypedURL: string
    readonly transitionType: string
  }[]
}

/** Calls back for each navigation of the page and each dialog that is closed. */
export async function noticeNavigations(cdp: CDPSession, onNoticed: OnNoticed): Promise<void> {
  await cdp.send('Page.enable')
  const readHistory = (): Promise<History> => cdp.send('Page.getNavigationHistory')
  const { frameTree } = await cdp.send('Page.getFrameTree')
  let history = await readHistory()
  let isByPage = false
  let dialogType = ''

  const notice = (isNewDocument: boolean, url: string) => {
    const wasByPage = isByPage
    if (isNewDocument) isByPage = false
    onNoticed(async () => {
      const before = history
      history = await readHistory()
      return judgeNavigation(before, history, isNewDocument, wasByPage)
    }, url)
  }
  cdp.on('Page.frameRequestedNavigation', ({ frameId }) => {
    if (frameId === frameTree.frame.id) isByPage = true
  })
  cdp.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId === undefined) notice(true, frame.url)
  })
  cdp.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
    if (frameId === frameTree.frame.id) notice(false, url)
  })
  cdp.on('Page.javascriptDialogOpening', ({ type }) => (dialogType = type))
  cdp.on('Page.javascriptDialogClosed', ({ result, userInput }) => {
    const type = dialogType
    if (type === 'beforeunload') return
    const promptText = type === 'prompt' && result ? { promptText: userInput } : {}
    onNoticed(async () => ({ kind: 'dialog', accept: result, ...promptText }))
  })
}

// --- internal ---

function judgeNavigation(
  before: History,
  { currentIndex, entries }: History,
  isNewDocument: boolean,
  isByPage: boolean,
): RecordedAction | undefined {
  const entry = entries[currentIndex]
  if (!entry) return undefined
  const index = before.entries.findIndex(({ id }) => id === entry.id)
  if (index !== -1 && index !== before.currentIndex)
    return { kind: 'history', direction: index < before.currentIndex ? 'back' : 'forward' }
  if (isByPage) return undefined
  if (index !== -1) return isNewDocument ? { kind: 'history', direction: 'reload' } : undefined
  if (!/^(typed|auto_bookmark|generated|keyword|keyword_generated)$/.test(entry.transitionType))
    return undefined
  return { kind: 'navigate', url: /^https?:/.test(entry.userTypedURL) ? entry.userTypedURL : entry.url }
}
