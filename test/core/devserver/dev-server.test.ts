// Which of the addresses that a server answers at is its own.

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  chooseAddress,
  findAnnouncedUrl,
  isNamedLocal,
  isReadyStatus,
  isUpDespiteError,
  portOf,
  type ServerAnswer,
} from '../../../src/core/devserver/dev-server.ts'

const answer: fc.Arbitrary<ServerAnswer> = fc.record({
  url: fc
    .tuple(
      fc.constantFrom('http', 'https'),
      fc.constantFrom('localhost', '127.0.0.1'),
      fc.integer({ min: 3000, max: 3005 }),
    )
    .map(([scheme, host, port]) => `${scheme}://${host}:${port}/`),
  status: fc.constantFrom(200, 302, 404, 500),
  isPage: fc.boolean(),
  hasCorsHeaders: fc.boolean(),
  isAnnounced: fc.boolean(),
})
const answers = fc.uniqueArray(answer, { minLength: 1, maxLength: 6, selector: ({ url }) => url })
const wanted = fc.record({
  port: fc.integer({ min: 3000, max: 3005 }),
  isPortGiven: fc.boolean(),
  previous: fc.option(
    answer.map(({ url }) => url),
    { nil: undefined },
  ),
})
const check = (
  law: (
    all: ServerAnswer[],
    wish: { port: number; isPortGiven: boolean; previous: string | undefined },
  ) => void,
) => fc.assert(fc.property(answers, wanted, law), { numRuns: 500 })

describe('the address of a server', () => {
  test('is one of those that answered', () =>
    check((all, wish) => expect(all).toContain(chooseAddress(all, wish)?.answer as ServerAnswer)))

  test('is at the port that was asked for, if anything answers there', () =>
    check((all, wish) => {
      const there = wish.isPortGiven && all.some(({ url }) => portOf(url) === wish.port)
      if (there) expect(portOf(chooseAddress(all, wish)?.answer.url ?? '')).toBe(wish.port)
    }))

  test('is the one of before a restart, unless another port was asked for', () =>
    check((all, wish) => {
      if (wish.isPortGiven || !all.some(({ url }) => url === wish.previous)) return
      const chosen = chooseAddress(all, wish)
      expect([chosen?.answer.url, chosen?.isCertain]).toEqual([wish.previous, true])
    }))

  test('is a page where there is one, and nothing but an announcement or a restart makes it certain', () =>
    check((all, wish) => {
      const chosen = chooseAddress(all, { ...wish, isPortGiven: false })
      if (!chosen || chosen.answer.url === wish.previous) return
      expect(chosen.answer.isPage).toBe(all.some(({ isPage }) => isPage))
      const { isAnnounced, isPage, status } = chosen.answer
      if (chosen.isCertain) expect([isAnnounced, isPage, isReadyStatus(status)]).toEqual([true, true, true])
    }))

  test('stays when something worse answers too, once it is certain', () =>
    check((all, wish) => {
      const chosen = chooseAddress(all, wish)
      if (!chosen?.isCertain || chosen.answer.url === wish.previous) return
      const worse = { ...chosen.answer, url: 'http://127.0.0.1:9999/', isPage: false, isAnnounced: false }
      expect(chooseAddress([worse, ...all], wish)?.answer).toEqual(chosen.answer)
    }))

  test('of equal pages is that of the port that was announced last, at the address that was announced first', () => {
    const all = ['127.0.0.1:3001', 'localhost:3002', '127.0.0.1:3002', 'localhost:3003'].map((host) => ({
      ...{ url: `http://${host}/`, status: 200, isPage: true, isAnnounced: true },
      // The home page of an API.
      hasCorsHeaders: host.endsWith('3003'),
    }))
    expect(chooseAddress(all, { port: 1, isPortGiven: false })?.answer.url).toBe('http://localhost:3002/')
  })

  test('of the pages of one port is the one that is named Local, else the one with the shortest path', () => {
    const page = { status: 200, isPage: true, hasCorsHeaders: false, isAnnounced: true }
    const all = ['/__inspect/', '/docs', '/'].map((path) => ({
      ...page,
      url: `http://localhost:3000${path}`,
    }))
    expect(chooseAddress(all, { port: 3000, isPortGiven: false })?.answer.url).toBe('http://localhost:3000/')
    const local = { ...page, url: 'http://localhost:3000/shop/', isNamedLocal: true }
    const chosen = chooseAddress([...all, local], { port: undefined, isPortGiven: false })
    expect(chosen?.answer).toEqual(local)
  })

  test('of none there is none', () =>
    expect(chooseAddress([], { port: 1, isPortGiven: true, previous: undefined })).toBeUndefined())
})

test('a server that answers with an error is up after a moment; sooner where it said why, later behind a gateway', () => {
  const rows: [status: number, isExplained: boolean, waitsUntil: number][] = [
    [500, true, 1000],
    [500, false, 5000],
    [405, false, 5000],
    [501, true, 1000],
    [502, true, 20_000],
    [503, false, 20_000],
    [504, true, 20_000],
  ]
  for (const [status, isExplained, waitsUntil] of rows) {
    expect([status, isUpDespiteError(status, waitsUntil - 1, isExplained)]).toEqual([status, false])
    expect([status, isUpDespiteError(status, waitsUntil, isExplained)]).toEqual([status, true])
  }
})

test('a host that is this machine is announced too, and loopback before it', () => {
  const isOwnHost = (host: string) => ['192.0.2.2', 'box'].includes(host)
  const find = (line: string) => findAnnouncedUrl(line, isOwnHost)
  expect(find('  Network: http://192.0.2.2:5173/app/')).toBe('http://192.0.2.2:5173/app/')
  expect(find('listening on http://BOX:8080')).toBe('http://box:8080/')
  expect(find('http://192.0.2.2:5173 or http://localhost:5173')).toBe('http://localhost:5173/')
  expect(find('database at http://192.0.2.3:9200/')).toBeUndefined()
})

test('a URL is named Local by the word before it', () => {
  for (const line of [
    '  ➜  Local:   http://localhost:5173/',
    '┃ Local    http://localhost:4321/',
    '- LOCAL: https://localhost:1/',
  ])
    expect([line, isNamedLocal(line)]).toEqual([line, true])
  for (const line of [
    'http://localhost:5173/',
    'Inspect: http://localhost:1/',
    'Locally at http://localhost:1/',
  ])
    expect([line, isNamedLocal(line)]).toEqual([line, false])
})
