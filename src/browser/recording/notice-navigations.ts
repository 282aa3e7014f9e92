// Notices what a person does with the address bar, the buttons beside it, and with dialogs. What the page does has left its mark in the
// history: an address that was typed has another type of transition than a link.

import type { CDPSession } from 'playwright'
import { readHistory, type History } from './read-history.ts'
import type { RecordedAction } from '../../core/recording/recorded-step.ts'

/** `read` says what the person has done, if it was the person; `url` is where the page is then, if it has navigated. */
export type OnNoticed = (read: () => Promise<RecordedAction | undefined>, url?: string) => void

/** Calls back for each navigation of the page and each dialog that is closed. */
export async function noticeNavigations(cdp: CDPSession, onNoticed: OnNoticed): Promise<void> {
  await cdp.send('Page.enable')
  const { frameTree } = await cdp.send('Page.getFrameTree')
  let history = await readHistory(cdp)
  let lastReading: Promise<unknown> = Promise.resolve()
  let isByPage = false
  let dialogType = ''

  // `address` is that of the history: a document that stands for an error has another URL.
  const notice = (isNewDocument: boolean, url: string, address = url) => {
    const wasByPage = isByPage
    if (isNewDocument) isByPage = false
    // One after the other, so that each is compared with the history that the one before has left.
    const reading = lastReading.then(async () => {
      const before = history
      history = await readHistory(cdp, (next) => isAt(next, address) || hasMoved(before, next))
      return judgeNavigation(before, history, isNewDocument, wasByPage)
    })
    lastReading = reading.catch(() => {})
    onNoticed(() => reading, url)
  }
  cdp.on('Page.frameRequestedNavigation', ({ frameId }) => {
    if (frameId === frameTree.frame.id) isByPage = true
  })
  cdp.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId === undefined) notice(true, frame.url, frame.unreachableUrl)
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

const addressOf = (url = ''): string => url.replace(/#.*/s, '')

const isAt = ({ entries, currentIndex }: History, url: string): boolean =>
  addressOf(entries[currentIndex]?.url) === addressOf(url)

const hasMoved = (before: History, { entries, currentIndex }: History): boolean =>
  entries[currentIndex]?.id !== before.entries[before.currentIndex]?.id

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
