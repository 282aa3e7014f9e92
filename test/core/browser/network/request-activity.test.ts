// How long no request of a page has been pending: only its own requests and those of workers count, and no streams.

import { expect, test } from 'bun:test'
import type { BrowserContext, Page, Request } from 'playwright'
import {
  createRequestActivity,
  requestQuietTime,
} from '../../../../src/core/browser/network/request-activity.ts'

function watchContext() {
  const context = {} as BrowserContext
  const activity = createRequestActivity(context)
  let lastSeq = 0
  const createPage = () => {
    const mainFrame = { page: () => page }
    const page = { context: () => context, mainFrame: () => mainFrame }
    return { page: page as unknown as Page, mainFrame }
  }
  const begin = (type: string, frame: unknown, headers: object = {}) => {
    lastSeq += 1
    const request = {
      resourceType: () => type,
      headers: () => headers,
      isNavigationRequest: () => type === 'document',
      frame: () => {
        if (!frame) throw new Error('Service Worker requests do not have an associated frame.')
        return frame
      },
    }
    activity.add(request as unknown as Request, lastSeq, type)
    return request as unknown as Request
  }
  return { activity, createPage, begin, respond: (request: Request) => activity.respond(request, lastSeq) }
}

test('a page is busy while a request of its own or of a worker is pending', () => {
  const { activity, createPage, begin } = watchContext()
  const [one, other] = [createPage(), createPage()]
  expect(requestQuietTime(one.page)).toBe(Infinity)
  const fetched = begin('fetch', one.mainFrame)
  expect([requestQuietTime(one.page), requestQuietTime(other.page)]).toEqual([0, Infinity])
  activity.remove(fetched)
  expect(requestQuietTime(one.page)).toBeGreaterThan(0)
  expect(requestQuietTime(one.page)).toBeLessThan(60_000)
  const fromWorker = begin('fetch', undefined)
  expect([requestQuietTime(one.page), requestQuietTime(other.page)]).toEqual([0, 0])
  activity.remove(fromWorker)
  expect(requestQuietTime(other.page)).toBeGreaterThan(0)
})

test('streams do not count, whether the browser has a type for them or not', () => {
  const { createPage, begin } = watchContext()
  const { page, mainFrame } = createPage()
  begin('eventsource', mainFrame)
  begin('websocket', mainFrame)
  begin('xhr', mainFrame, { accept: 'text/event-stream' })
  begin('document', mainFrame, { 'sec-fetch-mode': 'websocket' })
  expect(requestQuietTime(page)).toBe(Infinity)
})

test('the next document ends what the one before it was loading', () => {
  const { activity, createPage, begin, respond } = watchContext()
  const [one, other] = [createPage(), createPage()]
  begin('image', one.mainFrame)
  begin('image', other.mainFrame)
  const document = begin('document', one.mainFrame)
  respond(document)
  expect(requestQuietTime(one.page)).toBe(0)
  activity.remove(document)
  expect(requestQuietTime(one.page)).toBeGreaterThan(0)
  expect(requestQuietTime(other.page)).toBe(0)
})
