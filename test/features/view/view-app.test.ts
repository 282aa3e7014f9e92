// The view as an MCP App, in a host made of the protocol's own package.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect as assertion } from 'playwright/test'
import { openPages } from '../../support/checks.ts'
import { callOrThrow, connect } from '../../support/client.ts'
import { page as document, serveSite } from '../../support/site.ts'

const apps = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }
const URI = 'ui://footlight/view'
const MIME_TYPE = 'text/html;profile=mcp-app'

async function bundleHost(): Promise<string> {
  const result = await Bun.build({
    entrypoints: [join(import.meta.dir, '../../fixtures/app-host.ts')],
    target: 'browser',
  })
  const [output] = result.outputs
  return (await output?.text()) ?? ''
}

test('a client that renders no apps sees nothing of it', async () => {
  const peer = await connect()
  const { tools } = await peer.client.listTools()
  expect(tools.map(({ name }) => name)).not.toContain('view')
  expect(JSON.stringify(tools)).not.toContain('ui://')
  await expect(peer.call('view')).rejects.toThrow('Unknown tool "view"')
  await peer.close()
})

test('a host that renders apps shows the view beside handover: a person takes over and returns there', async () => {
  const peer = await connect({ args: ['--headless'], extensions: apps })
  const { tools } = await peer.client.listTools()
  const uiOf = (name: string) => tools.find((tool) => tool.name === name)?._meta?.['ui']
  expect(uiOf('handover')).toEqual({ resourceUri: URI })
  expect(uiOf('view')).toMatchObject({ visibility: ['app'] })
  const { contents } = await peer.client.readResource({ uri: URI })
  expect(contents).toMatchObject([{ uri: URI, mimeType: MIME_TYPE }])
  const html = String((contents[0] as { text?: string }).text)
  const site = await serveSite(
    {},
    document('<button onclick="this.textContent = \'Solved\'">I am no robot</button>', 'Captcha'),
  )
  await callOrThrow(peer, 'create_session', { name: 'shop' })
  await callOrThrow(peer, 'navigate', { url: site.url })
  await callOrThrow(peer, 'snapshot')
  const host = await serveSite({}, document('', 'Host'))
  const browsers = await openPages('chromium', 1, { network: true })
  const page = browsers.pages[0] as Page
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await page.exposeFunction('callTool', (params: { name: string; arguments: Record<string, unknown> }) =>
    peer.client.callTool(params),
  )
  await page.goto(host.url)
  await page.addScriptTag({ content: await bundleHost(), type: 'module' })
  // A module runs later than its tag is there.
  await page.waitForFunction(() => 'showApp' in globalThis)
  const handover = peer.call('handover', { reason: 'Solve the captcha' })
  await page.evaluate(
    (text) => (globalThis as never as { showApp(html: string): Promise<void> }).showApp(text),
    html,
  )
  const app = page.frameLocator('iframe')
  await app.getByRole('link', { name: /shop/ }).click()
  await assertion(
    app.locator('#reason').getByText('The agent asks for a person: Solve the captcha'),
  ).toBeVisible()
  await app.getByRole('button', { name: 'Take over' }).click()
  const picture = app.getByRole('img', { name: 'The page of shop' })
  await assertion(picture).toHaveAttribute('src', /^data:image\/jpeg/)
  // Before that, nobody takes the click.
  await assertion(app.getByRole('button', { name: 'Return' })).toBeVisible()
  await picture.click({ position: { x: 20, y: 12 }, force: true })
  await app.getByLabel('Note').fill('it was easy')
  await app.getByRole('button', { name: 'Return' }).click()
  const { data } = await handover
  expect(data).toMatchObject({ success: true, note: 'it was easy' })
  expect(data.changes).toContain('Solved')
  // A batch of comments, and what the agent says to it.
  for (const [index, name] of ['Add another', 'Send'].entries()) {
    if (index === 0) await app.getByRole('button', { name: 'Comment', exact: true }).click()
    await picture.click({ position: { x: 20, y: 12 } })
    await app.getByLabel('What do you say about it?').fill(`words ${index + 1}`)
    await app.getByRole('button', { name, exact: true }).click()
    await assertion(app.locator('#comment')).toBeHidden()
  }
  const { comments } = await callOrThrow(peer, 'wait_for', { comment: true })
  expect(comments).toMatchObject([
    { number: 1, name: 'button "Solved"', note: 'words 1' },
    { number: 2, name: 'button "Solved"', note: 'words 2' },
  ])
  await callOrThrow(peer, 'wait_for', { answers: ['2 done: it is blue', '1 question: why?'] })
  const items = app.getByRole('list', { name: 'Comments' }).getByRole('listitem')
  await assertion(items).toHaveText([/words 1question: why\?/, /words 2done: it is blue/])
  expect(errors).toEqual([])
  expect(await page.title()).toBe('initialized')
  await assertion(page.locator('iframe')).toHaveAttribute('data-height', /^\d/)
  await browsers.close()
  await Promise.all([peer.close(), site.close(), host.close()])
}, 120_000)
