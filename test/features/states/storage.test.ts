// Cookies and storage of the current origin, in both engines.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Peer, share } from '../../support/client.ts'
import { anyBrowser } from '../../support/engines.ts'
import { page, serveSite, type Site } from '../../support/site.ts'

const TOKEN = 'ghp_1234567890abcdefghijklmnopqrstuvwxyzAB'
let site: Site
let otherSite: Site

beforeAll(async () => {
  const routes = {
    '/': (_: unknown, response: import('node:http').ServerResponse) => {
      response.setHeader('set-cookie', [
        'theme=dark; Path=/; SameSite=Lax; Max-Age=9999',
        `access_token=${TOKEN}; Path=/`,
      ])
      response.setHeader('content-type', 'text/html')
      response.end(page('<script>localStorage.cart = "3 lamps"; sessionStorage.step = "pay"</script>'))
    },
    '/frame': page('<iframe sandbox="allow-scripts" srcdoc="x"></iframe>'),
    '/echo': (request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) =>
      response.end(request.headers.cookie ?? ''),
  }
  site = await serveSite(routes)
  otherSite = await serveSite({ '/': page('<script>localStorage.other = "1"</script>') })
})
afterAll(() => {
  site.close()
  otherSite.close()
})

describe.each(anyBrowser)('%s', (browser) => {
  let peer: Peer
  beforeAll(async () => {
    peer = await share(browser)
    await peer.session()
    // A host of its own: cookies do not distinguish ports.
    await peer.call('navigate', { url: otherSite.url.replace('127.0.0.1', 'localhost') })
  }, 300_000)
  afterAll(() => peer.close(), 60_000)
  const storage = async (input: Record<string, unknown>) => (await peer.call('storage_state', input)).data
  const readState = async (input: Record<string, unknown>) =>
    (await storage({ action: 'read', ...input })).state
  const sentCookies = async (): Promise<string> => {
    const script =
      "fetch('/echo').then(async (answer) => [...(await answer.text()).replace(/access_token=[^;]*/, '')].join('|'))"
    return (await peer.call('evaluate', { script })).data.result.replaceAll('|', '')
  }

  test('reads, sets and clears cookies and storage of the current origin only', async () => {
    expect(await storage({ action: 'read', kind: 'local' })).toMatchObject({
      state: { localStorage: [{ name: 'other', value: '1' }] },
    })
    await peer.call('navigate', { url: site.url })
    const state = await readState({})
    expect(state.localStorage).toEqual([{ name: 'cart', value: '3 lamps' }])
    expect(state.sessionStorage).toEqual([{ name: 'step', value: 'pay' }])
    expect(state.cookies.map(({ name }: { name: string }) => name).sort()).toEqual(['access_token', 'theme'])
    expect(state.cookies.find(({ name }: { name: string }) => name === 'theme')).toMatchObject({
      value: '[redacted]',
      sameSite: 'Lax',
    })
    const ofSession = state.cookies.find(({ name }: { name: string }) => name === 'access_token')
    const attributes = ['domain', 'httpOnly', 'name', 'path', 'sameSite', 'secure', 'value']
    for (const attribute of Object.keys(ofSession)) expect(attributes).toContain(attribute)
    for (const [kind, name, value] of [
      ['cookie', 'theme', 'light'],
      ['cookie', 'lang', 'de'],
      ['local', 'cart', '4 lamps'],
      ['session', 'step', 'done'],
    ])
      expect(await storage({ action: 'set', kind, name, value })).toEqual({ success: true })
    const changed = await readState({})
    expect(changed.localStorage).toEqual([{ name: 'cart', value: '4 lamps' }])
    expect(changed.sessionStorage).toEqual([{ name: 'step', value: 'done' }])
    expect(changed.cookies.find(({ name }: { name: string }) => name === 'theme')).toMatchObject({
      value: '[redacted]',
      sameSite: 'Lax',
    })
    expect([...((await sentCookies()).match(/theme=\w+|lang=\w+/g) ?? [])].sort()).toEqual([
      'lang=de',
      'theme=light',
    ])
    expect(await storage({ action: 'clear', kind: 'cookie', name: 'lang' })).toEqual({
      success: true,
      cleared: 1,
    })
    expect(await storage({ action: 'clear', name: 'nothing' })).toEqual({ success: true, cleared: 0 })
    expect(await readState({ name: 'lang' })).toEqual({ cookies: [], localStorage: [], sessionStorage: [] })
    expect((await storage({ action: 'clear' })).cleared).toBe(4)
    expect(await readState({})).toEqual({ cookies: [], localStorage: [], sessionStorage: [] })
    expect(await sentCookies()).toBe('')
    await peer.call('navigate', { url: otherSite.url.replace('127.0.0.1', 'localhost') })
    expect((await readState({ kind: 'local' })).localStorage).toEqual([{ name: 'other', value: '1' }])
  })

  test('values of secrets are hidden, and long values are read by name', async () => {
    await peer.call('navigate', { url: site.url })
    await storage({ action: 'set', kind: 'local', name: 'apiKey', value: TOKEN })
    await storage({ action: 'set', kind: 'local', name: 'note', value: `token ${TOKEN}` })
    await storage({ action: 'set', kind: 'local', name: 'big', value: 'x'.repeat(5000) })
    const answers = [
      await storage({ action: 'read' }),
      await storage({ action: 'read', name: 'access_token' }),
    ]
    expect(JSON.stringify(answers)).not.toContain(TOKEN)
    expect(answers[0].state.localStorage).toContainEqual({ name: 'big', length: 5000 })
    expect(answers[0].notes).toHaveLength(1)
    expect((await readState({ name: 'big' })).localStorage[0].value).toHaveLength(5000)
  })

  test('what cannot be done fails with the reason', async () => {
    expect(await storage({ action: 'set', kind: 'local', name: 'x' })).toMatchObject({
      errorCode: 'INVALID_PARAMETERS',
      details: { field: 'value' },
    })
    // Firefox accepts it from a debugger.
    const prefixed = await storage({ action: 'set', kind: 'cookie', name: '__Host-x', value: 'y' })
    expect(prefixed).toMatchObject(
      browser === 'chromium' ? { errorCode: 'BROWSER_ERROR' } : { success: true },
    )
    const sessionId = await peer.session()
    expect(await storage({ sessionId, action: 'read' })).toMatchObject({
      errorCode: 'BROWSER_ERROR',
      message: expect.stringContaining('Navigate to a page'),
    })
    await peer.call('close_session', { sessionId })
  })
})
