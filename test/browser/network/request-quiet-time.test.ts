// How long no request of a page has been pending: only its own requests and those of workers count, and no streams.

import { expect, test } from 'bun:test'
import { EventEmitter } from 'node:events'
import type { BrowserContext, Page } from 'playwright'
import { requestQuietTime, watchRequestQuietTime } from '../../../src/browser/network/pending-requests.ts'

function watchContext() {
  const context = new EventEmitter()
  watchRequestQuietTime(context as unknown as BrowserContext)
  const createPage = () => {
    const mainFrame = { page: () => page }
    const page = { context: () => context, mainFrame: () => mainFrame }
    return { page: page as unknown as Page, mainFrame }
  }
  const begin = (type: string, frame: unknown, headers: object = {}) => {
    const request = {
      resourceType: () => type,
      headers: () => headers,
      isNavigationRequest: () => type === 'document',
      frame: () => {
        if (!frame) throw new Error('Service Worker requests do not have an associated frame.')
        return frame
      },
    }
    context.emit('request', request)
    return request
  }
  return { context, createPage, begin }
}

test('a page is busy while a request of its own or of a worker is pending', () => {
  const { context, createPage, begin } = watchContext()
  const [one, other] = [createPage(), createPage()]
  expect(requestQuietTime(one.page)).toBe(Infinity)
  const fetched = begin('fetch', one.mainFrame)
  expect([requestQuietTime(one.page), requestQuietTime(other.page)]).toEqual([0, Infinity])
  context.emit('requestfinished', fetched)
  expect(requestQuietTime(one.page)).toBeGreaterThan(0)
  expect(requestQuietTime(one.page)).toBeLessThan(60_000)
  const fromWorker = begin('fetch', undefined)
  expect([requestQuietTime(one.page), requestQuietTime(other.page)]).toEqual([0, 0])
  context.emit('requestfailed', fromWorker)
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
  const { context, createPage, begin } = watchContext()
  const [one, other] = [createPage(), createPage()]
  begin('image', one.mainFrame)
  begin('image', other.mainFrame)
  const document = begin('document', one.mainFrame)
  context.emit('response', { request: () => document })
  expect(requestQuietTime(one.page)).toBe(0)
  context.emit('requestfinished', document)
  expect(requestQuietTime(one.page)).toBeGreaterThan(0)
  expect(requestQuietTime(other.page)).toBe(0)
})
