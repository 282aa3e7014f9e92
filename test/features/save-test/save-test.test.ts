// What a session did, saved as a Playwright test.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { callOrThrow, closeSessions, connect, type Peer } from '../../support/client.ts'
import { page, serveSite } from '../../support/site.ts'

const shop = [
  process.env['FOOTLIGHT_TEST_NODE'] ?? 'node',
  resolve(import.meta.dir, '../../fixtures/orders-app.mjs'),
]

let folder: string
let peer: Peer
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'saved-')))
  // As where tests run for every change: the configurations that are written for projects read it.
  peer = await connect({ cwd: folder, env: { CI: 'true' } })
})
afterEach(async () => {
  await closeSessions(peer)
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
})
afterAll(async () => {
  await peer.close()
  rmSync(folder, { recursive: true, force: true })
})

const call = (tool: string, input: Record<string, unknown> = {}) => callOrThrow(peer, tool, input)
const open = async (input: Record<string, unknown> = {}) => {
  const { url, pid } = await call('create_session', { command: shop, ...input })
  await call('navigate', { url })
  return { pid }
}
const order = (name: string) =>
  call('fill_form', {
    fields: [
      { selector: '[name=name]', value: name },
      { selector: '[name=password]', value: 'correct horse' },
      { selector: 'select', value: 'Large' },
      { selector: '[type=checkbox]', value: true },
    ],
    submit: true,
  })
const save = (input: Record<string, unknown> = {}) =>
  call('save_test', { path: 'tests/order.spec.ts', replay: 1, ...input })
const spec = () => readFileSync(join(folder, 'tests/order.spec.ts'), 'utf8')

describe('the test', () => {
  test('has no click on what nothing listens on', async () => {
    const site = await serveSite(
      {},
      page(
        '<p id="blank">Nothing here</p><div onclick="window.count = 1"><p id="heard">Heard</p></div><button onclick="this.nextSibling.textContent = `Done`">Go</button><output></output>',
        'Idle',
      ),
    )
    await call('create_session')
    await call('navigate', { url: `${site.url}/login` })
    for (const selector of ['#blank', '#heard', 'button']) await call('click', { selector })
    // Two replays tell that nothing listens.
    const { actions } = await save({ replay: undefined })
    site.close()
    expect(actions).toBe(3)
    expect(spec()).not.toContain("getByText('Nothing here').click")
    expect(spec()).toContain(`getByText('Heard').click()`)
    expect(spec()).toContain(`getByRole('button', { name: 'Go' }).click()`)
    expect(spec()).toContain(`test('Go'`)
  })

  test('has the actions by roles and labels, the checks, the secret by name, and a configuration that starts the server', async () => {
    await open()
    await order('Tea')
    await call('wait_for', { text: 'Tea (Large, gift)' })
    const { path, checks, replays, environment, config, run } = await save({
      name: 'order tea',
      replay: undefined,
    })
    expect([path, checks, replays]).toEqual([join(folder, 'tests/order.spec.ts'), 1, 2])
    expect(environment).toEqual(['PASSWORD'])
    expect(run).toBe(`not run with Playwright Test: @playwright/test is not installed for ${folder}`)
    expect(spec()).toBe(`// Needs in its environment: PASSWORD.
import { expect, test } from '@playwright/test';

test('order tea', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('textbox', { name: 'Name' }).fill('Tea');
  await page.getByRole('textbox', { name: 'Password' }).fill(process.env.PASSWORD!);
  await page.getByLabel('Size').selectOption('Large');
  await page.getByRole('checkbox', { name: 'Gift' }).check();
  await page.getByRole('button', { name: 'Order' }).click();
  await expect(page.getByText('Tea (Large, gift)')).toBeVisible();
});
`)
    expect(readFileSync(config, 'utf8')).toContain('webServer')
    expect(statSync(path).mode & 0o444).not.toBe(0o400)
  })

  test('names the row that a button is in, and leaves out what failed', async () => {
    await open()
    for (const name of ['Tea', 'Milk']) {
      await order(name)
      await call('wait_for', { selector: 'h1:has-text("Orders")' })
      if (name === 'Tea')
        await call('navigate', { url: new URL('/', (await call('get_session_status')).url).href })
    }
    const { data } = await peer.call('click', { selector: '#none', timeout: 200 })
    expect(data.errorCode).toBe('ELEMENT_NOT_FOUND')
    await call('click', { selector: 'li:nth-child(2) button' })
    await call('wait_for', { textGone: 'Milk' })
    await save()
    expect(spec().replaceAll(/\n\s*/g, '')).toContain("getByRole('listitem').filter({ hasText: 'Milk")
    expect(spec()).not.toContain('none')
  })

  test('gets checks of what changed where none was made, and says so', async () => {
    await open()
    await order('Tea')
    const { checks, notes } = await save()
    expect(checks).toBeGreaterThan(0)
    expect(notes.join(' ')).toContain('Added checks')
    expect(spec()).toMatch(/await expect\(page\.getBy.*(Tea|Orders)/)
  })

  test('says so if no check tells whether the last action works', async () => {
    await open()
    await call('click', { selector: 'h1' })
    await call('wait_for', { selector: 'h1', text: 'Shop' })
    const { notes } = await save()
    expect(notes.join(' ')).toContain('No check tells whether the last action (click')
  })

  test('answers a dialog, and goes on in a popup', async () => {
    await open()
    await call('click', { selector: 'button:has-text("Empty")' })
    await call('handle_dialog', { accept: true })
    await call('wait_for', { selector: '#state', text: 'Emptied' })
    await call('click', { selector: 'button:has-text("Help")' })
    const { tabs } = await call('tabs')
    await call('tabs', { action: 'select', tabId: tabs.at(-1).id })
    await call('click', { selector: 'button' })
    await call('wait_for', { text: 'Asked' })
    await save()
    expect(spec()).toContain("page.waitForEvent('dialog').then((dialog) => dialog.accept())")
    expect(spec()).toContain("page.waitForEvent('popup')")
    expect(spec()).toContain("popup.getByRole('button', { name: 'Ask' })")
  })

  test('of a part of the session begins at the page that it had', async () => {
    await open()
    await order('Tea')
    const { entries } = await call('timeline')
    await call('click', { selector: 'a >> nth=0' })
    await call('wait_for', { selector: 'h1', text: 'Shop' })
    await save({ since: entries.at(-1).seq })
    expect(spec()).toContain("page.goto('/orders')")
    expect(spec()).not.toContain('Tea')
  })
})

describe('secrets', () => {
  const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'

  test('neither the test nor its configuration has one: keys, variables and arguments of the server', async () => {
    await open({
      command: [...shop, '--token', token],
      env: { DB_PASSWORD: 'hunter2-x', MODE: 'test', GITHUB: token },
    })
    await call('type', { selector: '[name=name]', text: 'Tea' })
    await call('click', { selector: '[name=password]' })
    for (const key of ['h', 'Shift+u', 'KeyN', '7']) await call('press_key', { key })
    for (const key of ['e', 'R']) await call('press_key', { selector: '[name=password]', key })
    await call('press_key', { key: 'Enter' })
    await call('wait_for', { selector: 'h1', text: 'Orders' })
    const { environment, config, notes } = await save()
    expect(environment).toEqual(expect.arrayContaining(['PASSWORD', 'DB_PASSWORD', 'GITHUB']))
    const text = spec() + readFileSync(config, 'utf8') + JSON.stringify(notes ?? [])
    expect(text).toContain('page.keyboard.type(process.env.')
    expect(text).toContain("MODE: 'test'")
    expect(text).toContain('--token ${process.env.GITHUB}')
    expect(text).not.toMatch(/ghp_|hunter2|hUn7|press\('[heR7]'\)/)
  })

  test('only those that the test reads are given to its run', async () => {
    symlinkSync(resolve(import.meta.dir, '../../../node_modules'), join(folder, 'node_modules'), 'junction')
    writeFileSync(
      join(folder, 'playwright.config.ts'),
      `import { writeFileSync } from 'node:fs'
      writeFileSync('environment.json', JSON.stringify(process.env))
      export default { testDir: 'tests' }`,
    )
    writeFileSync(join(folder, 'secrets.env'), 'READ=read-value-7\nUNREAD=unread-value-7')
    const own = await connect({
      args: ['--headless', '--secrets', 'secrets.env'],
      cwd: folder,
      env: { CI: 'true' },
    })
    await callOrThrow(own, 'create_session')
    await callOrThrow(own, 'navigate', { url: 'data:text/html,<label>Note <input></label>' })
    await callOrThrow(own, 'type', { selector: 'input', text: '{{READ}}' })
    const request = { path: 'tests/note.spec.ts', replay: 1, run: true }
    expect((await callOrThrow(own, 'save_test', request)).run).toBe('1 passed')
    await own.close()
    const environment = JSON.parse(readFileSync(join(folder, 'environment.json'), 'utf8'))
    expect(environment).toMatchObject({ READ: 'read-value-7' })
    expect(environment).not.toHaveProperty('UNREAD')
  })
})

describe('with the Playwright Test of the project', () => {
  test('is run by what was written, with its secrets: its configuration starts the server at the PORT of the proof; the session goes on', async () => {
    symlinkSync(resolve(import.meta.dir, '../../../node_modules'), join(folder, 'node_modules'), 'junction')
    // The orders are kept in memory: what the session's server has is not what the configuration starts.
    const { url, port } = await call('create_session', { command: `node ${shop[1]} $PORT` })
    await call('navigate', { url })
    await order('Tea')
    await call('wait_for', { text: '1 in all' })
    const { run, config } = await save()
    expect(run).toBe('1 passed')
    expect(readFileSync(config, 'utf8')).toContain(`env: { PORT: '${port}' }`)
    await call('close_session')
    expect(
      await call('run_test', { path: 'tests/order.spec.ts', env: { PASSWORD: 'correct horse' } }),
    ).toMatchObject({ passed: 1 })
  })

  test('is red there where a step is true only once, and the answer says so', async () => {
    symlinkSync(resolve(import.meta.dir, '../../../node_modules'), join(folder, 'node_modules'), 'junction')
    const server = `const fs = require('fs'); const list = () => fs.readdirSync('.').filter((name) => name.endsWith('.user')).length
      require('http').createServer((request, response) => {
        if (request.url === '/add') fs.writeFileSync(list() + '.user', '')
        response.setHeader('content-type', 'text/html').end('<a href="/add">Add</a><p>' + list() + ' users')
      }).listen(process.env.PORT, '127.0.0.1')`
    await open({ command: [shop[0], '-e', server] })
    await call('click', { selector: 'text=Add' })
    await call('wait_for', { text: '1 users' })
    rmSync(join(folder, '0.user'))
    const { failed, data } = await peer.call('save_test', { path: 'tests/order.spec.ts', replay: 1 })
    expect([failed, data.errorCode]).toEqual([true, 'TEST_FAILED'])
    expect(JSON.stringify(data.details.notes)).toContain('true only once')
  })
})

describe('what is not saved', () => {
  test('steps that do not succeed again: the failing one is named, with evidence', async () => {
    const marker = join(folder, 'once')
    writeFileSync(marker, '')
    const server = `const fs = require('fs'); const isFirst = fs.existsSync(${JSON.stringify(marker)}); fs.rmSync(${JSON.stringify(marker)}, { force: true });
      require('http').createServer((_, response) => response.setHeader('content-type', 'text/html').end(isFirst ? '<button>Buy</button>' : '<button>Sold out</button>')).listen(process.env.PORT, '127.0.0.1')`
    await open({ command: [shop[0], '-e', server] })
    await call('click', { selector: 'text=Buy' })
    const { failed, data } = await peer.call('save_test', { path: 'tests/order.spec.ts' })
    expect(failed).toBe(true)
    expect(data.errorCode).toBe('ELEMENT_NOT_FOUND')
    expect(data.message).toMatch(/^Step 2 of 2 \(click getByRole\('button', \{ name: 'Buy' \}\)\) failed/)
    expect(JSON.stringify(data.evidence.candidates)).toContain('Sold out')
    expect(existsSync(join(folder, 'tests'))).toBe(false)
    expect((await call('list_sessions')).sessions).toHaveLength(1)
  })

  test('at a path that is no test or outside of the workspace, over a file that exists, or without an action', async () => {
    const { pid } = await open()
    for (const [path, expected] of [
      ['order.ts', 'spec.ts'],
      ['../order.spec.ts', 'ACCESS_DENIED'],
    ]) {
      const { failed, data } = await peer.call('save_test', { path })
      expect(failed).toBe(true)
      expect(JSON.stringify(data)).toContain(expected ?? '')
    }
    // Nothing was replayed: that restarts the server.
    expect((await call('restart_server')).previousPid).toBe(pid)
    await save()
    const again = await peer.call('save_test', { path: 'tests/order.spec.ts' })
    expect(again.data.message).toContain('exists')
    await call('close_session')
    await call('create_session')
    const empty = await peer.call('save_test', { path: 'tests/empty.spec.ts' })
    expect(empty.data.message).toContain('Navigate, act and check')
  })
})
