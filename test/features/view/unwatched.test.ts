// Pictures are asked of the browser only while somebody waits for one.

import { expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { takePictureAlone } from '../../../src/core/browser/playwright/picture-queue.ts'
import type { Tab } from '../../../src/core/browser/tab/tab.ts'
import { createFrames } from '../../../src/features/view/frames.ts'
import { until } from '../../support/leftovers.ts'

const never = new AbortController().signal

test('a screencast runs from the question to the first new picture', async () => {
  const sent: string[] = []
  let show = (_: object) => {}
  const cdp = {
    send: async (method: string) => void sent.push(method),
    on: (_: string, handle: typeof show) => void (show = handle),
    off: () => {},
  }
  const page = { viewportSize: () => ({ width: 2, height: 1 }) } as unknown as Page
  const tab = { page, recovery: { cdp: Promise.resolve(cdp) }, failure: () => undefined } as unknown as Tab
  const frames = createFrames({ active: () => tab }, { current: () => undefined })
  const showPicture = (data: string, sessionId: number, deviceWidth = 2) =>
    show({ data, sessionId, metadata: { deviceWidth, deviceHeight: 1 } })
  const starts = () => sent.filter((method) => method === 'Page.startScreencast').length

  frames.noteAction()
  expect(sent).toEqual([])
  const first = frames.next(0, never)
  expect(await until(() => starts() === 1)).toBe(true)
  showPicture('AAAA', 1)
  expect(await first).toMatchObject({ sequence: 1, width: 2, height: 1 })
  expect(sent).toEqual(['Page.startScreencast', 'Page.stopScreencast'])
  showPicture('BBBB', 1)

  const second = frames.next(1, never)
  expect(await until(() => starts() === 2)).toBe(true)
  showPicture('AAAA', 2)
  showPicture('CCCC', 2)
  expect(await second).toMatchObject({ sequence: 2, bytes: Buffer.from('CCCC', 'base64') })
  // While a screenshot is made, and where the page still has its size, no picture is of the page.
  const third = frames.next(2, never)
  expect(await until(() => starts() === 3)).toBe(true)
  showPicture('CCCC', 3)
  await takePictureAlone(page, async () => showPicture('DDDD', 3))
  expect(await until(() => starts() === 4)).toBe(true)
  showPicture('EEEE', 4, 1)
  showPicture('FFFF', 4)
  expect(await third).toMatchObject({ sequence: 3, bytes: Buffer.from('FFFF', 'base64') })
  const count = sent.length
  await Bun.sleep(2500)
  expect(sent.slice(count)).toEqual([])
  frames.end()
  expect(await frames.next(3, never)).toBeUndefined()
})
