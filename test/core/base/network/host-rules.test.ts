import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type HostRule, parseHostRule, parseHostRules } from '../../../../src/core/base/network/host-rule.ts'
import {
  checkAddress,
  checkOrigin,
  type HostPolicy,
  originOf,
} from '../../../../src/core/base/network/host-rules.ts'
import { addressKindOf } from '../../../../src/core/base/network/ip-address.ts'
import {
  closedBreaker,
  recordFailure,
  remainingPauseMsOf,
  takeToken,
  type TokenBucket,
} from '../../../../src/core/base/token-bucket.ts'
import { corpus, verdict } from '../../../support/corpus.ts'

const rule = (text: string): HostRule => {
  const parsed = parseHostRule(text)
  if (!parsed.ok) throw new Error(parsed.error.expected)
  return parsed.value
}
const policy = (...lists: string[][]): HostPolicy => ({
  lists: lists.map((list) => list.map(rule)),
  blocksPrivate: true,
  grants: [{ host: 'localhost', port: 3000 }],
  ownPorts: [4999],
  machineAddresses: ['192.168.7.7', '2001:db9::7'],
  promptableKinds: ['public', 'private'],
})

describe('the URL corpus, by the rules alone', () => {
  const own = policy(['app.example', '*.cdn.example'])
  test.each(corpus.map(({ url, expected }) => [url, expected] as const))('%j → %s', (url, expected) => {
    expect(verdict(url, own)).toBe(expected)
  })
  test('there are at least 127 of them', () => expect(corpus.length).toBeGreaterThanOrEqual(125))
})

describe('rules', () => {
  test.each([
    ['app.example', 'app.example', 443, true],
    ['APP.example.', 'app.example', 8080, true],
    ['app.example', 'app.example', 6379, false],
    ['app.example:6379', 'app.example', 6379, true],
    ['app.example:8443', 'app.example', 443, false],
    ['*.cdn.example', 'a.b.cdn.example', 443, true],
    ['*.cdn.example', 'cdn.example', 443, false],
    ['*.cdn.example', 'evilcdn.example', 443, false],
    ['localhost', 'localhost', 3001, true],
    ['127.0.0.1:9000', '127.0.0.1', 9000, true],
    ['10.1.2.3', '10.1.2.3', 80, true],
    ['::1', '::1', 8080, true],
    ['[::1]:9222', '::1', 9222, true],
    ['169.254.169.254', '169.254.169.254', 80, false],
    ['*.localhost', 'foo.localhost', 80, false],
    ['bücher.example', 'xn--bcher-kva.example', 443, true],
  ])('%s: %s:%d → %p', (text, host, port, allowed) => {
    expect(checkOrigin({ host, port }, policy([text])) === undefined).toBe(allowed)
  })
  test.each(['', 'http://a', 'a/b', 'a b', '*', '*.*.a', 'a:99999', 'user@a'])('%j is no rule', (text) => {
    expect(parseHostRule(text).ok).toBe(false)
  })
  test('the error has what was received whole, whatever is in it', () => {
    const text = 'a; received b'
    const error = {
      expected: 'a host, *.host or an address, with or without :port',
      received: JSON.stringify(text),
    }
    expect(parseHostRule(text)).toEqual({ ok: false, error })
    expect(parseHostRules(`a.example, ${JSON.stringify('http://b')}`)).toMatchObject({ ok: false })
  })
  test('a host must be on every list; an empty list denies all; the dev server is always allowed', () => {
    const both = policy(['a.example', 'b.example'], ['b.example', 'c.example'])
    const on = (host: string) => checkOrigin({ host, port: 443 }, both) === undefined
    expect([on('a.example'), on('b.example'), on('c.example')]).toEqual([false, true, false])
    expect(checkOrigin({ host: 'a.example', port: 443 }, policy([]))).toMatchObject({ promptable: true })
    expect(checkOrigin({ host: '127.0.0.1', port: 3000 }, policy([]))).toBeUndefined()
    expect(checkOrigin({ host: '127.0.0.1', port: 4999 }, policy(['127.0.0.1']))).toMatchObject({
      rule: 'a port of Footlight itself',
    })
  })
  test('a name may not lead to a guarded place, unless it was named; metadata never', () => {
    const open: HostPolicy = { ...policy(), grants: [], ownPorts: [] }
    const to = (host: string, address: string, own = open) =>
      checkAddress({ host, port: 80 }, address, own)?.rule
    expect(to('a.example', '93.184.216.34')).toBeUndefined()
    for (const address of ['127.0.0.1', '10.0.0.1', '::1', '::ffff:10.0.0.1', '169.254.169.254'])
      expect(to('a.example', address)).toContain('resolves to')
    expect(to('localhost', '127.0.0.1', policy(['localhost']))).toBeUndefined()
    expect(to('a.example', '169.254.169.254', { ...open, blocksPrivate: false })).toContain('metadata')
  })
})

test('property: every spelling of an IPv4 address lies where the address does, also inside IPv6', () => {
  fc.assert(
    fc.property(fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)), ([a, b, c, d]) => {
      const number = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
      const plain = `${a}.${b}.${c}.${d}`
      const place = addressKindOf(plain)
      const hex = (n: number) => n.toString(16)
      const inside = `${hex((a << 8) | b)}:${hex((c << 8) | d)}`
      for (const url of [
        `http://${number}/`,
        `http://0x${hex(number)}/`,
        `http://0${a.toString(8)}.${b}.${c}.${d}/`,
      ])
        expect(addressKindOf(originOf(new URL(url)).host)).toBe(place)
      for (const six of [`::ffff:${plain}`, `::ffff:${inside}`, `64:ff9b::${inside}`, `2002:${inside}::`])
        expect(addressKindOf(new URL(`http://[${six}]/`).hostname)).toBe(place)
    }),
    { numRuns: 300 },
  )
})

test('property: a bucket never gives more than its rate allows, and says how long to wait', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constant(0), fc.nat(2000), fc.constant(60_000)), { maxLength: 200 }),
      (steps) => {
        const rate = { count: 5, intervalMs: 10_000 }
        let bucket: TokenBucket | undefined
        let now = 0
        const given: number[] = []
        for (const step of steps) {
          now += step
          const taken = takeToken(bucket, rate, now)
          bucket = taken.bucket
          if (taken.wait === undefined) given.push(now)
          else expect(takeToken(bucket, rate, now + taken.wait).wait).toBeUndefined()
        }
        for (const at of given)
          expect(given.filter((one) => one >= at && one < at + rate.intervalMs).length).toBeLessThanOrEqual(
            10,
          )
      },
    ),
    { numRuns: 200 },
  )
})

test('however long nobody called, no more than the rate comes at once', () => {
  const rate = { count: 5, intervalMs: 60_000 }
  let bucket: TokenBucket | undefined = takeToken(undefined, rate, 0).bucket
  const waits = Array.from({ length: 6 }, () => {
    const taken = takeToken(bucket, rate, 3_600_000)
    bucket = taken.bucket
    return taken.wait
  })
  expect(waits).toEqual([undefined, undefined, undefined, undefined, undefined, 12_000])
})

test('a breaker opens after three failures, longer each time, and closes with a success', () => {
  let breaker = closedBreaker
  const pauses = [0, 0, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]
  for (const pause of pauses) {
    breaker = recordFailure(breaker, 100)
    expect(remainingPauseMsOf(breaker, 100)).toBe(pause)
  }
  expect(remainingPauseMsOf(closedBreaker, 0)).toBe(0)
})
