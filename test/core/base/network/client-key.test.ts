import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { clientKeyOf } from '../../../../src/core/base/network/http-guard.ts'

const group = fc.integer({ min: 0, max: 65_535 }).map((one) => one.toString(16))
const groups = (count: number) => fc.array(group, { minLength: count, maxLength: count })
const four = fc.ipV4()

test('an IPv6 address counts with all of its /64, and with no other', () => {
  fc.assert(
    fc.property(groups(4), groups(4), groups(4), groups(4), (network, a, other, b) => {
      fc.pre(network.some((one) => one !== '0') && other.some((one) => one !== '0'))
      const one = clientKeyOf(undefined, [...network, ...a].join(':'))
      expect(clientKeyOf(undefined, [...network, ...b].join(':'))).toBe(one)
      expect(clientKeyOf(undefined, [...other, ...b].join(':')) === one).toBe(network.join() === other.join())
    }),
    { numRuns: 500 },
  )
})
test('an IPv4 address counts alone, also where it is written as an IPv6 one', () => {
  fc.assert(
    fc.property(four, four, (a, b) => {
      expect(clientKeyOf(undefined, `::ffff:${a}`)).toBe(clientKeyOf(undefined, a))
      expect(clientKeyOf(undefined, a) === clientKeyOf(undefined, `::ffff:${b}`)).toBe(a === b)
    }),
    { numRuns: 300 },
  )
})
test('a subject counts alone, whatever address it comes from, and is no address', () => {
  fc.assert(
    fc.property(fc.string(), fc.ipV6(), fc.ipV4(), (subject, a, b) => {
      expect(clientKeyOf(subject, a)).toBe(clientKeyOf(subject, b))
      expect(clientKeyOf(subject, a)).not.toBe(clientKeyOf(undefined, a))
    }),
    { numRuns: 200 },
  )
})
