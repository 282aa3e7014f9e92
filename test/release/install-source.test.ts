// Which mirrors install.sh trusts without sums from elsewhere: https, and this machine. What a URL's host is, is asked of a real parser.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import process from 'node:process'
import fc from 'fast-check'
import { type Ground, ground, script } from './install-support.ts'

let on: Ground
beforeAll(async () => void (on = await ground()))
afterAll(() => on.remove())

const shells = ['dash', 'bash', 'zsh'].filter((name) => Bun.which(name) !== null)
const tried = (url: string, shell = 'sh', ...more: string[]) =>
  on.run([shell, script, '--dry-run', '--version', '1.0.0', ...more], { FOOTLIGHT_DOWNLOAD_URL: url })
const loopback = ['127.0.0.1', 'localhost', '[::1]']

describe.skipIf(process.platform === 'win32')('the source', () => {
  test.each([
    'http://localhost@evil.example/',
    'http://localhost:8080@evil.example/',
    'http://localhost:@evil.example',
    'http://127.0.0.1:80@evil.example/x',
    'http://127.0.0.1:80:80/x',
    'http://127.0.0.1.evil.example',
    'http://127.0.0.1.evil.example:80/',
    'http://localhost.evil.example/',
    'http://localhosts/',
    'http://localhost:80x/',
    'http://localhost:evil.example/',
    'http://[::1].evil.example/',
    'http://[::1]@evil.example/',
    'http://[::1:2]/',
    'http://evil.example/localhost/',
    'http://evil.example/@localhost/',
    'http://user@localhost/',
    'http:///localhost/',
    'HTTP://EVIL.example/',
    'hTTp://localhost@evil.example/',
  ])('%s is plain http', async (url) => {
    for (const shell of shells) {
      const ran = await tried(url, shell)
      expect([shell, ran.status, ran.stdout]).toEqual([shell, 1, ''])
      expect(ran.stderr).toContain('plain http')
    }
  })
  test.each([
    'http://localhost\\@evil.example/',
    'http://evil.example\\@localhost/',
    'http://localhost#@evil.example/',
    'http://localhost?@evil.example/',
    'http://localhost\t/',
    'http://localhost\n.evil.example/',
    ' http://localhost/',
    'https://evil.example/\r',
    'https:/evil.example',
    'httpss://localhost/',
    'file:///etc/passwd',
    '//localhost/',
    'localhost:80',
    'https\\://x',
  ])('%j is none', async (url) => {
    for (const shell of shells) {
      const ran = await tried(url, shell)
      expect([shell, ran.status, ran.stdout]).toEqual([shell, 1, ''])
      expect(ran.stderr).toContain('expected https://')
    }
  })
  test.each([
    'http://localhost:8080/x',
    'http://localhost',
    'http://LOCALHOST:1/',
    'HTTP://LocalHost/',
    'http://127.0.0.1:8080',
    'http://127.0.0.1/mirror/@here',
    'http://[::1]/',
    'http://[::1]:8080/x',
    'https://mirror.example/x',
    'HTTPS://MIRROR.example:8443',
    'https://user:password@mirror.example/',
  ])('%s is trusted', async (url) => {
    for (const shell of shells) {
      const ran = await tried(url, shell)
      expect([shell, ran.status, ran.stderr]).toEqual([shell, 0, ''])
      // The scheme decides how it is fetched, so it is written in one way.
      expect(ran.stdout).toMatch(/would download https?:\/\//)
    }
  })
  test('what is trusted on plain http leads to this machine, whoever reads it', async () => {
    const piece = fc.constantFrom(
      ...loopback,
      'LOCALHOST',
      'evil.example',
      '@',
      ':',
      ':80',
      '.',
      '/',
      '\\',
      '#',
      '?',
      '%40',
      '%2f',
      '[',
      ']',
      'x',
    )
    let trusted = 0
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 5 }), async (pieces) => {
        const url = `http://${pieces.join('')}`
        if ((await tried(url)).status !== 0) return
        trusted += 1
        const { hostname, username, password } = new URL(url)
        expect([url, loopback.includes(hostname), username, password]).toEqual([url, true, '', ''])
      }),
      {
        numRuns: 300,
        examples: [[['localhost', ':80', '/']], [['[::1]']], [['localhost', ':', '@', 'evil.example']]],
      },
    )
    expect(trusted).toBeGreaterThan(1)
  }, 120_000)
  test('https in any spelling is fetched by https alone', async () => {
    const ran = await tried('HTTPS://mirror.example')
    expect(ran.stdout).toContain('would download https://mirror.example/')
  })
})
