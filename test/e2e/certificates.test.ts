// Certificates that no authority signed: the session's own server needs no leave, others need one, and what fails says which.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Peer, share } from '../support/client.ts'
import { bothBrowsers } from '../support/engines.ts'

const folder = mkdtempSync(join(tmpdir(), 'fl-cert-'))
const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
let other: ReturnType<typeof createServer>
let otherUrl: string

beforeAll(async () => {
  const wanted = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3 -subj /CN=localhost'
  const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const made = spawnSync('openssl', ['req', ...wanted.split(' '), ...names, '-keyout', key, '-out', cert])
  expect(made.status).toBe(0)
  other = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) =>
    response.setHeader('content-type', 'text/html').end('<title>Other</title>'),
  )
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  otherUrl = `https://127.0.0.1:${(other.address() as AddressInfo).port}/`
})
afterAll(() => {
  other.close()
  rmSync(folder, { recursive: true })
})

const secure = (said: string) => [
  'node',
  '-e',
  `const { readFileSync } = require('fs')
require('https').createServer({ key: readFileSync('${key}'), cert: readFileSync('${cert}') }, (request, response) => response.setHeader('content-type', 'text/html').end('<title>Own</title>'))
  .listen(process.env.PORT, '127.0.0.1', () => { ${said} })`,
]
const announcing = secure(`console.log('ready on https://localhost:' + process.env.PORT + '/')`)

// What a server announces and what the command line says are the same for both engines, so they are tried in Chromium.
for (const browser of bothBrowsers)
  describe(browser, () => {
    let plainPeer: Peer
    beforeAll(async () => {
      plainPeer = await share(browser)
    })
    afterAll(() => plainPeer.close())
    const open = async (input: Record<string, unknown>, peer = plainPeer) =>
      (await peer.call('create_session', input)).data
    const request = async (sessionId: string, url: string, peer = plainPeer) =>
      (await peer.call('navigate', { sessionId, url })).data

    test('the own server over TLS is opened, also after a restart and where it announces nothing', async () => {
      const { sessionId, url, port } = await open({ command: announcing })
      expect(url).toBe(`https://localhost:${port}/`)
      expect(await request(sessionId, url)).toMatchObject({ title: 'Own', status: 200 })
      const again = (await plainPeer.call('restart_server', { sessionId })).data
      expect(again.url).toBe(url)
      expect(await request(sessionId, url)).toMatchObject({ title: 'Own', status: 200 })
      if (browser === 'firefox') return
      const silent = await open({ command: secure('') })
      expect(silent.url).toBe(`https://localhost:${silent.port}/`)
      expect(await request(silent.sessionId, silent.url)).toMatchObject({ title: 'Own', status: 200 })
    }, 300_000)

    test('behind host rules too', async () => {
      const { sessionId, url } = await open({ command: announcing, allowedDomains: ['example.com'] })
      expect(await request(sessionId, url)).toMatchObject({ title: 'Own', status: 200 })
    }, 300_000)

    test('another server over TLS needs leave, and the failure says how to give it', async () => {
      const refused = await request((await open({})).sessionId, otherUrl)
      expect(refused).toMatchObject({ errorCode: 'NAVIGATION_FAILED' })
      expect(refused.message).toMatch(/certificate .*ignoreHTTPSErrors.*--ignore-https-errors/)
      const plain = await open({
        command: [
          'node',
          '-e',
          `require('http').createServer((q, r) => r.end('x')).listen(process.env.PORT)`,
        ],
      })
      expect(await request(plain.sessionId, otherUrl)).toMatchObject({ errorCode: 'NAVIGATION_FAILED' })
      const { sessionId } = await open({ ignoreHTTPSErrors: true })
      expect(await request(sessionId, otherUrl)).toMatchObject({ title: 'Other', status: 200 })
    }, 300_000)

    if (browser === 'firefox') return
    test('--ignore-https-errors gives it to every session, and a session may refuse it', async () => {
      const peer = await connect({ args: ['--headless', '--ignore-https-errors'] })
      expect(await request((await open({}, peer)).sessionId, otherUrl, peer)).toMatchObject({
        title: 'Other',
      })
      const strict = await open({ ignoreHTTPSErrors: false }, peer)
      expect(await request(strict.sessionId, otherUrl, peer)).toMatchObject({
        errorCode: 'NAVIGATION_FAILED',
      })
      await peer.close()
    }, 300_000)
  })
