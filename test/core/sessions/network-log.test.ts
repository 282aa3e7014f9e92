import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { hasAddedText, hasExactText } from '../../../src/core/base/text/key-names.ts'
import { createNetworkLog } from '../../../src/core/sessions/journal/network-log.ts'

const socket = { method: 'GET', url: 'ws://a/', type: 'websocket', framesSent: 0, framesReceived: 0 }

test('frames of a WebSocket are counted while it is open, kept within bounds, and come in their order', () => {
  const frame = fc.record({
    direction: fc.constantFrom('sent' as const, 'received' as const),
    body: fc.string(),
  })
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 60 }), fc.integer({ min: 1, max: 50 }), (frames, limit) => {
      const traffic = createNetworkLog({ entries: 10, bytes: 10_000 })
      const [seq, other] = [traffic.start(socket, 0), traffic.start(socket, 0)]
      frames.forEach((one, at) => traffic.addFrame(seq, one, at))
      traffic.addFrame(other, { direction: 'sent', bytes: 1 }, 0)
      traffic.update(seq, { state: 'done' }, 100)
      traffic.addFrame(seq, { direction: 'sent', body: 'late' }, 101)
      const sent = frames.filter(({ direction }) => direction === 'sent').length
      expect(traffic.read({ limit: 1, before: other }).entries).toMatchObject([
        { state: 'done', framesSent: sent, framesReceived: frames.length - sent },
      ])
      expect(traffic.frames(seq, limit)).toEqual(frames.map((one, at) => ({ ...one, at })).slice(-limit))
    }),
  )
  const traffic = createNetworkLog({ entries: 10, bytes: 10_000 })
  const seq = traffic.start(socket, 0)
  for (let at = 0; at < 5000; at += 1)
    traffic.addFrame(seq, { direction: 'sent', body: 'x'.repeat(20_000) }, at)
  const kept = traffic.frames(seq, Infinity)
  expect(kept.length).toBeLessThan(200)
  expect(kept.at(-1)).toMatchObject({ at: 4999, body: expect.stringMatching(/^x{8000}…$/) })
})

test('an editor of code holds its text as it is, one of prose has its own spaces', () => {
  expect(hasExactText('code', 'a\r\nb\n', 'a\nb')).toBe(true)
  expect(hasExactText('code', 'a\n  b', 'a\nb')).toBe(false)
  expect(hasExactText('prose', 'a\n\nb\u200b', 'a\nb')).toBe(true)
  expect(hasAddedText('code', 'old {}', 'old ', '{', 'end')).toBe(false)
  expect(hasAddedText('code', 'old {', 'old ', '{', 'end')).toBe(true)
  expect(hasAddedText('prose', 'old', 'old', 'old', 'caret')).toBe(false)
  expect(hasAddedText('prose', 'old new', 'old', ' new', 'caret')).toBe(true)
})

test('the requests since the newest document are all from it on that are still stored', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 40 }), (starts) => {
      const log = createNetworkLog({ entries: 10, bytes: 1_000_000 })
      for (const [at, isPageLoad] of starts.entries())
        log.start(
          { method: 'GET', url: 'http://a/', type: 'document', ...(isPageLoad && { isPageLoad }) },
          at,
        )
      const stored = log.read({ limit: Infinity }).entries
      const newest = stored.findLastIndex(({ isPageLoad }) => isPageLoad)
      expect(log.sincePageLoad()).toEqual(stored.slice(Math.max(0, newest)))
    }),
    { numRuns: 300 },
  )
})

test('another page that loads a document later leaves the requests of this one', () => {
  const log = createNetworkLog({ entries: 10, bytes: 1_000_000 })
  const load = { method: 'GET', type: 'document', isPageLoad: true }
  log.start({ ...load, url: 'http://a/', page: 1 }, 0)
  log.start({ method: 'GET', url: 'http://a/a.js', type: 'script', page: 1 }, 1)
  log.start({ ...load, url: 'http://a/b', page: 2 }, 2)
  log.start({ method: 'GET', url: 'http://a/b.js', type: 'script', page: 2 }, 3)
  const pathsOf = (page?: number) => log.sincePageLoad(page).map(({ url }) => url.slice('http://a'.length))
  expect([pathsOf(1), pathsOf(2), pathsOf()]).toEqual([
    ['/', '/a.js'],
    ['/b', '/b.js'],
    ['/b', '/b.js'],
  ])
})
