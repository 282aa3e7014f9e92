// A tester reads the application's data, and nobody its secrets: logins with ordinary words, forms, errors of an API, pictures, and pages
// that do not say which of their fields are secret.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answer, connect, type Peer, share } from '../support/client.ts'
import { bothBrowsers } from '../support/engines.ts'
import { until } from '../support/leftovers.ts'
import { pool } from '../support/pool.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const json = (body: unknown) => (_: unknown, response: any) => {
  response.writeHead(200, {
    'content-type': 'application/json',
    'x-tenant': 'blue',
    'x-request-id': 'k3j9x0q2m5n8b1v7',
  })
  response.end(JSON.stringify(body))
}

const routes = {
  '/login': page(
    `<h1>admin test react</h1><p>Signed out. The administrator tests React; 1234 users.</p>
    <form><label>User <input name="username" id="user"></label><label>Enter <input type="password" name="field2" id="pass"></label></form>
    <script>
      document.querySelector('form').onsubmit = (event) => event.preventDefault()
      const send = () => fetch('/api/login', { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: String(new URLSearchParams(new FormData(document.querySelector('form')))) })
    </script>`,
    'Login of admin',
  ),
  '/checkout': page(
    `<form><input id="mail" name="email" value="ada@example.com"><select name="state"><option value="CA">California</select>
    <input id="coupon" name="code" value="SAVE10"><input id="zip" name="zip" autocomplete="new-password" value="94107-1234">
    <input id="cvc" name="cvc" value="917"></form><p>Order 4711-2026-11, state=CA, code=SAVE10, key=Enter, ada@example.com</p>`,
    'Checkout',
  ),
  '/api/error': json({
    error: 'conflict',
    code: 'E_CONFLICT',
    state: 'running',
    key: 'users.email',
    tokenCount: 512,
  }),
  '/api/login': json({ user: 'admin', role: 'admin', session: 'a8Fk2Lm9Qx7Rt4Zp' }),
  '/api': page(`<script>fetch('/api/error')</script><p>API</p>`),
  '/early': page(
    `<input type="password" value="kn0wn-early"><p>It is kn0wn-early</p><script>console.log('early kn0wn-early'); fetch('/none?x=kn0wn-early')</script>`,
    'kn0wn-early',
  ),
  '/busy': page(
    `<input type="password" value="kn0wn-busy"><p>It is kn0wn-busy</p>
    <script>console.log('busy kn0wn-busy'); function wait() { const x = new XMLHttpRequest(); x.open('GET', '/hold', false); x.send() }</script>`,
  ),
  '/growing': page(
    `<script>const timer = setInterval(() => {
      const number = document.querySelectorAll('input').length
      if (number > 250) return clearInterval(timer)
      const field = document.body.appendChild(Object.assign(document.createElement('input'), { type: 'password', value: 'kn0wn-grown-' + number }))
      console.log('now ' + field.value)
    }, 10)</script>`,
  ),
  '/codes': page(
    `<style>input, textarea { font: 24px monospace; display: block; border: 0; padding: 0; margin: 0; box-sizing: border-box; width: 300px; height: 30px; resize: none; overflow: hidden } body { margin: 0 }</style>
    <input id="pwd" value="MMMMMMMM1"><input id="user-pin" value="MMMMMMMM2"><input id="shipping" value="MMMMMMMM3"><input autocomplete="one-time-code" value="MMMMMMMM4"><input name="one-time" value="MMMMMMMM5"><textarea name="client_secret">MMMMMMMM6</textarea><textarea name="about">MMMMMMMM7</textarea>`,
  ),
  '/mask': page(
    `<style>input { font: 24px monospace; display: block; border: 0; padding: 0; margin: 0; box-sizing: border-box; width: 300px; height: 30px } body { margin: 0 }</style>
    <input name="pin" value="1MMMMMMMM"><input name="city" value="2MMMMMMMM"><input name="pwd" value="3MMMMMMMM"><input id="new" autocomplete="new-password" value="4MMMMMMMM">
    <input name="note" value="5MMMMMMMM"><div id="host"></div><script>host.attachShadow({ mode: 'open' }).innerHTML = '<style>input { font: 24px monospace; display: block; border: 0; padding: 0; margin: 0; box-sizing: border-box; width: 300px; height: 30px }</style><input name="otp" value="6MMMMMMMM"><input name="town" value="7MMMMMMMM">'</script>`,
  ),
}

describe.each(bothBrowsers)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string
  let held: { end(): void } | undefined
  const call = async (tool: string, input: Record<string, unknown> = {}) =>
    peer.call(tool, { sessionId, ...input })
  const data = async (tool: string, input: Record<string, unknown> = {}) => (await call(tool, input)).data
  beforeAll(async () => {
    site = await serveSite({ ...routes, '/hold': (_, response) => void (held = response) })
    peer = await share(browser)
    sessionId = await peer.session()
  })
  afterAll(async () => {
    held?.end()
    await peer.close()
    site.close()
  })

  test('a login with admin and admin: only the password field is hidden', async () => {
    await call('navigate', { url: `${site.url}/login` })
    await call('fill_form', {
      fields: [
        { selector: '#user', value: 'admin' },
        { selector: '#pass', value: 'admin' },
      ],
    })
    const { snapshot, title } = await data('snapshot')
    expect(title).toBe('Login of admin')
    expect(snapshot).toContain('heading "admin test react"')
    expect(snapshot).toContain('The administrator tests React; 1234 users.')
    expect(snapshot).toMatch(/textbox "User" \[\w+\]: admin/)
    expect(snapshot).toMatch(/textbox "Enter" \[\w+\] focused: \[redacted\]/)
    const { content } = await data('get_content', { format: 'text' })
    expect(content).toContain('admin test react')
    await call('evaluate', { script: 'send().then((r) => r.text())' })
    await until(
      async () =>
        (await data('network_requests', { pattern: 'login$', filter: 'fetch' })).entries[0]?.state === 'done',
    )
    const { entries } = await data('network_requests', { pattern: 'api/login' })
    const exchange = await data('network_requests', { id: entries[0].seq, part: 'body' })
    // Firefox does not tell what was sent.
    if (browser === 'chromium') expect(exchange.request.body).toBe('username=admin&field2=[redacted]')
    expect(exchange.response.body).toBe('{"user":"admin","role":"admin","session":"[redacted]"}')
    expect((await data('evaluate', { script: 'document.querySelector("h1").textContent' })).result).toBe(
      'admin test react',
    )
  })

  test('a checkout: state, coupon, mail and orders are read, the card code is not', async () => {
    await call('navigate', { url: `${site.url}/checkout` })
    const { snapshot } = await data('snapshot')
    for (const shown of [
      'ada@example.com',
      'SAVE10',
      '94107-1234',
      'California',
      'Order 4711-2026-11, state=CA, code=SAVE10, key=Enter',
    ])
      expect(snapshot).toContain(shown)
    expect(snapshot).not.toContain('917')
    const html = (await data('get_content', { format: 'html' })).content
    expect(html).toContain('value="SAVE10"')
    expect(html).not.toContain('917')
    expect(JSON.stringify(await data('dom_snapshot'))).not.toContain('917')
  })

  test('a secret that comes while the console or evidence is read is hidden in what comes with it', async () => {
    const answers: unknown[] = []
    const reads = [
      ['console_messages', { limit: 100 }],
      ['click', { selector: '#none', timeout: 50 }],
    ] as const
    for (const [tool, input] of reads) {
      await call('navigate', { url: `${site.url}/growing` })
      for (let count = 0; count < 10; count += 1) answers.push(await data(tool, input))
    }
    await call('navigate', { url: 'about:blank' })
    expect(JSON.stringify(answers)).toContain('now [redacted')
    expect(JSON.stringify(answers)).not.toContain('kn0wn-grown')
  }, 300_000)

  test("an API's error is read whole", async () => {
    await call('navigate', { url: `${site.url}/api` })
    await until(
      async () => (await data('network_requests', { pattern: 'api/error' })).entries[0]?.state === 'done',
    )
    const { entries } = await data('network_requests', { pattern: 'api/error' })
    expect((await data('network_requests', { id: entries[0].seq, part: 'body' })).response.body).toBe(
      '{"error":"conflict","code":"E_CONFLICT","state":"running","key":"users.email","tokenCount":512}',
    )
    expect((await data('network_requests', { id: entries[0].seq })).response.headers).toMatchObject({
      'x-tenant': 'blue',
      'x-request-id': 'k3j9x0q2m5n8b1v7',
    })
  })

  const first: readonly (readonly [string, Record<string, unknown>])[] = [
    ['console_messages', {}],
    ['network_requests', {}],
    ['timeline', {}],
    ['get_session_status', {}],
    ['tabs', {}],
    ['snapshot', {}],
    ['get_content', {}],
    ['dom_snapshot', {}],
    ['evaluate', { script: 'document.title' }],
    ['click', { selector: '#none', timeout: 100 }],
  ]
  // These wait for what a page says of its fields, each in a session of its own.
  const lanes = pool([1, 2, 3])
  // Firefox answers through the same functions; what it does by itself is the title, the fields and the script.
  const inFirefox = ['console_messages', 'snapshot', 'evaluate']
  test.concurrent.each(first.filter(([tool]) => browser === 'chromium' || inFirefox.includes(tool)))(
    'secrets are known before anything is shown: %s comes first',
    (tool, input) =>
      lanes.with(async () => {
        const own = await peer.session()
        const opened = await peer.call('navigate', { sessionId: own, url: `${site.url}/early` })
        expect(JSON.stringify(opened.data)).not.toContain('kn0wn-early')
        const answer = await peer.call(tool, { sessionId: own, ...input })
        expect(JSON.stringify(answer.data)).not.toContain('kn0wn-early')
        expect(JSON.stringify(answer.result.content.filter(({ type }) => type === 'text'))).not.toContain(
          'kn0wn-early',
        )
        await peer.call('close_session', { sessionId: own })
      }),
    90_000,
  )

  test.concurrent(
    'a page that does not report its secret fields: the answer says so and shows nothing',
    async () => {
      await call('navigate', { url: `${site.url}/busy` })
      await call('evaluate', { script: 'setTimeout(wait); 1' })
      expect(await until(() => held !== undefined)).toBe(true)
      for (const [tool, input] of [
        ['console_messages', {}],
        ['timeline', {}],
        ['snapshot', { timeout: 500 }],
        ['get_session_status', {}],
      ] as const) {
        const { data: told } = await call(tool, input)
        expect(JSON.stringify(told)).not.toContain('kn0wn-busy')
        // Firefox answers while a synchronous request is under way.
        if (tool === 'console_messages' && browser === 'chromium')
          expect(told).toMatchObject({
            errorCode: 'TIMEOUT',
            message: expect.stringContaining('secret fields'),
          })
      }
      held?.end()
      held = undefined
      await call('wait_for', { text: 'It is' })
      expect(JSON.stringify(await data('console_messages'))).toContain('busy [redacted]')
    },
    90_000,
  )

  test('a picture masks exactly the fields that count as secret, also in shadow roots', async () => {
    await call('navigate', { url: `${site.url}/mask` })
    const ink = await inkOf(peer, await call('screenshot'), 7)
    const most = Math.max(...ink)
    expect(ink.map((one) => one > most / 2)).toEqual([false, true, false, true, true, false, true])
    // Nothing of it stays on the page.
    const script2 = `[...document.adoptedStyleSheets, ...host.shadowRoot.adoptedStyleSheets].map((sheet) => sheet.cssRules.length)`
    expect((await data('evaluate', { script: script2 })).result).toEqual([0, 0])
  })

  test('a picture masks pwd, pin, one-time codes and secret textareas by their names', async () => {
    await call('navigate', { url: `${site.url}/codes` })
    const ink = await inkOf(peer, await call('screenshot'), 7)
    const most = Math.max(...ink)
    expect(ink.map((one) => one > most / 2)).toEqual([false, false, true, false, false, false, true])
    const snapshot = JSON.stringify(await data('snapshot'))
    expect(snapshot.match(/MMMMMMMM\d/g)).toEqual(['MMMMMMMM3', 'MMMMMMMM7'])
  })
})

/** How much dark there is in each row of a picture, 30 pixels high: M is full of ink, a row of dots is not. */
async function inkOf(peer: Peer, { result }: Answer, rows: number): Promise<number[]> {
  const image = result.content.find(({ type }) => type === 'image') as { data: string }
  const script = `(async ({ source, rows }) => {
    const picture = document.createElement('img'); picture.src = 'data:image/png;base64,' + source; await picture.decode()
    const canvas = document.createElement('canvas'); canvas.width = picture.width; canvas.height = picture.height
    const brush = canvas.getContext('2d'); brush.drawImage(picture, 0, 0)
    return Array.from({ length: rows }, (_, row) => {
      const { data } = brush.getImageData(0, row * 30 + 2, 200, 12)
      let ink = 0; for (let i = 0; i < data.length; i += 4) if (data[i] + data[i + 1] + data[i + 2] < 300) ink++
      return ink })
  })(arg)`
  const sessionId = await peer.session()
  const { data } = await peer.call('evaluate', { sessionId, script, arg: { source: image.data, rows } })
  await peer.call('close_session', { sessionId })
  return data.result
}

describe('declared secrets', () => {
  const long = `Str0ng-${'part of a long secret '.repeat(8)}`
  let folder: string
  let site: Site
  let peer: Peer
  let sessionId: string
  const call = (tool: string, input: Record<string, unknown> = {}) => peer.call(tool, { sessionId, ...input })
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fl-redaction-'))
    writeFileSync(join(folder, 'secrets.env'), `NOTE=9MMMMMMMM\nLONG=${long}\nSHORT=Hunter2-secret`)
    site = await serveSite({
      ...routes,
      '/cut': page(
        `<input type="date" id="date"><input type="number" id="number"><div title="${'x '.repeat(95)}Hunter2-secret"></div>
        <p style="text-transform: uppercase">It is Hunter2-secret</p>`,
        'Cut',
      ),
    })
    const args = ['--headless', '--tools', '+pdf', '--secrets', 'secrets.env']
    peer = await connect({ args, cwd: folder })
    sessionId = await peer.session()
  }, 300_000)
  afterAll(async () => {
    await peer.close()
    site.close()
    rmSync(folder, { recursive: true })
  })

  test('a PDF holds no text of secret fields, and all of the others; a picture also masks a field that holds one', async () => {
    await call('navigate', { url: `${site.url}/mask` })
    const printed = async () => {
      const { path } = (await call('pdf')).data
      return execFileSync('pdftotext', [path, '-'], { encoding: 'utf8' }).match(/\dM{8}/g)
    }
    expect(await printed()).toEqual(['2MMMMMMMM', '4MMMMMMMM', '5MMMMMMMM', '7MMMMMMMM'])
    const before = await inkOf(peer, await call('screenshot'), 5)
    await call('fill_form', { fields: [{ selector: '[name=note]', value: '{{NOTE}}' }] })
    expect(await printed()).toEqual(['2MMMMMMMM', '4MMMMMMMM', '7MMMMMMMM'])
    const after = await inkOf(peer, await call('screenshot'), 5)
    expect(after[4]).toBeLessThan((before[4] ?? 0) / 2)
    expect(after.slice(0, 4)).toEqual(before.slice(0, 4))
    expect(JSON.stringify((await call('snapshot')).data)).not.toContain('9MMMMMMMM')
  }, 300_000)

  test('a secret is hidden where a refusal or a DOM snapshot cuts it, and in the case in which a page shows it', async () => {
    await call('navigate', { url: `${site.url}/cut` })
    const answers = [
      await call('type', { selector: '#date', text: '{{LONG}}' }),
      await call('type', { selector: '#number', text: '{{LONG}}' }),
      await call('fill_form', { fields: [{ selector: '#date', value: '{{LONG}}' }] }),
      await call('dom_snapshot'),
      await call('get_content', { format: 'text' }),
    ]
    expect(answers.map(({ data }) => data.errorCode)).toEqual([
      ...Array(3).fill('INVALID_PARAMETERS'),
      undefined,
      undefined,
    ])
    expect(JSON.stringify(answers[3]?.data)).toContain('x [redacted]…')
    expect(answers[4]?.data.content).toContain('IT IS [redacted]')
    for (const { result } of answers) expect(JSON.stringify(result)).not.toMatch(/Str0ng|hunter2/i)
  }, 300_000)
})

test('progress, unknown names and resources that are not there show no secret', async () => {
  const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
  const peer = await share()
  const script = `console.log('using ${token}'); setInterval(() => {}, 1000)`
  const said: string[] = []
  const starting = peer.client.callTool(
    { name: 'create_session', arguments: { command: ['node', '-e', script], readyTimeout: 4000 } },
    undefined,
    { onprogress: ({ message }) => void said.push(message ?? ''), timeout: 60_000 },
  )
  const failed = await starting
  expect(said.join('\n')).toContain('using [redacted')
  expect(JSON.stringify([said, failed])).not.toContain(token)
  const unknown = await peer.client
    .callTool({ name: `${token}x`, arguments: {} })
    .catch((error: Error) => error.message)
  expect(String(unknown)).not.toContain(token)
  const missing = await peer.client
    .readResource({ uri: `footlight://sessions/${token}/console` })
    .catch((error: Error) => error.message)
  expect(String(missing)).not.toContain(token)
  await peer.close()
}, 300_000)
