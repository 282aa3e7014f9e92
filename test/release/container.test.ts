// No base image can be fetched here. So the lines of the container file are read: what is copied exists, and the executable starts with
// its variables and answers.

import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { binary } from '../support/client.ts'
import { until } from '../support/leftovers.ts'
import { reservePort } from '../support/reserve-port.ts'
import { root } from './support.ts'

const text = readFileSync(join(root, 'deploy/Containerfile'), 'utf8')
const linesOf = (word: string) =>
  [...text.matchAll(new RegExp(`^${word} (.*)$`, 'gm'))].map((match) => match[1] ?? '')

test('what is copied is what the build writes; the user is not root', () => {
  expect(linesOf('COPY')).toEqual(['dist/footlight /usr/local/bin/footlight'])
  expect(existsSync(join(root, 'dist/footlight'))).toBe(true)
  expect(linesOf('USER')).toEqual(['footlight'])
  expect(linesOf('ENTRYPOINT')).toEqual(['["tini", "--", "footlight"]'])
})

test('with the variables of the image the executable serves HTTP, and refuses who has no token', async () => {
  const variables = Object.fromEntries(
    linesOf('ENV').flatMap((line) => line.split(' ').map((part) => part.split('='))),
  )
  const folder = mkdtempSync(join(tmpdir(), 'fl-image-'))
  const port = await reservePort()
  const child = spawn(binary, ['--host', '127.0.0.1', '--http', String(port)], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, FOOTLIGHT_TOKEN: 'a'.repeat(32), ...variables },
    stdio: 'ignore',
  })
  try {
    const statusOf = (path: string, init?: RequestInit) =>
      fetch(`http://127.0.0.1:${port}${path}`, init).then(
        ({ status }) => status,
        () => 0,
      )
    let health = 0
    await until(async () => (health = await statusOf('/health')) !== 0, 60_000, 100)
    expect(health).toBe(200)
    expect(await statusOf('/mcp', { method: 'POST', body: '{}' })).toBe(401)
  } finally {
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('close', resolve))
    rmSync(folder, { recursive: true, force: true })
  }
}, 120_000)
