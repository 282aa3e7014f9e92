// Whether a page and its dev server are older than the source files, with a server that reads its files for each request and one that
// keeps its modules.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  serveForAnHour,
  serveFromMemory,
  serveStatically,
  startWithoutWatch,
} from '../../apps/freshness-servers.ts'
import { connect, type Peer } from '../../support/client.ts'
import { anyBrowser } from '../../support/engines.ts'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'fl-freshness-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(anyBrowser)('%s', (browser) => {
  let peer: Peer
  beforeAll(
    async () => void (peer = await connect({ args: ['--headless', '--browser', browser], cwd: folder })),
  )
  afterAll(() => peer.close())

  const open = async (command = 'node server.mjs'): Promise<string> => {
    const { sessionId, url } = (await peer.call('create_session', { command, cwd: folder })).data
    const { data } = await peer.call('navigate', { sessionId, url })
    expect(data.notes).toBeUndefined()
    return sessionId
  }
  const freshnessOf = async (sessionId: string): Promise<string | undefined> =>
    (await peer.call('get_session_status', { sessionId })).data.freshness

  test('a file that changed after the page loaded it makes the page stale, until it is loaded again', async () => {
    await serveStatically(folder)
    const sessionId = await open()
    expect(await freshnessOf(sessionId)).toBeUndefined()
    // Within a quarter of a second after the load it may be one or the other.
    writeFileSync(join(folder, 'app.js'), "document.title = 'second'")
    expect(await freshnessOf(sessionId)).toMatch(/tale page: app\.js changed \d+\.\d s ago.*wait_for/)
    const failure = await peer.call('click', { sessionId, selector: '#none', timeout: 300 })
    expect(failure.data.evidence.freshness).toContain('tale page: app.js changed')
    await peer.call('evaluate', { sessionId, script: 'setTimeout(() => location.reload(), 300); 1' })
    expect((await peer.call('wait_for', { sessionId, fresh: true, timeout: 60_000 })).failed).toBe(false)
    expect(await freshnessOf(sessionId)).toBeUndefined()
    expect((await peer.call('wait_for', { sessionId, fresh: true })).failed).toBe(false)
    // A file that the page does not use.
    writeFileSync(join(folder, 'other.js'), '')
    expect(await freshnessOf(sessionId)).toBeUndefined()
    await peer.call('close_session', { sessionId })
  })

  test('a page that failed to load is not waited for', async () => {
    await serveStatically(folder)
    const sessionId = await open()
    await peer.call('mock', { sessionId, url: '/', answer: { fail: true } })
    expect((await peer.call('history', { sessionId, direction: 'reload' })).failed).toBe(true)
    const { data } = await peer.call('wait_for', { sessionId, fresh: true, timeout: 60_000 })
    expect(data).toMatchObject({ errorCode: 'TIMEOUT', message: expect.stringContaining('failed to load') })
    await peer.call('close_session', { sessionId })
  })

  test('a module of the server that changed after its start asks for a restart', async () => {
    await startWithoutWatch(folder)
    const sessionId = await open()
    writeFileSync(join(folder, 'title.mjs'), "export const title = 'Second title'")
    const { data } = await peer.call('history', { sessionId, direction: 'reload' })
    expect(data.notes.join('\n')).toMatch(/^Stale server: title\.mjs changed .* restart_server\.$/)
    const waiting = await peer.call('wait_for', { sessionId, fresh: true, timeout: 60_000 })
    expect(waiting.data).toMatchObject({
      errorCode: 'TIMEOUT',
      message: expect.stringMatching(/^Waiting for .* title\.mjs would not help: .* Call restart_server\.$/),
    })
    await peer.call('restart_server', { sessionId })
    const reloaded = await peer.call('history', { sessionId, direction: 'reload' })
    expect(reloaded.data.notes).toBeUndefined()
    const title = await peer.call('get_content', { sessionId, format: 'text' })
    expect(title.data.content).toBe('Second title')
    await peer.call('close_session', { sessionId })
  })

  test('a reload shows the edit of a file that the browser may keep for an hour', async () => {
    await serveForAnHour(folder)
    writeFileSync(join(folder, 'app.js'), "document.title = 'first'")
    const sessionId = await open()
    writeFileSync(join(folder, 'app.js'), "document.title = 'second'")
    const { data } = await peer.call('history', { sessionId, direction: 'reload' })
    expect(data.title).toBe('second')
    expect((await peer.call('wait_for', { sessionId, fresh: true })).data.freshness).toBeUndefined()
    // A mock turns the cache off and on.
    await peer.call('mock', { sessionId, url: '/none', answer: { fail: true } })
    await peer.call('mock', { sessionId, remove: 'all' })
    await peer.call('history', { sessionId, direction: 'reload' })
    writeFileSync(join(folder, 'app.js'), "document.title = 'third'")
    expect((await peer.call('history', { sessionId, direction: 'reload' })).data.title).toBe('third')
    await peer.call('close_session', { sessionId })
  })

  test('a server that keeps what it has read is recognized by what the page received', async () => {
    await serveFromMemory(folder)
    writeFileSync(join(folder, 'app.js'), "document.title = 'first'")
    const sessionId = await open()
    writeFileSync(join(folder, 'app.js'), "document.title = 'second'")
    const { data } = await peer.call('history', { sessionId, direction: 'reload' })
    expect(data.title).toBe('first')
    const waiting = await peer.call('wait_for', { sessionId, fresh: true, timeout: 60_000 })
    expect(waiting.data.message).toMatch(/^Waiting for .* app\.js would not help: .* Call restart_server\.$/)
    await peer.call('restart_server', { sessionId })
    expect((await peer.call('history', { sessionId, direction: 'reload' })).data.title).toBe('second')
    expect((await peer.call('wait_for', { sessionId, fresh: true })).data.freshness).toBeUndefined()
    await peer.call('close_session', { sessionId })
  })

  test('a page of a server that has started itself again must be loaded by the caller', async () => {
    await startWithoutWatch(folder)
    const sessionId = await open('node --watch server.mjs')
    writeFileSync(join(folder, 'title.mjs'), "export const title = 'Second title'")
    const { data } = await peer.call('wait_for', { sessionId, fresh: true, timeout: 60_000 })
    expect(data.message).toMatch(/title\.mjs would not help: .* Call history \{direction: "reload"\}/)
    expect(data.evidence.freshness).toMatch(/^Stale page: title\.mjs changed .* from before\.$/)
    expect((await peer.call('history', { sessionId, direction: 'reload' })).data.notes).toBeUndefined()
    expect(
      (await peer.call('wait_for', { sessionId, fresh: true, timeout: 60_000 })).data.freshness,
    ).toBeUndefined()
    await peer.call('close_session', { sessionId })
  })
})
