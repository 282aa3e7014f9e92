// A proxy of the user: browsers reach other machines through it, and this one without.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import process from 'node:process'
import { binary, connect } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { serveHttpProxy, serveSocksProxy } from '../support/proxy.ts'
import { page, serveSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => void (site = await serveSite({ '/': page('Here', 'On this machine') })))
afterAll(() => site.close())

const connectThrough = (server: string, browser: string, ...more: string[]) =>
  connect({ args: ['--headless', '--browser', browser, '--proxy-server', server, ...more] })

describe.each(anyBrowser)('%s', (browser) => {
  test('other hosts are reached through the proxy, this machine and hosts of the list without it', async () => {
    const proxy = await serveHttpProxy()
    const bypass = ['--proxy-bypass', 'direct.example *.corp.example']
    const peer = await connectThrough(`127.0.0.1:${proxy.port}`, browser, ...bypass)
    const sessionId = await peer.session()
    const open = async (url: string) => (await peer.call('navigate', { sessionId, url })).data
    expect(await open('http://app.example/')).toMatchObject({ title: 'Through the proxy', status: 200 })
    expect(await open(site.url)).toMatchObject({ title: 'On this machine', status: 200 })
    expect(await open(site.url.replace('127.0.0.1', 'localhost'))).toMatchObject({ status: 200 })
    expect(await open('https://secure.example/')).toMatchObject({ errorCode: 'NAVIGATION_FAILED' })
    for (const url of ['http://direct.example/', 'http://wiki.corp.example/'])
      expect(await open(url)).toMatchObject({ errorCode: 'NAVIGATION_FAILED' })
    expect(proxy.asked).toContain('GET http://app.example/')
    expect(proxy.asked).toContain('CONNECT secure.example:443')
    expect(proxy.asked.filter((line) => /127\.0\.0\.1|localhost|direct|corp/.test(line))).toEqual([])
    await peer.close()
    proxy.close()
  })

  test('a mock that changes answers asks the server in the same way', async () => {
    const proxy = await serveHttpProxy()
    const peer = await connectThrough(`127.0.0.1:${proxy.port}`, browser, '--proxy-bypass', '*.corp.example')
    const sessionId = await peer.session()
    const mock = { sessionId, url: '**/*', answer: { change: true, headers: { 'x-changed': 'yes' } } }
    expect((await peer.call('mock', mock)).failed).toBe(false)
    const open = async (url: string) => (await peer.call('navigate', { sessionId, url })).data
    await open('http://app.example/')
    expect(proxy.asked).toContain('CONNECT app.example:80')
    expect(await open(site.url)).toMatchObject({ title: 'On this machine' })
    expect(await open('http://wiki.corp.example/')).toMatchObject({ errorCode: 'NAVIGATION_FAILED' })
    expect(proxy.asked.filter((line) => /127\.0\.0\.1|corp/.test(line))).toEqual([])
    await peer.close()
    proxy.close()
  })

  test('a SOCKS proxy resolves the names', async () => {
    const proxy = await serveSocksProxy()
    const peer = await connectThrough(`socks5://127.0.0.1:${proxy.port}`, browser)
    const sessionId = await peer.session()
    const { data } = await peer.call('navigate', { sessionId, url: 'http://app.example/' })
    expect(data).toMatchObject({ title: 'Through the proxy', status: 200 })
    expect(proxy.asked).toContain('SOCKS app.example:80')
    for (const url of [site.url, site.url.replace('127.0.0.1', 'localhost')])
      expect((await peer.call('navigate', { sessionId, url })).data).toMatchObject({
        title: 'On this machine',
      })
    expect(proxy.asked.filter((line) => /127\.0\.0\.1|localhost/.test(line))).toEqual([])
    await peer.close()
    proxy.close()
  })
})

describe('what the proxy cannot be combined with is refused', () => {
  test.each([
    [['--allowed-hosts', 'example.com'], /host rules cannot be checked behind --proxy-server/],
    [['--ask-hosts'], /host rules cannot be checked behind --proxy-server/],
    [['--http', '0'], /--private-hosts allow/],
    [['--cdp-endpoint', 'http://127.0.0.1:1'], /--proxy-server is for browsers that Footlight starts/],
  ])('%s', (args, reason) => {
    const { exitCode, stderr } = Bun.spawnSync([binary, '--proxy-server', '127.0.0.1:1', ...args])
    expect(exitCode).not.toBe(0)
    expect(stderr.toString()).toMatch(reason)
  })
  test.each([
    'ftp://127.0.0.1',
    'http://me:secret@127.0.0.1:1',
    'http://me:secret#1@127.0.0.1:1',
    'me:secret@127.0.0.1:1',
    'socks5h://me:sec/ret@127.0.0.1:1',
  ])('%s, whose password is not printed', (text) => {
    for (const command of [[], ['login', 'http://127.0.0.1:1']]) {
      const { exitCode, stderr } = Bun.spawnSync([binary, ...command, '--proxy-server', text])
      expect(exitCode).not.toBe(0)
      expect(stderr.toString()).toContain('a proxy without a password, such as http://HOST:PORT')
      expect(stderr.toString()).not.toMatch(/secret|ret@/)
    }
  })
  test('host rules, also where a person logs in', () => {
    const env = { ...process.env, FOOTLIGHT_ASK_HOSTS: 'true' }
    const command = ['login', site.url, '--save', 'x', '--proxy-server', 'a:1']
    const { exitCode, stderr } = Bun.spawnSync([binary, ...command], { env })
    expect(exitCode).not.toBe(0)
    expect(stderr.toString()).toContain('host rules cannot be checked behind --proxy-server')
  })
  test('host rules of a session', async () => {
    const peer = await connectThrough('127.0.0.1:1', 'chromium')
    const { data } = await peer.call('create_session', { allowedDomains: ['example.com'] })
    expect(data).toMatchObject({ errorCode: 'INVALID_PARAMETERS' })
    expect(data.message).toContain('--proxy-server')
    await peer.close()
  })
})
