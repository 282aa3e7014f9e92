// The URLs that this process itself may request on behalf of a session: its readyUrl, and the URL that a server contract reports.

import { expect, test } from 'bun:test'
import { isIP } from 'node:net'
import { type HostRule, parseHostRule } from '../../../src/core/base/network/host-rule.ts'
import type { ServerAddressCheck } from '../../../src/core/sessions/types/egress-proxy.ts'
import { createEgressProxies } from '../../../src/features/host-rules/egress-proxies.ts'

const rules = (...texts: string[]): HostRule[] =>
  texts.flatMap((text) => ((rule) => (rule.ok ? [rule.value] : []))(parseHostRule(text)))

const names: Readonly<Record<string, readonly string[]>> = {
  'app.test': ['93.184.216.34'],
  'home.test': ['192.168.1.7'],
  'local.test': ['127.0.0.1'],
  'cloud.test': ['169.254.169.254'],
  'both.test': ['127.0.0.1', '93.184.216.34'],
}
const createProxies = (list: HostRule[] | undefined, blocksPrivate = false, allowsPrivate = true) =>
  createEgressProxies({
    list,
    blocksPrivate,
    allowsPrivate,
    resolve: async (host) => names[host] ?? (isIP(host) ? [host] : []),
  })

test('nobody is asked where there is no rule', () => {
  expect(createProxies(undefined).createServerAddressCheck(undefined)).toBeUndefined()
  expect(createProxies(undefined).createServerAddressCheck(rules('app.test'))).toBeDefined()
  expect(createProxies(undefined, true).createServerAddressCheck(undefined)).toBeDefined()
  expect(createProxies(rules('app.test')).createServerAddressCheck(undefined)).toBeDefined()
})

test.each<[url: string, answer: ServerAddressCheck]>([
  ['http://app.test/', { addresses: ['93.184.216.34'], ofMachine: false }],
  ['http://local.test/', { addresses: ['127.0.0.1'], ofMachine: true }],
  ['http://both.test/', { addresses: ['127.0.0.1', '93.184.216.34'], ofMachine: false }],
  ['http://none.test/', { unreachable: 'none.test was not found' }],
])('%s is listed: %j', async (url, answer) => {
  const checkServerAddress = createProxies(rules('*.test', '127.0.0.1')).createServerAddressCheck(undefined)
  expect(await checkServerAddress?.(url)).toEqual(answer)
})

test.each([
  ['http://127.0.0.1:5173/', ['127.0.0.1'], true],
  ['http://192.168.1.7/', ['192.168.1.7'], false],
])('%s is not listed: refused, and where it leads is said', async (url, addresses, ofMachine) => {
  const checkServerAddress = createProxies(rules('app.test')).createServerAddressCheck(undefined)
  expect(await checkServerAddress?.(url)).toMatchObject({
    addresses,
    ofMachine,
    denial: { rule: expect.any(String) },
  })
})

test('a name that is not listed is not looked up', async () => {
  const answer = await createProxies(rules('app.test')).createServerAddressCheck(undefined)?.(
    'http://home.test/',
  )
  expect(answer).toEqual({
    denial: {
      host: 'home.test',
      port: 80,
      rule: 'the host is not in the allow-list',
      promptable: true,
      list: [{ host: 'app.test', isWildcard: false }],
    },
  })
})

test.each(['http://cloud.test/', 'http://169.254.169.254/', 'http://metadata.google.internal/'])(
  '%s is never asked, and nothing else is said of it',
  async (url) => {
    const checkServerAddress = createProxies(
      rules('*.test', '169.254.169.254', 'metadata.google.internal'),
    ).createServerAddressCheck(undefined)
    const answer = await checkServerAddress?.(url)
    expect(answer).toMatchObject({ denial: { promptable: false } })
    expect(answer).not.toHaveProperty('addresses')
  },
)

test('a port of ours is never asked', async () => {
  const proxies = createProxies(rules('local.test', '127.0.0.1'))
  const release = proxies.reservePort(4999)
  for (const url of ['http://local.test:4999/', 'http://127.0.0.1:4999/'])
    expect(await proxies.createServerAddressCheck(undefined)?.(url)).not.toHaveProperty('addresses')
  release()
  expect(await proxies.createServerAddressCheck(undefined)?.('http://local.test:4999/')).toMatchObject({
    ofMachine: true,
  })
})
