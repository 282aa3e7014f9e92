// What is under way: a request whose end the browser never reports is forgotten with its document.

import { expect, test } from 'bun:test'
import { EventEmitter } from 'node:events'
import type { BrowserContext } from 'playwright'
import { watchNetworkRequests } from '../../../src/browser/network/network-requests.ts'

const frameOf = (page: object) => ({ page: () => page })
function pageWithFrames() {
  const page = { mainFrame: () => main }
  const [main, inner]: object[] = [frameOf(page), frameOf(page)]
  return { main, inner }
}

const request = (url: string, type: string, frame: unknown) => ({
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

function watched() {
  const context = new EventEmitter()
  let count = 0
  const exchanges = watchNetworkRequests(context as unknown as BrowserContext, {
    requested: () => (count += 1),
    progressed: () => {},
    observe: () => {},
  })
  const begin = (...given: Parameters<typeof request>) => {
    const one = request(...given)
    context.emit('request', one)
    return one
  }
  const answer = (one: object) =>
    context.emit('response', {
      request: () => one,
      status: () => 200,
      headers: () => ({}),
      url: () => 'http://a/',
    })
  return { exchanges, begin, answer }
}

test('the next document of the page ends what the one before it was loading, and nothing else', () => {
  const { exchanges, begin, answer } = watched()
  const [one, other] = [pageWithFrames(), pageWithFrames()]
  begin('http://a/old.js', 'script', one.main)
  begin('http://a/other.js', 'script', other.main)
  begin('http://a/worker.js', 'script', undefined)
  exchanges.mark()
  expect(exchanges.unanswered('http://a')).toHaveLength(3)
  // Neither a frame's document nor a script does.
  answer(begin('http://a/frame', 'document', one.inner))
  answer(begin('http://a/more.js', 'script', one.main))
  expect(exchanges.unanswered('http://a')).toContain('GET http://a/old.js')
  const next = begin('http://a/next', 'document', one.main)
  begin('http://a/new.js', 'script', one.main)
  answer(next)
  expect(exchanges.unanswered('http://a')).toEqual([
    'GET http://a/other.js',
    'GET http://a/worker.js',
    'GET http://a/new.js',
  ])
  expect(exchanges.scripts.pendingCount()).toBe(3)
})
