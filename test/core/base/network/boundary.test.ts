// What holds whatever is listed and granted: our own ports, cloud metadata, and a consent that is bound to the addresses that were shown.

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type HostRule, parseHostRule } from '../../../../src/core/base/network/host-rule.ts'
import {
  checkAddress,
  checkOrigin,
  checkPromptableAddress,
  createGrant,
  type HostPolicy,
  originOf,
} from '../../../../src/core/base/network/host-rules.ts'
import { addressKindOf, canonicalizeAddress } from '../../../../src/core/base/network/ip-address.ts'

const rule = (text: string): HostRule => {
  const parsed = parseHostRule(text)
  if (!parsed.ok) throw new Error(parsed.error.expected)
  return parsed.value
}
const OWN = 4999
const base: HostPolicy = {
  lists: [],
  blocksPrivate: true,
  grants: [],
  ownPorts: [OWN],
  machineAddresses: ['192.168.7.7', '2600:1::7'],
  promptableKinds: ['public', 'private', 'loopback'],
}
/** The kindest policy there is for one host: listed, granted, private places open. */
const kindest = (host: string, port: number): HostPolicy => ({
  ...base,
  lists: [[rule(host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)]],
  blocksPrivate: false,
  grants: [{ host, port }],
})

describe('our own ports', () => {
  const hosts = ['localhost', 'x.localhost', '127.0.0.1', '127.9.9.9', '0.0.0.0', '::1', '::', '192.168.7.7']
  test.each([...hosts, '2600:1::7', '::ffff:192.168.7.7', '::ffff:7f00:1', '::ffff:c0a8:707'])(
    '%s is refused on one, listed and granted as it may be',
    (host) => {
      const policy = kindest(host, OWN)
      expect(checkOrigin({ host, port: OWN }, policy)).toMatchObject({
        rule: 'a port of Footlight itself',
        promptable: false,
      })
      expect(checkOrigin({ host, port: OWN + 1 }, kindest(host, OWN + 1))).toBeUndefined()
    },
  )
  test.each(['127.0.0.1', '::1', '192.168.7.7', '2600:1:0:0::7', '::ffff:192.168.7.7'])(
    'a name that leads to %s is refused on one',
    (address) => {
      const origin = { host: 'app.example', port: OWN }
      const policy = kindest(origin.host, OWN)
      expect(checkOrigin(origin, policy)).toBeUndefined()
      expect(checkAddress(origin, address, policy)?.rule).toBe('a port of Footlight itself')
      expect(checkPromptableAddress(origin, address, policy)?.rule).toBe('a port of Footlight itself')
      const other = { ...origin, port: OWN + 1 }
      expect(checkAddress(other, address, kindest(origin.host, OWN + 1))).toBeUndefined()
    },
  )
})

const addresses = {
  AWS: ['169.254.169.254', '169.254.170.2', '169.254.170.23', 'fd00:ec2::254', 'fd00:ec2::23'],
  GCP: ['169.254.169.254', 'fd20:ce::254'],
  Azure: ['168.63.129.16'],
  Alibaba: ['100.100.100.200'],
  Oracle: ['192.0.0.192', 'fd00:c1::a9fe:a9fe'],
  Tencent: ['169.254.0.23'],
  Scaleway: ['169.254.42.42', 'fd00:42::42'],
  OpenStack: ['fe80::a9fe:a9fe', 'fe80::a9fe:a9fe%eth0'],
  Vultr: ['2001:19f0:fc00::a9fe:a9fe'],
}
const names = [
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'api.metadata.cloud.ibm.com',
]

describe('cloud metadata', () => {
  test.each(Object.entries(addresses))('the addresses of %s, listed and granted as they may be', (_, all) => {
    for (const address of all) {
      expect([address, addressKindOf(address)]).toEqual([address, 'metadata'])
      const literal = { host: address.replace(/%.*/, ''), port: 80 }
      expect(checkOrigin(literal, kindest(literal.host, 80))?.rule).toBe("a cloud's metadata service")
      const named = { host: 'app.example', port: 80 }
      const denial = checkAddress(named, address, kindest('app.example', 80))
      expect(denial?.rule).toContain("a cloud's metadata service")
      expect(checkPromptableAddress(named, address, base)?.promptable).toBe(false)
    }
  })
  test.each(names)('%s is refused before it is resolved', (name) => {
    for (const url of [`http://${name}/`, `http://${name.toUpperCase()}./`]) {
      const origin = originOf(new URL(url))
      const denial = checkOrigin(origin, kindest(name, 80))
      expect(denial).toMatchObject({ rule: "a cloud's metadata service", promptable: false })
    }
  })
  test.each(['metadata.example', 'mymetadata.google.internal.example', 'app.internal', '100.100.100.201'])(
    '%s is none',
    (host) => expect(checkOrigin({ host, port: 80 }, kindest(host, 80))).toBeUndefined(),
  )
})

test('nobody is asked about a link-local address', () => {
  const asking = { ...base, lists: [[]] }
  for (const address of ['fe80::1', 'febf::1:2', '169.254.7.7']) {
    expect(checkOrigin({ host: address, port: 8080 }, asking)).toMatchObject({ promptable: false })
    const named = { host: 'printer.local', port: 8080 }
    expect(checkPromptableAddress(named, `${address}`, asking)).toMatchObject({ promptable: false })
  }
  expect(checkOrigin({ host: 'fd00::1', port: 8080 }, asking)).toMatchObject({ promptable: true })
})

describe('a consent', () => {
  const origin = { host: 'app.example', port: 8080 }
  const granted = { ...base, lists: [[]], grants: [createGrant(origin, ['93.184.216.34', '10.0.0.1'])] }
  test.each([
    ['93.184.216.34', undefined],
    ['10.0.0.1', undefined],
    ['::ffff:10.0.0.1', undefined],
    ['93.184.216.35', true],
    ['10.0.0.2', true],
    ['127.0.0.1', true],
    ['169.254.169.254', false],
  ])('of two addresses holds for %s: %p', (address, promptable) => {
    expect(checkOrigin(origin, granted)).toBeUndefined()
    expect(checkAddress(origin, address, granted)?.promptable).toBe(promptable)
  })
  test('holds for no other host and port, also none that means the same', () => {
    const local = {
      ...base,
      lists: [[]],
      grants: [{ ...origin, host: '127.0.0.1', addresses: ['127.0.0.1'] }],
    }
    expect(checkOrigin({ host: '127.0.0.1', port: 8080 }, local)).toBeUndefined()
    expect(checkOrigin({ host: 'localhost', port: 8080 }, local)).toMatchObject({ promptable: true })
    expect(checkOrigin({ ...origin, port: 8081 }, granted)).toMatchObject({ promptable: true })
    expect(checkOrigin({ ...origin, host: 'b.example' }, granted)).toMatchObject({ promptable: true })
  })
})

const byte = fc.nat(255)
const v4 = fc.tuple(byte, byte, byte, byte).map((all) => all.join('.'))

test('property: no list, no grant and no consent opens one of our ports on this machine, or metadata', () => {
  const host = fc.constantFrom(
    'localhost',
    'app.example',
    '127.0.0.1',
    '192.168.7.7',
    '::1',
    '169.254.169.254',
  )
  const address = fc.oneof(
    v4,
    fc.constantFrom(
      '127.0.0.1',
      '192.168.7.7',
      '::ffff:127.0.0.1',
      '2600:1::7',
      ...Object.values(addresses).flat(),
    ),
  )
  fc.assert(
    fc.property(host, address, fc.constantFrom(OWN, 80), fc.boolean(), (name, to, port, guarded) => {
      const origin = { host: name, port }
      const policy = { ...kindest(name, port), blocksPrivate: guarded }
      const opened = !checkOrigin(origin, policy) && !checkAddress(origin, to, policy)
      const here =
        addressKindOf(to) === 'loopback' ||
        base.machineAddresses.map(canonicalizeAddress).includes(canonicalizeAddress(to))
      if (addressKindOf(to) === 'metadata' || (port === OWN && here)) expect(opened).toBe(false)
    }),
    { numRuns: 1000 },
  )
})

test('property: a consent for some addresses opens exactly these', () => {
  fc.assert(
    fc.property(fc.array(v4, { minLength: 1, maxLength: 4 }), v4, (shown, later) => {
      const origin = { host: 'app.example', port: 443 }
      const policy = { ...base, lists: [[]], grants: [createGrant(origin, shown)] }
      for (const address of [...shown, later]) {
        const opened = checkAddress(origin, address, policy) === undefined
        expect(opened).toBe(shown.includes(address) && addressKindOf(address) !== 'metadata')
      }
    }),
    { numRuns: 300 },
  )
})
