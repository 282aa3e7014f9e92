import { expect, test } from 'bun:test'
import { createJournal, createNumbering } from '../../../src/core/sessions/journal/journal.ts'
import { createNetworkLog } from '../../../src/core/sessions/journal/network-log.ts'
import { describeNumber, readTimeline } from '../../../src/core/sessions/journal/read-timeline.ts'

function recordCall() {
  const numbering = createNumbering()
  const limits = { entries: 100, bytes: 1e6 }
  const journal = createJournal(limits, numbering)
  const network = createNetworkLog(limits, numbering)
  const page = network.start({ method: 'GET', url: 'http://a/', type: 'document' }, 1)
  journal.add({ kind: 'console', at: 2, level: 'info', text: 'log: hello' })
  const cart = network.start({ method: 'POST', url: 'http://a/cart', type: 'fetch' }, 3)
  network.update(page, { state: 'done', status: 200 }, 4)
  journal.add({ kind: 'request', at: 5, level: 'error', text: 'POST http://a/cart → 500' })
  network.update(cart, { status: 500, mock: 'm1' }, 5)
  journal.add({ kind: 'action', at: 6, level: 'info', text: 'click #add: done' })
  const image = network.start({ method: 'GET', url: 'http://a/i.png', type: 'image' }, 7)
  return { journal, network, page, cart, image }
}

test('a request has one number, and the timeline has it once', () => {
  const { journal, network, page, cart, image } = recordCall()
  const { entries } = readTimeline(journal, network, { limit: 50 })
  expect(entries.map(({ seq, level, text }) => [seq, level, text])).toEqual([
    [page, 'info', 'GET http://a/ → 200'],
    [2, 'info', 'log: hello'],
    [cart, 'error', 'POST http://a/cart → 500 (mock m1)'],
    [5, 'info', 'click #add: done'],
    [image, 'info', 'GET http://a/i.png → pending'],
  ])
  expect(network.read({ limit: 50 }).entries.map(({ seq }) => seq)).toEqual([page, cart, image])
  expect(journal.lastSeq()).toBe(image)
})

test('a WebSocket is open until it has ended', () => {
  const { journal, network, image } = recordCall()
  const socket = network.start({ method: 'GET', url: 'ws://a/live', type: 'websocket' }, 8)
  const textOf = () => readTimeline(journal, network, { since: image, limit: 1 }).entries[0]?.text
  expect(textOf()).toBe('GET ws://a/live → open')
  network.update(socket, { state: 'done' }, 9)
  expect(textOf()).toBe('GET ws://a/live → done')
})

test('a response that is aborted because nobody reads its body has its status alone', () => {
  const { journal, network, page, cart, image } = recordCall()
  network.update(cart, { state: 'failed', failure: 'net::ERR_ABORTED' }, 8)
  network.update(image, { state: 'failed', failure: 'net::ERR_ABORTED' }, 8)
  const cut = network.start({ method: 'GET', url: 'http://a/list', type: 'fetch' }, 9)
  network.update(cut, { state: 'failed', status: 200, failure: 'net::ERR_INCOMPLETE_CHUNKED_ENCODING' }, 9)
  const { entries } = readTimeline(journal, network, { since: page, limit: 50 })
  expect(entries.flatMap(({ kind, level, text }) => (kind === 'request' ? [[level, text]] : []))).toEqual([
    ['error', 'POST http://a/cart → 500 (mock m1)'],
    ['info', 'GET http://a/i.png → net::ERR_ABORTED'],
    ['error', 'GET http://a/list → 200, net::ERR_INCOMPLETE_CHUNKED_ENCODING'],
  ])
})

test('since and before mean the same numbers in all lists', () => {
  const { journal, network, cart } = recordCall()
  const numbersOf = (query: object) =>
    readTimeline(journal, network, { limit: 50, ...query }).entries.map(({ seq }) => seq)
  expect(numbersOf({ since: cart })).toEqual([5, 6])
  expect(numbersOf({ before: cart })).toEqual([1, 2])
  const newest = readTimeline(journal, network, { limit: 2 })
  expect(newest).toMatchObject({ cursor: 5, dropped: 0 })
  expect(numbersOf({ limit: 2, before: newest.cursor })).toEqual([2, 3])
  expect(readTimeline(journal, network, { limit: 5 })).not.toHaveProperty('cursor')
})

test('events of a WebSocket are entries of their own', () => {
  const { journal, network, image } = recordCall()
  const data = { type: 'websocket', isSocketEvent: true }
  journal.add({ kind: 'request', at: 8, level: 'info', text: 'WebSocket ws://a/ → closed (4001)', data })
  const { entries } = readTimeline(journal, network, { since: image, limit: 50 })
  expect(entries.map(({ text }) => text)).toEqual(['WebSocket ws://a/ → closed (4001)'])
  expect(describeNumber(journal, image + 1)).toBe(
    'an event of a WebSocket: WebSocket ws://a/ → closed (4001)',
  )
})

test('the number of something else is described', () => {
  const { journal, cart } = recordCall()
  expect(describeNumber(journal, 2)).toBe('a console message: log: hello')
  expect(describeNumber(journal, 5)).toBe('an action: click #add: done')
  expect(describeNumber(journal, cart)).toBeUndefined()
  expect(describeNumber(journal, 99)).toBeUndefined()
})
