// The active page of one session, as tools use it. It outlives a renderer crash: the call under way learns of it, and the next one
// finds another tab or a new page in the same context. A call that meets a dialog returns at once.

import { click } from './click.ts'
import { screenshot } from './capture.ts'
import { content, dom } from './content.ts'
import { arriving } from './departures.ts'
import { createDialogs } from './dialogs.ts'
import { saveDownloads } from './downloads.ts'
import { emulate, unsupported } from './emulate.ts'
import { evaluate } from './evaluate.ts'
import { watchExchanges } from './exchanges.ts'
import { attempt, browserError, plain } from './failures.ts'
import { fill, select, submit, upload } from './fields.ts'
import { press } from './keys.ts'
import { look } from './look.ts'
import { history, navigate } from './navigate.ts'
import { observe } from './observe.ts'
import { drag, hover } from './pointer.ts'
import { isChromium } from './rescue.ts'
import { secretsOf } from './secretfields.ts'
import { soon } from './soon.ts'
import { tabsOf } from './tabbing.ts'
import { createTabs, openSurface, type Surface } from './tabs.ts'
import { count, treeOf } from './tree.ts'
import { startTrace, stopTrace } from './tracing.ts'
import { type } from './type.ts'
import { waitFor } from './wait.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { err, ok } from '../core/result.ts'
import type { OwnedPage, PageHooks, StorageState } from '../runtime/ports/browsers.ts'

// Milliseconds that an action's own requests, and then the page they lead to, are waited for.
const REQUESTS = 500
const ARRIVAL = 2000

/** `release` must free everything that was opened for the page, its browser too where it has its own. */
export function ownPage(first: Surface, hooks: PageHooks, release: () => Promise<void>): OwnedPage {
  const { context } = first
  const tell = (text: string) => hooks.observe({ kind: 'page', level: 'info', text })
  const tabs = createTabs(first, tell)
  const dialogs = createDialogs(context, tell)
  const exchanges = watchExchanges(context, hooks)
  observe(context, hooks.observe)
  saveDownloads(context, hooks)

  // `stand` is the answer of an action that was carried out and then cut short, by a dialog or because its tab closed.
  async function use<T>(
    work: (surface: Surface) => Promise<Outcome<T>>,
    stand?: () => T,
  ): Promise<Outcome<T>> {
    const open = dialogs.current()
    if (open) return err({ code: 'DIALOG_OPEN', ...open })
    exchanges.mark()
    const surface = tabs.active()
    const before = surface.broken()
    const met = before ? { done: err(before) } : await dialogs.during(work(surface), stand !== undefined)
    if (stand) await tabs.arrived()
    if ('dialog' in met) return stand ? ok(stand()) : err({ code: 'DIALOG_OPEN', ...met.dialog })
    const broken = surface.broken()
    if (met.done.ok || !broken) return met.done
    const moved = tabs.active() !== surface
    if (moved && stand && !before) return ok(stand())
    return err(
      moved ? ({ ...broken, tab: tabs.idOf(tabs.active()) } as Failure) : await replace(surface, broken),
    )
  }

  // The caller that meets a broken page is told once, and a new page is opened in its place.
  async function replace(surface: Surface, failure: Failure): Promise<Failure> {
    const opened = await attempt(openSurface(context), browserError)
    if (!opened.ok) return failure
    tabs.activate(tabs.of(opened.value.page))
    await surface.page.close().catch(() => {})
    return failure
  }

  const learn = async () => {
    if (hooks.taint && !dialogs.current()) hooks.taint(await secretsOf(tabs.active()))
  }
  const taint = (value: string) => hooks.taint?.([value])
  const nothing = () => ''
  const here = () => ({ title: '', url: tabs.active().page.url(), status: 0 })

  return {
    url: () => tabs.active().page.url(),
    title: () => use(({ page }) => attempt(page.title(), browserError)),
    navigate: (url, waitUntil, call) => use((surface) => navigate(surface, url, waitUntil, call), here),
    history: (direction, call) => use((surface) => history(surface, direction, call), here),

    click: (target, options, call) => use((surface) => click(surface, target, options, call), nothing),
    type: (target, text, options, call) =>
      use((surface) => {
        const typing = () => type(surface, target, text, options, call, taint)
        return options.submit ? arriving(surface, typing) : typing()
      }, nothing),
    fill: (target, value, call) =>
      use(
        (surface) => fill(surface, target, value, call, taint),
        () => {},
      ),
    submit: (target, call) =>
      use(
        (surface) => arriving(surface, () => submit(surface.page, target, call)),
        () => {},
      ),
    select: (target, values, call) =>
      use(
        ({ page }) => select(page, target, values, call),
        () => values,
      ),
    hover: (target, call) =>
      use(
        (surface) => hover(surface, target, call),
        () => {},
      ),
    drag: (from, to, call) =>
      use(
        ({ page }) => drag(page, from, to, call),
        () => {},
      ),
    press: (key, target, call) =>
      use(
        (surface) => arriving(surface, () => press(surface.page, key, target, call)),
        () => {},
      ),
    upload: (target, paths, call) =>
      use(
        ({ page }) => upload(page, target, paths, call),
        () => {},
      ),

    count: (target) => use(({ page }) => count(page, target)),
    waitFor: (condition, call) => use(({ page }) => waitFor(page, condition, call)),
    learn,
    async settle() {
      if (dialogs.current()) return
      const { page } = tabs.active()
      // Firefox may tell of a request after it has told that the action is done which set it off.
      if (!isChromium(page)) await soon(REQUESTS, page.evaluate('0'))
      if (!(await exchanges.settled(REQUESTS))) return
      await page.waitForLoadState('domcontentloaded', { timeout: ARRIVAL }).catch(() => {})
    },
    tree: (options, call) => use(({ page }) => treeOf(page, options, call)),
    content: (options) => use(({ page }) => content(page, options)),
    dom: (options) => use(({ page }) => dom(page, options)),
    screenshot: (options, call) => use(({ page }) => screenshot(page, options, call)),
    evaluate: (script, arg, target, call) =>
      use(
        (surface) => evaluate(surface, script, arg, target, call),
        () => ({
          result: null,
          notes: ['the script was stopped by a dialog or by the end of its tab; its result is lost'],
        }),
      ),
    exchange: exchanges.read,
    pdf: () =>
      use(async ({ page }) =>
        isChromium(page)
          ? attempt(page.pdf({ printBackground: true }), (error) => unprinted(error))
          : err(unsupported('firefox', 'print to PDF')),
      ),

    dialog: dialogs.current,
    answerDialog: dialogs.answer,
    ...tabsOf(context, tabs),

    emulate: (settings) => use(({ page }) => emulate(page, settings)),
    state: () => use(async () => attempt(context.storageState() as Promise<StorageState>, browserError)),
    restore: (state) =>
      use(async () =>
        attempt(
          context.setStorageState(state as Parameters<typeof context.setStorageState>[0]),
          browserError,
        ),
      ),
    startTrace: () => startTrace(context),
    stopTrace: (path, then) => stopTrace(context, path, then),

    rescue: () => tabs.active().rescue.run(),
    async look(wanted, ms) {
      const open = dialogs.current()
      if (open) return { missing: { screenshot: `a ${open.type} dialog is open` } }
      const { page, rescue } = tabs.active()
      if (wanted.picture) await learn()
      return look(page, await rescue.channel, wanted, ms)
    },
    async release() {
      tabs.end()
      await release()
    },
  }
}

const unprinted = (error: Error): Failure =>
  /headed|headless/i.test(plain(error))
    ? unsupported('a browser with windows', 'print to PDF')
    : browserError(error)
