// The proxy without a browser: requests that try to bypass it, and names whose addresses change.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createServer as createWebServer, type Server } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type HostRule, parseHostRule } from '../../../src/core/base/network/host-rule.ts'
import { createGrant } from '../../../src/core/base/network/host-rules.ts'
import type { EgressProxy } from '../../../src/core/sessions/types/egress-proxy.ts'
import { createEgressProxies } from '../../../src/features/host-rules/egress-proxies.ts'
import { until } from '../../support/leftovers.ts'

const rules = (...texts: string[]): HostRule[] =>
  texts.flatMap((text) => ((rule) => (rule.ok ? [rule.value] : []))(parseHostRule(text)))

let web: Server
let port: number
let hits: string[]
let proxies: EgressProxy[] = []
const denials: string[] = []

beforeEach(async () => {
  hits = []
  denials.length = 0
  web = createWebServer((request, response) => {
    hits.push(
      `${request.headers.host} ${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim(),
    )
    request.on('data', (chunk) => hits.push(String(chunk)))
    request.on('end', () => response.end('fine'))
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  port = (web.address() as AddressInfo).port
})
afterEach(() => {
  for (const proxy of proxies) proxy.close()
  proxies = []
  web.closeAllConnections()
  web.close()
})

async function openProxy(
  list: HostRule[],
  resolve?: (host: string) => Promise<readonly string[]>,
): Promise<EgressProxy> {
  const egressProxies = createEgressProxies({
    list,
    blocksPrivate: false,
    allowsPrivate: false,
    ...(resolve && { resolve }),
  })
  const proxy = await egressProxies.open(undefined, {
    onDenied: (url, { rule }) => void denials.push(`${url}: ${rule}`),
  })
  if (!proxy) throw new Error('no proxy')
  proxies.push(proxy)
  return proxy
}

/** Sends bytes to a proxy and returns all that it responds. */
const sendBytes = (proxy: EgressProxy, ...parts: string[]) =>
  new Promise<string>((resolve) => {
    let received = ''
    const socket = connect(Number(new URL(proxy.address).port), '127.0.0.1', () =>
      parts.forEach((part) => socket.write(part)),
    )
    socket.on('data', (chunk) => (received += chunk))
    socket.on('close', () => resolve(received))
    socket.on('error', () => resolve(received))
    setTimeout(() => socket.destroy(), 1500).unref()
  })

test('a request passes, rewritten; a body in parts and in chunks passes whole', async () => {
  const proxy = await openProxy(rules(`localhost:${port}`))
  const received = await sendBytes(
    proxy,
    `POST http://localhost:${port}/a?b HTTP/1.1\r\nHost: evil.test\r\nProxy-Authorization: Basic x\r\nTransfer-Encoding: chunked\r\n`,
    '\r\n3\r\nabc\r\n',
    '0\r\n\r\n',
  )
  expect(received).toStartWith('HTTP/1.1 200 OK\r\n')
  expect(received).toContain('Connection: close\r\nProxy-Connection: close')
  expect(received).toContain('fine')
  expect(hits).toEqual([`localhost:${port} POST /a?b`, 'abc'])
})

test('a second request on the same connection is never served', async () => {
  const proxy = await openProxy(rules(`localhost:${port}`))
  const one = `GET http://localhost:${port}/one HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`
  const two = `GET http://127.0.0.1:${port}/two HTTP/1.1\r\nHost: x\r\n\r\n`
  const received = await sendBytes(proxy, one + two)
  expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(1)
  expect(hits.filter((hit) => hit.includes('x GET'))).toEqual([])
})

test.each([
  'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET https://localhost/ HTTP/1.1\r\n\r\n',
  'GET ftp://localhost/ HTTP/1.1\r\n\r\n',
  'CONNECT user@localhost:80 HTTP/1.1\r\n\r\n',
  'CONNECT localhost HTTP/1.1\r\n\r\n',
  'nonsense\r\n\r\n',
  `GET http://localhost/ HTTP/1.1\r\nx: ${'y'.repeat(70_000)}`,
])('%p is not served', async (bytes) => {
  const proxy = await openProxy(rules('localhost'))
  expect(await sendBytes(proxy, bytes)).not.toContain('200')
  expect(hits).toEqual([])
})

test('tunnels go where they are allowed and nowhere else', async () => {
  const proxy = await openProxy(rules(`localhost:${port}`))
  const inside = `GET /in HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
  expect(await sendBytes(proxy, `CONNECT localhost:${port} HTTP/1.1\r\n\r\n`, inside)).toContain('fine')
  expect(await sendBytes(proxy, `CONNECT 127.0.0.1:${port + 1} HTTP/1.1\r\n\r\n`, inside)).toContain('403')
  expect(await sendBytes(proxy, `CONNECT [::ffff:7f00:1]:${port} HTTP/1.1\r\n\r\n`, inside)).toContain('403')
  expect(hits).toEqual(['a GET /in'])
  expect(denials).toHaveLength(2)
})

test('a name that leads to a public address and then to this machine is refused the second time', async () => {
  const lookups: string[] = []
  const answers = [
    ['203.0.113.9'],
    ['127.0.0.1'],
    ['93.184.216.34', '127.0.0.1'],
    ['::ffff:127.0.0.1'],
    ['169.254.169.254'],
  ]
  const proxy = await openProxy(rules('rebind.test'), async (host) => {
    lookups.push(host)
    return answers[lookups.length - 1] ?? []
  })
  for (const _ of answers) {
    const received = await sendBytes(proxy, `GET http://rebind.test/ HTTP/1.1\r\nHost: rebind.test\r\n\r\n`)
    expect(received).toContain('403')
  }
  expect(denials.every((text) => /resolves to/.test(text))).toBe(true)
  expect(hits).toEqual([])
})

test('the address that was judged is the one that is dialled, and a name is asked for once a connection', async () => {
  let lookups = 0
  const proxy = await openProxy(rules(`localhost:${port}`), async () => {
    lookups += 1
    return lookups === 1 ? ['127.0.0.1'] : ['10.0.0.1']
  })
  expect(await sendBytes(proxy, `GET http://localhost:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`)).toContain('200')
  expect(lookups).toBe(1)
})

test('a closed proxy leaves no port and no connection', async () => {
  const proxy = await openProxy(rules(`localhost:${port}`))
  const open = connect(Number(new URL(proxy.address).port), '127.0.0.1')
  let closed = false
  open.on('close', () => (closed = true))
  open.on('error', () => {})
  await new Promise<void>((resolve) => open.once('connect', () => resolve()))
  proxy.close()
  expect(await until(() => closed)).toBe(true)
  const again = createServer()
  await new Promise<void>((resolve, reject) => {
    again.once('error', reject)
    again.listen(Number(new URL(proxy.address).port), '127.0.0.1', () => resolve())
  })
  again.close()
})

describe('ports of ours', () => {
  const interfaces = Object.values(networkInterfaces()).flatMap((all = []) =>
    all.filter(({ family }) => family === 'IPv4').map(({ address }) => address),
  )
  test('are refused by address, whatever the name and although it is listed and granted', async () => {
    let to = ''
    const egressProxies = createEgressProxies({
      list: rules('app.test', '127.0.0.1', 'localhost', ...interfaces),
      blocksPrivate: false,
      allowsPrivate: true,
      resolve: async () => [to],
    })
    const proxy = await egressProxies.open(undefined, { onDenied: (_, { rule }) => void denials.push(rule) })
    if (!proxy) throw new Error('no proxy')
    proxies.push(proxy)
    const release = egressProxies.reservePort(port)
    const own = Number(new URL(proxy.address).port)
    const refusing = Number(new URL(await egressProxies.openRefusingProxy()).port)
    for (const taken of [port, own, refusing])
      for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0', ...interfaces])
        for (const host of ['app.test', address.includes(':') ? `[${address}]` : address]) {
          to = address
          denials.length = 0
          proxy.grant({ host, port: taken })
          expect(await sendBytes(proxy, `GET http://${host}:${taken}/ HTTP/1.1\r\n\r\n`)).toContain('403')
          expect([host, address, ...denials]).toEqual([host, address, 'a port of Footlight itself'])
        }
    expect(hits).toEqual([])
    // Once it is nobody's any more, it is a port like others.
    release()
    to = '127.0.0.1'
    expect(await sendBytes(proxy, `GET http://app.test:${port}/ HTTP/1.1\r\n\r\n`)).toContain('fine')
    egressProxies.close()
  })
  test('a port that two of ours listen on stays refused until both are gone', async () => {
    const egressProxies = createEgressProxies({
      list: rules('127.0.0.1'),
      blocksPrivate: false,
      allowsPrivate: true,
    })
    const proxy = await egressProxies.open(undefined, { onDenied: () => {} })
    if (!proxy) throw new Error('no proxy')
    proxies.push(proxy)
    const [first, second] = [egressProxies.reservePort(port), egressProxies.reservePort(port)]
    first()
    first()
    expect(proxy.check(`http://127.0.0.1:${port}/`)?.rule).toBe('a port of Footlight itself')
    second()
    expect(proxy.check(`http://127.0.0.1:${port}/`)).toBeUndefined()
  })
})

test('the proxy of the browser process refuses everything, and is gone when it is closed', async () => {
  const egressProxies = createEgressProxies({
    list: rules('localhost'),
    blocksPrivate: false,
    allowsPrivate: true,
  })
  const address = await egressProxies.openRefusingProxy()
  expect(await egressProxies.openRefusingProxy()).toBe(address)
  const to = { address } as EgressProxy
  for (const request of [`GET http://localhost:${port}/ HTTP/1.1`, `CONNECT localhost:${port} HTTP/1.1`])
    expect(await sendBytes(to, `${request}\r\n\r\n`)).toContain('403')
  expect(hits).toEqual([])
  egressProxies.close()
  expect(await until(async () => (await sendBytes(to, 'GET http://a/ HTTP/1.1\r\n\r\n')) === '')).toBe(true)
})

describe('consent', () => {
  const openAskingProxy = async (answers: Record<string, readonly string[]>, options = {}) => {
    const egressProxies = createEgressProxies({
      list: undefined,
      blocksPrivate: false,
      allowsPrivate: false,
      asksUser: true,
      resolve: async (host) => answers[host] ?? Promise.reject(new Error('no such name')),
      ...options,
    })
    const proxy = await egressProxies.open(undefined, { onDenied: (_, { rule }) => void denials.push(rule) })
    if (!proxy) throw new Error('no proxy')
    proxies.push(proxy)
    return proxy
  }
  test('without a list every host is asked about, at its addresses; never ours or metadata', async () => {
    const answers = {
      'app.test': ['127.0.0.1'],
      'both.test': ['93.184.216.34', '169.254.169.254'],
      'public.test': ['93.184.216.34', '2600:1::1'],
    }
    const proxy = await openAskingProxy(answers)
    const inspected = (host: string) => proxy.inspect(`http://${host}/`)
    expect(await inspected(`app.test:${port}`)).toMatchObject({ addresses: ['127.0.0.1'] })
    expect(await inspected('public.test')).toMatchObject({ addresses: answers['public.test'] })
    expect(await inspected('nobody.test')).toEqual({ unreachable: 'nobody.test was not found' })
    for (const never of [
      'both.test',
      'metadata.google.internal',
      `app.test:${new URL(proxy.address).port}`,
    ]) {
      const found = await inspected(never)
      expect([never, 'denial' in found, 'addresses' in found]).toEqual([never, true, false])
    }
    expect(await sendBytes(proxy, `GET http://app.test:${port}/ HTTP/1.1\r\n\r\n`)).toContain('403')
  })
  test('holds for the addresses that were shown: a name that moves is refused and asked about anew', async () => {
    const answers: Record<string, readonly string[]> = { 'app.test': ['127.0.0.1'] }
    const proxy = await openAskingProxy(answers)
    const url = `http://app.test:${port}/`
    const get = () => sendBytes(proxy, `GET ${url} HTTP/1.1\r\n\r\n`)
    proxy.grant(createGrant({ host: 'app.test', port }, ['127.0.0.1']), 60_000)
    expect(await get()).toContain('fine')
    expect(await proxy.inspect(url)).toEqual({ allowed: true })
    answers['app.test'] = ['127.0.0.2']
    expect(await get()).toContain('403')
    expect(denials).toEqual(['it resolves to 127.0.0.2, not to an address that was allowed'])
    expect(await proxy.inspect(url)).toMatchObject({ addresses: ['127.0.0.2'] })
    answers['app.test'] = ['127.0.0.1', '127.0.0.2']
    expect(await get()).toContain('403')
    expect(hits).toHaveLength(1)
  })
  test('a user elsewhere is not asked about this machine and its network', async () => {
    const answers = {
      'local.test': ['127.0.0.1'],
      'private.test': ['10.0.0.1'],
      'public.test': ['93.184.216.34'],
    }
    const proxy = await openAskingProxy(answers, { blocksPrivate: true, isRemote: true })
    for (const host of ['local.test', 'private.test', '10.0.0.1', 'localhost'])
      expect('addresses' in (await proxy.inspect(`http://${host}/`))).toBe(false)
    expect(await proxy.inspect('http://public.test/')).toMatchObject({ addresses: ['93.184.216.34'] })
  })
})
