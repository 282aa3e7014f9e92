// The sessions of one Firefox have windows of which one has the focus; no page notices which.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Peer, share } from '../support/client.ts'
import { bothBrowsers } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const fields = page(`<input id="name"><input id="mail"><div id="host"></div>
  <iframe srcdoc="<input id=inner><script>onblur = (event) => event.target === window && parent.note('blur frame')</script>"></iframe><script>
  const seen = []
  function note(text) { seen.push(text) }
  host.attachShadow({ mode: 'open' }).innerHTML = '<input id="deep">'
  for (const type of ['focusin', 'focusout'])
    for (const root of [document, host.shadowRoot])
      root.addEventListener(type, ({ target }) => target.id !== 'host' && note(type + ' ' + target.id))
  for (const type of ['focus', 'blur']) document.getElementById('name').addEventListener(type, () => note(type))
  window.addEventListener('blur', () => document.activeElement.localName === 'input' && note('window left'))
</script>`)
const LIMIT_MS = 180_000

describe.each(bothBrowsers)('%s', (browser) => {
  let site: Site
  let peer: Peer
  beforeAll(async () => {
    site = await serveSite({ '/': fields })
    // A page that is opened in advance would take the focus at any time; the shared Firefox opens none.
    const args = ['--headless', '--evidence', 'none', '--warm', '0']
    peer = await (browser === 'firefox' ? share(browser) : connect({ args }))
  }, 300_000)
  afterAll(async () => {
    await peer.close()
    site.close()
  })
  async function open() {
    const sessionId = await peer.session({ timeout: 60_000 })
    const call = async (tool: string, input: Record<string, unknown> = {}) =>
      (await peer.call(tool, { sessionId, ...input })).data
    await call('navigate', { url: site.url })
    return {
      click: (selector: string) => call('click', { selector }),
      read: async (script: string) => (await call('evaluate', { script })).result,
      events: async () => (await call('evaluate', { script: 'seen.splice(0).join(", ")' })).result,
      close: () => call('close_session'),
    }
  }

  test(
    'another session that takes the focus is no event in the page, and neither is its return',
    async () => {
      const own = await open()
      await own.click('#name')
      expect(await own.events()).toBe('focus, focusin name')
      const other = await open()
      await other.click('#name')
      expect(await other.events()).toBe('focus, focusin name')
      expect(await own.events()).toBe('')
      expect(await own.read('document.activeElement.id')).toBe('name')
      await own.click('#name')
      expect(await own.events()).toBe('')
      await other.click('#mail')
      expect(await other.events()).toBe('blur, focusout name, focusin mail')
      await own.click('#mail')
      expect(await own.events()).toBe('blur, focusout name, focusin mail')
      await Promise.all([own.close(), other.close()])
    },
    LIMIT_MS,
  )
  test(
    'what the page itself does to the focus is one, also while another session has it',
    async () => {
      const own = await open()
      await own.click('#name')
      await own.events()
      const other = await open()
      await own.click('#deep')
      expect(await own.events()).toBe('blur, focusout name, focusin deep')
      await other.click('#name')
      expect(await own.events()).toBe('')
      await own.read('document.getElementById("name").focus()')
      await own.click('#name')
      expect(await own.events()).toBe('focusout deep, focus, focusin name')
      await own.read('document.activeElement.blur()')
      expect(await own.events()).toBe('blur, focusout name')
      await Promise.all([own.close(), other.close()])
    },
    LIMIT_MS,
  )
  test(
    'a frame that takes the focus and gives it back',
    async () => {
      const own = await open()
      await own.click('#name')
      await own.events()
      await own.click('iframe >> internal:control=enter-frame >> #inner')
      expect(await own.events()).toBe('blur, focusout name')
      await own.click('#mail')
      expect(await own.events()).toBe('blur frame, focusin mail')
      await own.close()
    },
    LIMIT_MS,
  )
})
