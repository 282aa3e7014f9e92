// A window in which a person does what a test is to do. What they do is noticed there, in order.

import type { Browser, BrowserContext, CDPSession, Page } from 'playwright'
import type { ElementCheck } from '../../core/base/action.ts'
import type { StorageState } from '../../core/base/storage.ts'
import { createDeadline } from '../../core/base/system/race-deadline.ts'
import { createDeferred } from '../../core/base/system/settle-within.ts'
import { clock } from '../../core/base/system/timer.ts'
import { hasServerMarks } from '../../core/browser/in-page/generated.ts'
import { internalsOf } from '../../core/browser/playwright/internals.ts'
import type { LaunchRequest } from '../../core/browser/process/launch-options.ts'
import { openPrivateContext } from '../../core/browser/process/open-context.ts'
import { featureParts } from '../../core/cli/tools/catalogue.ts'
import type { PersonEvent } from '../../core/sessions/types/person.ts'
import type { RecordedAction, RecordedCheck } from '../../core/sessions/types/recorded-step.ts'
import { createEventQueue, type EventQueue, toActionEvent } from '../lib/recording/event-queue.ts'
import { noticeActions, type StoreFiles } from '../lib/recording/notice-actions.ts'
import { describeElement, describeSelector } from '../lib/recording/recorded-element.ts'
import { openHeaded } from './login-window.ts'

interface RecordingOptions {
  /** Cookies and storage that it begins with. */
  readonly state: StorageState | undefined
  readonly ignoreHTTPSErrors: boolean
  readonly testIdAttribute: string
  readonly storeFiles: StoreFiles
  onEvent(event: PersonEvent): void
}

/** Opens the window at `url`. A page that does not load is left to the person. */
export const openRecordingWindow = (
  request: Omit<LaunchRequest, 'headless'>,
  url: string,
  options: RecordingOptions,
) => openHeaded(request, (browser) => openWindow(browser, url, options))

async function openWindow(browser: Browser, url: string, options: RecordingOptions) {
  const { state, ignoreHTTPSErrors, storeFiles, testIdAttribute } = options
  const { selectors } = await import('playwright')
  selectors.setTestIdAttribute(testIdAttribute)
  const settings = { ignoreHTTPSErrors, viewport: VIEWPORT }
  const context = await openPrivateContext(browser, settings, { storageState: state }, featureParts)
  const closing = createDeferred()
  browser.once('disconnected', () => closing.resolve())
  const queue = createEventQueue(options.onEvent)
  const nameTab = createTabNames()
  const wasPaused = await showRecorderToolbar(context, (page, toAction) =>
    queue.add(toActionEvent(nameTab(page), page.url(), toAction)),
  )
  await noticeActions(context, [], storeFiles, ({ page, url: pageUrl, at, report, toAction }) => {
    if (report.kind === 'settle') return queue.add(async () => ({ kind: 'settle' }))
    if (!wasPaused(at)) queue.add(toActionEvent(nameTab(page), pageUrl, toAction))
  })
  // With a listener Playwright does not answer dialogs: the person does.
  context.on('dialog', () => {})
  let readiness: Promise<void> | undefined
  context.on('page', (page) => {
    const noticing = noticePage(page, context, queue, nameTab, closing.resolve)
    readiness ??= noticing
  })
  const page = await context.newPage()
  await readiness
  queue.add(toActionEvent('t1', page.url(), async () => ({ kind: 'navigate', url })))
  void page.goto(url, { waitUntil: 'commit' }).catch(() => {})
  return {
    /** Resolves when the person has closed the last window or the browser. */
    closed: closing.promise,
    /** Closes the window after what was noticed last has been passed on. */
    async end(): Promise<void> {
      await queue.idle()
      await browser.close().catch(() => {})
    },
  }
}

// The viewport of Playwright's tests.
const VIEWPORT = { width: 1280, height: 720 }

/** The names of tabs, in the order in which they were opened. */
type NameTab = (page: Page) => string

function createTabNames(): NameTab {
  const names = new Map<Page, string>()
  return (page) => {
    const name = names.get(page) ?? `t${names.size + 1}`
    names.set(page, name)
    return name
  }
}

async function noticePage(
  page: Page,
  context: BrowserContext,
  queue: EventQueue,
  nameTab: NameTab,
  onLastClose: () => void,
): Promise<void> {
  const tab = nameTab(page)
  const openedAt = clock()
  const opener = page.opener().then((other) => (other ? { opener: nameTab(other) } : {}))
  if (tab !== 't1')
    queue.add(async () => ({ kind: 'opened', tab, url: page.url(), at: openedAt, ...(await opener) }))
  page.once('close', () => {
    const at = clock()
    if (context.pages().length === 0) return onLastClose()
    queue.add(async () => ({ kind: 'closed', tab, url: page.url(), at, ...(await opener) }))
  })
  const addMove = (url: string, isUnexplained = false) => {
    const at = clock()
    queue.add(async () => ({ kind: 'moved', tab, url, at, isUnexplained }))
  }
  const cdp = await context.newCDPSession(page).catch(() => undefined)
  if (!cdp)
    return void page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) addMove(frame.url(), true)
    })
  page.on('domcontentloaded', () => {
    const isRendered = page.evaluate(hasServerMarks)
    queue.add(async () => ((await isRendered) ? { kind: 'hydrated', tab } : undefined))
  })
  let lastUrl = page.url()
  await noticeNavigations(cdp, (read, url) => {
    queue.add(toActionEvent(tab, lastUrl, read))
    if (url === undefined) return
    lastUrl = url
    addMove(url)
  }).catch(() => {})
}

// Notices what a person does with the address bar, the buttons beside it, and with dialogs. What the page does has left its mark in the
// history: an address that was typed has another type of transition than a link.
/** `read` says what the person has done, if it was the person; `url` is where the page is then, if it has navigated. */
type OnNoticed = (read: () => Promise<RecordedAction | undefined>, url?: string) => void

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

const DESCRIPTION_TIMEOUT_MS = 1000

/** Shows the toolbar of Playwright's recorder in all pages of the context, and calls back with each check that the person marks there. The
 * returned function tells whether the recording was paused at that time of the system, or an element for a check was being chosen. */
async function showRecorderToolbar(
  context: BrowserContext,
  onCheck: (page: Page, toAction: () => Promise<RecordedAction>) => void,
): Promise<(at: number) => boolean> {
  const { _startRecording: start } = context as unknown as RecordingContext
  await start.call(
    context,
    { language: 'playwright-test' },
    {
      actionAdded(page, action) {
        if (action.name.startsWith('assert') && action.selector !== undefined)
          onCheck(page, async () => ({ kind: 'check', check: await toCheck(page, action) }))
      },
    },
  )
  const modes: { readonly mode: string; readonly since: number }[] = [{ mode: 'recording', since: 0 }]
  const recorder = await findRecorder(context)
  recorder?.on('modeChanged', (mode) => modes.push({ mode, since: Date.now() }))
  // Of the same millisecond the action is the earlier one: a choice in the toolbar takes a message to arrive.
  return (at) => modes.findLast(({ since }) => since < at)?.mode !== 'recording'
}

/** What Playwright's recorder says of a check. */
interface Assertion {
  readonly name: string
  readonly selector?: string
  readonly text?: string
  readonly value?: string
  readonly checked?: boolean
  readonly ariaSnapshot?: string
}

interface RecordingContext {
  _startRecording(
    options: { readonly language: string },
    sink: { actionAdded(page: Page, action: Assertion): void },
  ): Promise<void>
}

interface ServerRecorder {
  on(event: 'modeChanged', listener: (mode: string) => void): void
}

async function findRecorder(context: BrowserContext): Promise<ServerRecorder | undefined> {
  const server = internalsOf<Record<symbol, Promise<ServerRecorder> | undefined>>(context) ?? {}
  const key = Object.getOwnPropertySymbols(server).find(({ description }) => description === 'recorderSymbol')
  return key && server[key]
}

async function toCheck(page: Page, assertion: Assertion): Promise<RecordedCheck> {
  const { selector = '', ariaSnapshot } = assertion
  const deadline = createDeadline(DESCRIPTION_TIMEOUT_MS, new AbortController().signal, clock)
  const described = await describeElement(page, { selector }, deadline, 'text-check')
  const known = await describeSelector(page, selector)
  const element = described ? { ...described, locators: known.locators } : known
  if (ariaSnapshot !== undefined) return { element, checks: [], aria: ariaSnapshot, not: false }
  return { element, checks: [toElementCheck(assertion)], not: false }
}

function toElementCheck({ name, text, value, checked }: Assertion): ElementCheck {
  if (name === 'assertText') return { kind: 'text', text: text ?? '' }
  if (name === 'assertValue') return { kind: 'value', value: value ?? '' }
  if (name === 'assertChecked') return { kind: 'state', state: checked ? 'checked' : 'unchecked' }
  return { kind: 'state', state: 'visible' }
}

/** The history of a tab, as Chromium has it. */
interface History {
  readonly currentIndex: number
  readonly entries: readonly {
    readonly id: number
    readonly url: string
    readonly userTypedURL: string
    readonly transitionType: string
  }[]
}

const COMMIT_TIMEOUT_MS = 5000

/** Reads the history once `isCurrent` holds, and after 5 s as it is. A page reports its navigation before the process of the browser has
 * taken notice: until then the history is refused, or it is the one before. Rejects if the page is gone. */
async function readHistory(
  cdp: CDPSession,
  isCurrent: (history: History) => boolean = () => true,
): Promise<History> {
  const end = clock() + COMMIT_TIMEOUT_MS
  for (;;) {
    const history: History | undefined = await cdp.send('Page.getNavigationHistory').catch((error: Error) => {
      if (clock() < end && error.message.includes('Not attached to an active page')) return undefined
      throw error
    })
    if (history && (isCurrent(history) || clock() > end)) return history
  }
}
