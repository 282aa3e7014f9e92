// Vite as npm installs it, through the built binary.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { connect, type Peer } from '../support/client.ts'
import { type Fetched, install } from '../support/npm.ts'

let fetched: Fetched
let app: string
let peer: Peer
beforeAll(async () => {
  peer = await connect()
  fetched = install('create-vite@9.3.0', 'vite@8.3.8')
  const made = spawnSync(
    'node',
    [join(fetched.folder, 'node_modules/.bin/create-vite'), 'app', '--template', 'vanilla'],
    { cwd: fetched.folder, encoding: 'utf8', input: '' },
  )
  app = join(fetched.folder, 'app')
  expect([made.status, readdirSync(app).includes('package.json')]).toEqual([0, true])
}, 300_000)
afterAll(async () => {
  await peer.close()
  fetched.remove()
})

test('npm run dev: its real port although the first is taken, hot reload, and a compile error in the evidence', async () => {
  const taken = createServer().listen(5173, 'localhost')
  const { sessionId, url, message } = (
    await peer.call('create_session', { command: 'npm run dev', cwd: app })
  ).data
  expect([message, url]).toEqual([
    expect.stringContaining('The server is ready'),
    expect.stringMatching(/:517[4-9]\/$/),
  ])
  const call = async (tool: string, input: Record<string, unknown> = {}) =>
    (await peer.call(tool, { sessionId, ...input })).data
  await call('navigate', { url })
  await call('click', { selector: '#counter' })
  expect(await call('wait_for', { text: 'Count is 1' })).toMatchObject({ success: true })

  const main = join(app, 'src/main.js')
  const source = readFileSync(main, 'utf8')
  writeFileSync(main, source.replace('Get started', 'Changed by hand'))
  expect(await call('wait_for', { text: 'Changed by hand' })).toMatchObject({ success: true })

  writeFileSync(main, `import './nowhere.js'\n${source}`)
  expect(await call('wait_for', { selector: 'vite-error-overlay', state: 'attached' })).toMatchObject({
    success: true,
  })
  const failed = await call('click', { selector: '#gone', timeout: 100 })
  expect(JSON.stringify(failed.evidence)).toMatch(/main\.js/)
  await call('close_session')
  taken.close()
}, 300_000)
