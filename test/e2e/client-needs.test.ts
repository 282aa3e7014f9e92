// What clients and models need of an answer and send with a call, through the official client.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ImplementationSchema } from '@modelcontextprotocol/sdk/types.js'
import { readImageSize } from '../../src/core/base/image-plan.ts'
import { type Answer, connect, share } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { until } from '../support/leftovers.ts'
import { serveSite, type Site } from '../support/site.ts'

const noise = `<canvas id="c"></canvas><script>
  c.width = 1200; c.height = 700
  const brush = c.getContext('2d'), data = brush.createImageData(1200, 700)
  for (let i = 0; i < data.data.length; i += 65536) crypto.getRandomValues(data.data.subarray(i, i + 65536))
  for (let i = 3; i < data.data.length; i += 4) data.data[i] = 255
  brush.putImageData(data, 0, 0)
</script>`

// In base64 these bytes are the text of an access key.
const tokenShaped = Buffer.from('AKIAQ3EGXM4TZ7LNPW2D', 'base64')

let folder: string
let site: Site
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fl-clients-'))
  site = await serveSite({
    '/': '<title>Shop</title><button>Buy</button><input>',
    '/tall': '<body style="margin:0"><div style="height:20000px;background:linear-gradient(red,blue)">',
    '/noise': noise,
    '/download': '<a href="/file.bin" download>Get it</a>',
    '/file.bin': (_, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' })
      response.end(tokenShaped)
    },
  })
})
afterAll(() => {
  site.close()
  rmSync(folder, { recursive: true, force: true })
})

const images = ({ result }: Answer) =>
  result.content.flatMap((block) => (block.type === 'image' ? [Buffer.from(block.data, 'base64')] : []))

test('the server and its icon are valid for strict clients', async () => {
  const peer = await share()
  const server = peer.client.getServerVersion()
  expect(ImplementationSchema.parse(server)).toEqual(server as never)
  const [icon] = server?.icons ?? []
  expect(new URL(icon?.src ?? '').protocol).toBe('data:')
  const [, data = ''] = /^data:image\/svg\+xml;base64,([A-Za-z0-9+/]+={0,2})$/.exec(icon?.src ?? '') ?? []
  expect(Buffer.from(data, 'base64').toString('base64')).toBe(data)
  expect(Buffer.from(data, 'base64').toString()).toStartWith('<svg xmlns="http://www.w3.org/2000/svg"')
  await peer.close()
})

test('every answer has either an image or structured content, and its facts as text in any case', async () => {
  const peer = await connect({ args: ['--headless', '--tools', '+mouse', '--output-dir', folder] })
  const sessionId = await peer.session()
  const call = (tool: string, input = {}) => peer.call(tool, { sessionId, ...input })
  await call('navigate', { url: site.url })
  const { tools } = await peer.client.listTools()
  const inputs: Record<string, Record<string, unknown>> = {
    click: { selector: 'button' },
    type: { selector: 'input', text: 'a' },
    navigate: { url: site.url },
    evaluate: { script: '1' },
    tabs: { action: 'list' },
    exists: { selector: 'a' },
    steps: { calls: [{ tool: 'exists', selector: 'a' }] },
    wait_for: { selector: 'button' },
    mouse: { action: 'move', x: 1, y: 1 },
  }
  const withImage: string[] = []
  for (const { name, outputSchema } of tools.filter(({ name }) => !/^(create|close)_session$/.test(name))) {
    const { result } = await peer.call(name, name === 'list_sessions' ? {} : { sessionId, ...inputs[name] })
    const hasImage = result.content.some(({ type }) => type === 'image')
    if (hasImage) withImage.push(name)
    expect([name, result.structuredContent === undefined]).toEqual([name, hasImage])
    // One of the calls of steps may return an image.
    expect([name, outputSchema === undefined]).toEqual([name, hasImage || name === 'steps'])
    const [first] = result.content
    expect([name, first?.type === 'text' && first.text.length > 0]).toEqual([name, true])
  }
  expect(withImage).toEqual(['screenshot'])
  await peer.close()
}, 300_000)

test.each(anyBrowser)(
  '%s: a picture is never too large, and a tall page comes in parts',
  async (browser) => {
    const peer = await connect({ args: ['--headless', '--browser', browser, '--output-dir', folder] })
    const sessionId = await peer.session({ viewport: { width: 1200, height: 700 } })
    await peer.call('navigate', { sessionId, url: `${site.url}/tall` })
    const tall = await peer.call('screenshot', { sessionId, fullPage: true })
    expect(images(tall)).toHaveLength(4)
    for (const bytes of images(tall)) expect(readImageSize(bytes).height).toBe(1568)
    expect(tall.data.notes.join()).toMatch(
      /split into 13 parts from top to bottom; this result has the first 4/,
    )
    expect(readImageSize(readFileSync(tall.data.path)).height).toBe(20_000)
    const { contents } = await peer.client.readResource({ uri: tall.data.resource })
    expect(contents).toHaveLength(1)

    await peer.call('navigate', { sessionId, url: `${site.url}/noise` })
    const loud = await peer.call('screenshot', { sessionId })
    expect(images(loud)).toHaveLength(1)
    expect(images(loud)[0]?.length).toBeLessThanOrEqual(1_000_000)
    expect(loud.data).toMatchObject({ width: 1200, height: 700 })
    expect(loud.data.notes.join()).toStartWith('Returned as JPEG, because the PNG has more than 1 MB')
    const whole = await peer.call('screenshot', { sessionId, maxWidth: 1200 })
    expect(whole.data).not.toHaveProperty('notes')
    expect((images(whole)[0] ?? readFileSync(whole.data.path)).length).toBeGreaterThan(1_000_000)
    await peer.close()
  },
  90_000,
)

test('a picture of a device with a high density is scaled', async () => {
  const peer = await share()
  const sessionId = await peer.session({ device: 'iPhone 15' })
  const { data } = await peer.call('screenshot', { sessionId })
  expect(Math.max(data.width, data.height)).toBe(1568)
  expect(data.notes.join()).toMatch(/^Scaled from \d+ × \d+ pixels to \d+ × 1568/)
  await peer.close()
})

test('the bytes of a file come as they are, whatever their base64 looks like', async () => {
  const peer = await connect({ args: ['--headless', '--output-dir', folder] })
  const sessionId = await peer.session()
  await peer.call('navigate', { sessionId, url: `${site.url}/download` })
  await peer.call('click', { sessionId, selector: 'a' })
  const blob = async () => {
    const { resources } = await peer.client.listResources()
    const uri = resources.find(({ name }) => name.endsWith('file.bin'))?.uri
    if (uri === undefined) return ''
    const { contents } = await peer.client.readResource({ uri })
    return contents.map((one) => ('blob' in one ? one.blob : '')).join()
  }
  await until(async () => (await blob()) !== '')
  expect(await blob()).toBe(tokenShaped.toString('base64'))
  await peer.close()
}, 300_000)

test('a name with spaces is a session everywhere', async () => {
  const peer = await connect({ args: ['--headless', '--output-dir', folder] })
  const name = 'my shop, "été" 🙂/#1'
  const made = await peer.call('create_session', { name: `  ${name} ` })
  expect(made.data.message).toContain(name)
  for (const key of [name, ` ${name}  `, made.data.sessionId]) {
    expect((await peer.call('navigate', { sessionId: key, url: site.url })).data.title).toBe('Shop')
    expect((await peer.call('get_session_status', { sessionId: key })).data.page.title).toBe('Shop')
  }
  const failed = await peer.call('click', { sessionId: name, selector: '#none', timeout: 50 })
  expect(failed.data.evidence.page.title).toBe('Shop')
  const uri = `footlight://sessions/${encodeURIComponent(name)}/timeline`
  expect((await peer.client.readResource({ uri })).contents).toHaveLength(1)
  expect((await peer.call('list_sessions')).data.sessions[0].name).toBe(name)
  const again = await peer.call('create_session', { name })
  expect(again.data).toMatchObject({ errorCode: 'INVALID_PARAMETERS', details: { field: 'name' } })
  for (const bad of ['  ', 'x'.repeat(65), 'a\nb', crypto.randomUUID()])
    expect((await peer.call('create_session', { name: bad })).data.details.field).toBe('name')
  expect((await peer.call('close_session', { sessionId: name })).data.success).toBe(true)
  await peer.close()
})

test('null for what is left out, "2" for 2 and "true" for true are understood', async () => {
  const peer = await share()
  const { data } = await peer.call('create_session', { name: null, viewport: null, headless: 'true' })
  const { sessionId } = data
  await peer.call('navigate', { sessionId, url: site.url, timeout: null, waitUntil: null })
  const clicked = await peer.call('click', {
    sessionId,
    selector: 'button',
    ref: null,
    clickCount: '2',
    force: 'true',
    modifiers: null,
  })
  expect(clicked.data).toMatchObject({ success: true })
  await peer.close()
})

test('numbers in answers are whole', async () => {
  const peer = await connect({ args: ['--headless', '--output-dir', folder] })
  const sessionId = await peer.session({ timeout: 300 })
  const call = (tool: string, input = {}) => peer.call(tool, { sessionId, ...input })
  await call('navigate', { url: site.url, timeout: 30_000 })
  const answers = [
    await call('wait_for', { selector: 'button', text: 'Buy' }),
    await call('wait_for', { selector: 'button', text: 'Nothing' }),
    await call('wait_for', { selector: '#none' }),
    await call('wait_for', { url: 'nowhere' }),
    await call('fill_form', {
      fields: [
        { selector: 'input', value: 'a' },
        { selector: '#none', value: 'b' },
      ],
    }),
    await call('drag', { selector: 'button', toSelector: '#none' }),
    await call('hover', { selector: '#none' }),
    await call('type', { selector: '#none', text: 'a' }),
    await call('upload_file', { selector: 'input', paths: [] }),
    await call('screenshot', { selector: '#none' }),
    await call('evaluate', { script: 'new Promise(() => {})' }),
    await peer.call('get_session_status', { sessionId }),
    await peer.call('list_sessions'),
    await peer.call('timeline', { sessionId }),
    await peer.call('network_requests', { sessionId }),
    await peer.call('network_requests', { sessionId, id: 0, part: 'headers' }),
    await peer.call('console_messages', { sessionId }),
  ]
  for (const { data } of answers) {
    const { timeline: _, ...evidence } = data.evidence ?? {}
    expect(JSON.stringify({ ...data, evidence })).not.toMatch(/(?<![\d.])\d+\.\d+(?![\d.])/)
  }
  await peer.close()
}, 300_000)
