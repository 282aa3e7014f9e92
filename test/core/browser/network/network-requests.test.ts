// Pending requests: one whose end the browser never reports is removed with its document.

import { expect, test } from 'bun:test'
import { EventEmitter } from 'node:events'
import type { BrowserContext } from 'playwright'
import { watchNetworkRequests } from '../../../../src/core/browser/network/network-requests.ts'

const createFrame = (page: object) => ({ page: () => page })
function createPageWithFrames() {
  const page = Object.assign(new EventEmitter(), { mainFrame: () => main })
  const [main, inner]: object[] = [createFrame(page), createFrame(page)]
  return { page, main, inner }
}

const createRequest = (url: string, type: string, frame: unknown) => ({
  url: () => url,
  method: () => 'GET',
  resourceType: () => type,
  headers: () => ({}),
  isNavigationRequest: () => type === 'document',
  frame: () => {
    if (!frame) throw new Error('Service Worker requests do not have an associated frame.')
    return frame
  },
})

function watchRequests() {
  const context = Object.assign(new EventEmitter(), { pages: () => [] })
  let count = 0
  const requests = watchNetworkRequests(context as unknown as BrowserContext, {
    onRequest: () => (count += 1),
    onRequestProgress: () => {},
    onEntry: () => {},
  })
  const begin = (...details: Parameters<typeof createRequest>) => {
    const request = createRequest(...details)
    context.emit('request', request)
    return request
  }
  const answer = (request: object) =>
    context.emit('response', {
      request: () => request,
      status: () => 200,
      headers: () => ({}),
      fromServiceWorker: () => false,
      url: () => 'http://a/',
    })
  const open = (page: object) => context.emit('page', page)
  return { requests, begin, answer, open }
}

test('the next document of the page ends what the one before it was loading, and nothing else', () => {
  const { requests, begin, answer } = watchRequests()
  const [one, other] = [createPageWithFrames(), createPageWithFrames()]
  begin('http://a/old.js', 'script', one.main)
  begin('http://a/other.js', 'script', other.main)
  begin('http://a/worker.js', 'script', undefined)
  requests.mark()
  expect(requests.unanswered('http://a')).toHaveLength(3)
  // Neither a frame's document nor a script does.
  answer(begin('http://a/frame', 'document', one.inner))
  answer(begin('http://a/more.js', 'script', one.main))
  expect(requests.unanswered('http://a')).toContain('GET http://a/old.js')
  const next = begin('http://a/next', 'document', one.main)
  begin('http://a/new.js', 'script', one.main)
  answer(next)
  expect(requests.unanswered('http://a')).toEqual([
    'GET http://a/other.js',
    'GET http://a/worker.js',
    'GET http://a/new.js',
  ])
  expect(requests.scriptQuietMs()).toBe(0)
})

test('a page that closes ends the loading of its own scripts, not of those of others', () => {
  const { requests, begin, open } = watchRequests()
  const [opener, popup] = [createPageWithFrames(), createPageWithFrames()]
  open(opener.page)
  open(popup.page)
  begin('http://a/app.js', 'script', opener.main)
  begin('http://a/popup.js', 'script', popup.inner)
  popup.page.emit('close', popup.page)
  expect(requests.scriptQuietMs()).toBe(0)
  opener.page.emit('close', opener.page)
  expect(requests.scriptQuietMs()).toBe(Infinity)
})
