// A window in which a person does what a test is to do. What they do is noticed there, in order.

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { noticeActions, type StoreFiles } from './notice-actions.ts'
import { noticeNavigations } from './notice-navigations.ts'
import { showRecorderToolbar } from './recorder-toolbar.ts'
import { hasServerMarks } from '../in-page/recording/server-rendered.ts'
import { openHeaded } from '../login/open-headed.ts'
import type { LaunchRequest } from '../launch/launch-options.ts'
import { createDeferred } from '../../runtime/calls/deferred.ts'
import { clock } from '../../runtime/clock.ts'
import type { Outcome } from '../../core/failure.ts'
import type { PersonEvent } from '../../core/recording/person-event.ts'
import type { RecordedAction } from '../../core/recording/recorded-step.ts'
import type { StorageState } from '../../runtime/ports/page/storage-state.ts'

export interface RecordingWindow {
  /** Resolves when the person has closed the last window or the browser. */
  readonly closed: Promise<void>
  /** Closes the window after what was noticed last has been passed on. */
  end(): Promise<void>
}

export interface RecordingOptions {
  /** Cookies and storage that it begins with. */
  readonly state: StorageState | undefined
  readonly ignoreHTTPSErrors: boolean
  readonly testIdAttribute: string
  readonly storeFiles: StoreFiles
  onEvent(event: PersonEvent): void
}

/** Opens the window at `url`. A page that does not load is left to the person. */
export function openRecordingWindow(
  request: Omit<LaunchRequest, 'headless'>,
  url: string,
  options: RecordingOptions,
): Promise<Outcome<RecordingWindow>> {
  return openHeaded(request, (browser) => openWindow(browser, url, options))
}

// --- internal ---

async function openWindow(
  browser: Browser,
  url: string,
  options: RecordingOptions,
): Promise<RecordingWindow> {
  const { state, ignoreHTTPSErrors, storeFiles, testIdAttribute } = options
  const { selectors } = await import('playwright')
  selectors.setTestIdAttribute(testIdAttribute)
  const context = await browser.newContext({
    ignoreHTTPSErrors,
    viewport: VIEWPORT,
    ...(state && { storageState: state as unknown as NonNullable<BrowserContextOptions['storageState']> }),
  })
  const closing = createDeferred()
  browser.once('disconnected', () => closing.resolve())
  const queue = createEventQueue(options.onEvent)
  const tabs = createTabNames()
  const toolbar = await showRecorderToolbar(context, (page, toAction) =>
    queue.add(toActionEvent(tabs.of(page), page.url(), toAction)),
  )
  await noticeActions(context, storeFiles, ({ page, url: pageUrl, at, report, toAction }) => {
    if (report.kind === 'settle') return queue.add(async () => ({ kind: 'settle' }))
    if (!toolbar.wasPaused(at)) queue.add(toActionEvent(tabs.of(page), pageUrl, toAction))
  })
  // With a listener Playwright does not answer dialogs: the person does.
  context.on('dialog', () => {})
  let readiness: Promise<void> | undefined
  context.on('page', (page) => {
    const noticing = noticePage(page, context, queue, tabs, closing.resolve)
    readiness ??= noticing
  })
  const page = await context.newPage()
  await readiness
  queue.add(toActionEvent('t1', page.url(), async () => ({ kind: 'navigate', url })))
  void page.goto(url, { waitUntil: 'commit' }).catch(() => {})
  return {
    closed: closing.promise,
    async end() {
      await queue.idle()
      await browser.close().catch(() => {})
    },
  }
}

// That of a test.
const VIEWPORT = { width: 1280, height: 720 }

type ReadEvent = () => Promise<PersonEvent | undefined>

interface EventQueue {
  /** Events are passed on in the order in which they were added. */
  add(read: ReadEvent): void
  idle(): Promise<void>
}

function createEventQueue(onEvent: (event: PersonEvent) => void): EventQueue {
  let last = Promise.resolve()
  return {
    add(read) {
      const event = read().catch(() => undefined)
      last = last.then(async () => {
        const value = await event
        if (value) onEvent(value)
      })
    },
    idle: () => last,
  }
}

interface TabNames {
  of(page: Page): string
}

function createTabNames(): TabNames {
  const names = new Map<Page, string>()
  return {
    of(page) {
      const name = names.get(page) ?? `t${names.size + 1}`
      names.set(page, name)
      return name
    },
  }
}

function toActionEvent(
  tab: string,
  url: string,
  toAction: () => Promise<RecordedAction | undefined>,
): ReadEvent {
  const at = clock()
  return async () => {
    const action = await toAction()
    return action && { kind: 'action', tab, url, at, action }
  }
}

async function noticePage(
  page: Page,
  context: BrowserContext,
  queue: EventQueue,
  tabs: TabNames,
  onLastClose: () => void,
): Promise<void> {
  const tab = tabs.of(page)
  const openedAt = clock()
  const opener = page.opener().then((other) => (other ? { opener: tabs.of(other) } : {}))
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
