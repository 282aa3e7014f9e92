// A browser has one clipboard for all of its sessions. So the last copy of each session is kept: it is what the scripts of its pages read,
// and what is in the clipboard before one of its pages pastes. A picture or HTML that a selection had is lost once another session copies.

import { randomUUID } from 'node:crypto'
import type { Browser, BrowserContext, Page } from 'playwright'
import { guardClipboard, reportCopies, waitForTask, writeClipboard } from '../in-page/generated.ts'
import type { ReadableClipboard, Copy } from '../in-page/actions/clipboard.ts'
import { settleWithin } from '../../base/system/settle-within.ts'

interface BrowserClipboard {
  /** The session whose copy the clipboard has; undefined until one has copied. */
  holder: BrowserContext | undefined
  /** Whether it was put there for the session. Firefox does not let scripts read what another page wrote. */
  isRestored: boolean
  readonly copies: WeakMap<BrowserContext, Copy>
  /** The last paste, which the next one waits for. */
  pasting: Promise<unknown>
}

const COPY_LIMIT_CHARS = 1_000_000
const PASTE_TIMEOUT_MS = 1000
const FLUSH_TIMEOUT_MS = 200
const NOTHING: Copy = { text: '', html: '' }

const clipboards = new WeakMap<Browser, BrowserClipboard>()
const separated = new WeakMap<BrowserContext, BrowserClipboard>()

/** Gives the pages of a new context a clipboard of their own. */
export async function separateClipboard(context: BrowserContext): Promise<void> {
  const browser = context.browser()
  if (!browser) return
  const clipboard = clipboards.get(browser) ?? createBrowserClipboard()
  clipboards.set(browser, clipboard)
  separated.set(context, clipboard)
  const name = `clipboard${randomUUID().replaceAll('-', '')}`
  await context.exposeBinding(name, (_, copy?: Copy) => syncCopy(clipboard, context, copy))
  await context.addInitScript(reportCopies, name)
  await context.addInitScript(guardClipboard, name)
}

/** Presses a key or a chord; one that pastes gets what the session of the page copied. */
export async function pressWithOwnClipboard(
  page: Page,
  chord: string,
  press: () => Promise<void>,
): Promise<void> {
  const context = page.context()
  const clipboard = separated.get(context)
  if (!clipboard) return press()
  if (isPasteChord(chord)) return paste(clipboard, context, press)
  await press()
  // The copy is recorded before another session can paste.
  if (isCopyChord(chord)) await settleWithin(FLUSH_TIMEOUT_MS, page.evaluate(waitForTask))
}

// --- internal ---

const createBrowserClipboard = (): BrowserClipboard => ({
  holder: undefined,
  isRestored: false,
  copies: new WeakMap(),
  pasting: Promise.resolve(),
})

const isPasteChord = (chord: string): boolean =>
  /\b(?:Control|Meta)(?:Left|Right|OrMeta)?\+(?:.*\+)?(?:v|KeyV)$/i.test(chord) ||
  /\bShift(?:Left|Right)?\+(?:.*\+)?Insert$/i.test(chord)

const isCopyChord = (chord: string): boolean => /\+(?:c|x|KeyC|KeyX|Insert|Delete)$/i.test(chord)

// A copy that is too long is not kept, rather than a part of it.
const boundedCopyOf = ({ text, html }: Copy): Copy =>
  text.length + html.length > COPY_LIMIT_CHARS ? NOTHING : { text, html }

function syncCopy(
  clipboard: BrowserClipboard,
  context: BrowserContext,
  copy: Copy | undefined,
): ReadableClipboard {
  if (copy) {
    clipboard.copies.set(context, boundedCopyOf(copy))
    clipboard.holder = context
    clipboard.isRestored = false
  }
  const isHolder = isHolderOf(clipboard, context) && !clipboard.isRestored
  return { ...(isHolder ? NOTHING : (clipboard.copies.get(context) ?? NOTHING)), isHolder }
}

const isHolderOf = ({ holder }: BrowserClipboard, context: BrowserContext): boolean =>
  holder === undefined || holder === context

// One paste at a time in each browser. A page that does not react to the key holds the others up for a moment only.
function paste(
  clipboard: BrowserClipboard,
  context: BrowserContext,
  press: () => Promise<void>,
): Promise<void> {
  const ready = clipboard.pasting.then(async () => {
    if (!isHolderOf(clipboard, context)) await restoreCopy(clipboard, context)
  })
  const pressing = ready.then(press)
  clipboard.pasting = ready.then(() => settleWithin(PASTE_TIMEOUT_MS, pressing)).catch(() => {})
  return pressing
}

// In a page of our own, so that no page of the session notices.
async function restoreCopy(clipboard: BrowserClipboard, context: BrowserContext): Promise<void> {
  const helper = await context.browser()?.newContext()
  if (!helper) return
  try {
    const page = await helper.newPage()
    const isWritten = await page.evaluate(writeClipboard, clipboard.copies.get(context) ?? NOTHING)
    if (!isWritten) throw new Error('The clipboard of the session could not be restored.')
    clipboard.holder = context
    clipboard.isRestored = true
  } finally {
    await helper.close().catch(() => {})
  }
}
