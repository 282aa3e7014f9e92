// `footlight view` and `--view` of the executable: one page for the sessions of several servers.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { expect as assertion } from 'playwright/test'
import { type BrowserPages, openPages } from '../../support/checks.ts'
import { callOrThrow, connect } from '../../support/client.ts'
import { serveOverHttp } from '../../support/http.ts'
import { until } from '../../support/leftovers.ts'
import { openShell } from '../../support/shell.ts'

const PAGE =
  'data:text/html,<title>Shop</title><button onclick="this.textContent=Number(this.textContent)%2B1">0</button>'
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/[\w-]+#[\w-]+/

let browsers: BrowserPages
beforeAll(async () => {
  browsers = await openPages('chromium', 1, { network: true })
}, 120_000)
afterAll(() => browsers.close())

const page = (): Page => browsers.pages[0] as Page

async function open(address: string): Promise<void> {
  await page().goto('about:blank')
  await page().goto(address)
  await assertion(page().getByRole('heading', { name: 'Sessions' })).toBeVisible({ timeout: 20_000 })
}

test('footlight view shows the sessions of all servers of the user, and starts a server where none runs', async () => {
  const shell = openShell()
  const empty = await shell.run('view')
  expect(empty).toMatchObject({ code: 0, err: '' })
  expect(empty.out).toMatch(new RegExp(`^${ADDRESS.source}\n$`))
  await open(empty.out.trim())
  await assertion(page().getByText('No session is open.')).toBeVisible()
  const peer = await connect({
    cwd: shell.folder,
    args: ['--headless'],
    env: { XDG_RUNTIME_DIR: shell.env['XDG_RUNTIME_DIR'] ?? '', FOOTLIGHT_AGENT: 'other' },
  })
  await callOrThrow(peer, 'create_session', { name: 'theirs' })
  await callOrThrow(peer, 'navigate', { url: PAGE })
  await shell.run('-s', 'mine', 'open', PAGE)
  const links = page().getByRole('link')
  await assertion(links).toHaveCount(2, { timeout: 20_000 })
  // A session of the other server: its picture, its timeline, and a person who clicks.
  await page().getByRole('link', { name: 'theirs' }).click()
  const picture = page().getByRole('img', { name: 'The page of theirs' })
  await assertion(picture).toHaveAttribute('src', /^data:image\/jpeg/, { timeout: 20_000 })
  await assertion(page().getByRole('listitem').filter({ hasText: 'action' })).toHaveText([
    /Opened a page of data/,
  ])
  // What a call verifies is no entry of the journal: it joins all the same.
  await callOrThrow(peer, 'wait_for', { text: '0' })
  await assertion(page().getByRole('listitem').filter({ hasText: 'verified' })).toHaveText([/0 is shown/])
  await page().getByRole('button', { name: 'Take over' }).click()
  await assertion(page().getByRole('textbox', { name: /mouse and keyboard go there/ })).toBeFocused()
  expect((await peer.call('click', { selector: 'button' })).data.errorCode).toBe('SESSION_BUSY')
  await picture.click({ position: { x: 14, y: 10 }, force: true })
  await page().getByLabel('Note').fill('clicked it')
  await page().getByRole('button', { name: 'Return' }).click()
  await assertion(page().getByRole('button', { name: 'Take over' })).toBeFocused()
  expect(
    (await callOrThrow(peer, 'evaluate', { script: 'document.querySelector("button").textContent' })).result,
  ).toBe('1')
  await peer.close()
  await assertion(page().getByText('This session is closed')).toBeVisible({ timeout: 20_000 })
  // Each command makes a new link, and the page goes with its server.
  const again = await shell.run('view')
  expect(again.out).not.toBe(empty.out)
  expect(new URL(again.out).pathname).toBe(new URL(empty.out).pathname)
  await shell.run('daemon', 'stop')
  await assertion(page().getByText('The server has ended.')).toBeVisible({ timeout: 20_000 })
  await page().goto('about:blank')
  await shell.close()
}, 180_000)

test('--view prints the address on stderr: over stdio, over HTTP, and of the shell', async () => {
  const peer = await connect({ args: ['--headless', '--view'] })
  await callOrThrow(peer, 'create_session', { name: 'shop' })
  expect(await until(() => ADDRESS.test(peer.stderr()))).toBe(true)
  await open(ADDRESS.exec(peer.stderr())?.[0] ?? '')
  await assertion(page().getByRole('link', { name: 'shop' })).toBeVisible()
  await page().goto('about:blank')
  await peer.close()
  const http = await serveOverHttp(['--view'])
  await open(ADDRESS.exec(http.stderr())?.[0] ?? '')
  await page().goto('about:blank')
  await http.close()
  const shell = openShell()
  const { err, out } = await shell.run('open', PAGE, '--view')
  expect([ADDRESS.test(err), ADDRESS.test(out)]).toEqual([true, false])
  await shell.close()
}, 120_000)
