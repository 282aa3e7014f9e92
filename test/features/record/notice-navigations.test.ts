// What is noticed while the process of the browser lags behind the page. The DevTools session is a script here, because no browser can be
// made to lag at will.

import { expect, test } from 'bun:test'
import { EventEmitter } from 'node:events'
import type { CDPSession } from 'playwright'
import type { RecordedAction } from '../../../src/core/sessions/types/recorded-step.ts'
import { noticeNavigations } from '../../../src/features/record/recording-window.ts'

const historyOf = (...urls: readonly string[]) => ({
  currentIndex: urls.length - 1,
  entries: urls.map((url, id) => ({ id, url, userTypedURL: url, transitionType: 'typed' })),
})
const start = 'about:blank'
const shop = 'http://shop.test/'
const help = 'http://shop.test/help'
const refusal = new Error('Protocol error (Page.getNavigationHistory): Not attached to an active page')

/** A tab whose history is read as `answers`, one after the other; the last one holds on. */
async function watchTab(answers: readonly (ReturnType<typeof historyOf> | Error)[]) {
  const events = new EventEmitter()
  let [next, tries] = [0, 0]
  const send = async (method: string) => {
    if (method === 'Page.getFrameTree') return { frameTree: { frame: { id: 'main' } } }
    if (method !== 'Page.getNavigationHistory') return {}
    const answer = answers[Math.min(next, answers.length - 1)]
    next += 1
    tries += 1
    if (answer instanceof Error) throw answer
    return answer
  }
  const readings: Promise<RecordedAction | undefined>[] = []
  const cdp = Object.assign(events, { send }) as unknown as CDPSession
  await noticeNavigations(cdp, (read) => readings.push(read()))
  return {
    navigate: (url: string) => events.emit('Page.frameNavigated', { frame: { id: 'main', url } }),
    fail: (url: string) =>
      events.emit('Page.frameNavigated', {
        frame: { id: 'main', url: 'chrome-error://chromewebdata/', unreachableUrl: url },
      }),
    replaceState: (url: string) => events.emit('Page.navigatedWithinDocument', { frameId: 'main', url }),
    actions: () => Promise.all(readings),
    tries: () => tries,
  }
}

const goTo = (url: string) => ({ kind: 'navigate', url }) as const

test('a history that is refused, or is still the one before, is read again', async () => {
  const before = historyOf(start, shop)
  for (const late of [refusal, before]) {
    const tab = await watchTab([before, late, late, historyOf(start, shop, help)])
    tab.navigate(help)
    expect(await tab.actions()).toEqual([goTo(help)])
  }
  const tab = await watchTab([refusal, historyOf(start), historyOf(start, shop)])
  tab.navigate(shop)
  expect(await tab.actions()).toEqual([goTo(shop)])
})

test('an address whose page replaces its state at once is one action', async () => {
  const tab = await watchTab([historyOf(start), refusal, historyOf(start, shop)])
  tab.navigate(shop)
  tab.replaceState(`${shop}#/`)
  expect(await tab.actions()).toEqual([goTo(shop), undefined])
})

test('what has moved on, was loaded again or has no answer is not waited for', async () => {
  const moved = await watchTab([historyOf(start), historyOf(start, shop, help)])
  moved.navigate(shop)
  expect([await moved.actions(), moved.tries()]).toEqual([[goTo(help)], 2])
  const reloaded = await watchTab([historyOf(start, shop)])
  reloaded.navigate(shop)
  expect([await reloaded.actions(), reloaded.tries()]).toEqual([
    [{ kind: 'history', direction: 'reload' }],
    2,
  ])
  const unreachable = await watchTab([historyOf(start, shop)])
  unreachable.fail(shop)
  expect([await unreachable.actions(), unreachable.tries()]).toEqual([
    [{ kind: 'history', direction: 'reload' }],
    2,
  ])
})
