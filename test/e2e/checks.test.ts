// wait_for checks what an element is and has, by selector or ref, and lines of a snapshot. What it saw on the way is in its failure.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Peer, share } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const LIMIT_MS = 180_000
const body = `
<h1>Order</h1>
<form><label>Name <input id="name" value="A"></label><label>Password <input id="secret" type="password" value="Tr0ub4dor&3"></label>
<label>Country <select id="country"><option value="">Choose</option><option value="de">Germany</option></select></label>
<label><input id="terms" type="checkbox"> Terms</label><button id="send" disabled>Send</button></form>
<ul id="rows"></ul><p id="note" hidden>Not yet</p><p class="two">One</p><p class="two">Two</p>
<iframe src="/inner" title="Help"></iframe><x-box></x-box>
<script>
  class Box extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<button id="inside">Inside</button>' } }
  customElements.define('x-box', Box)
  const later = (ms, change) => setTimeout(change, ms)
  const { name: _, secret, country, terms, send, rows, note } = window, field = document.querySelector('#name')
</script>`
const inner = `<button id="more">More</button><script>
  onmessage = ({ data }) => setTimeout(() => { more.textContent = data; more.disabled = true }, 100)
</script>`

describe.each(anyBrowser)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string
  beforeAll(async () => {
    site = await serveSite({ '/': page(body), '/inner': page(inner), '/next': page('<p id="done">Done</p>') })
    peer = await share(browser)
    sessionId = await peer.session({ timeout: 60_000 })
  }, 300_000)
  afterAll(async () => {
    await peer.close()
    site.close()
  })
  const call = async (tool: string, input: Record<string, unknown> = {}) =>
    (await peer.call(tool, { sessionId, ...input })).data
  const open = () => call('navigate', { url: `${site.url}/` })
  const run = (script: string) => call('evaluate', { script: `{ ${script} } return 0` })
  const wait = (input: Record<string, unknown>) => call('wait_for', input)
  const success = { success: true }
  const snapshot = async () => String((await call('snapshot')).snapshot)
  const refOf = async (line: string) => {
    const found = (await snapshot()).split('\n').find((candidate) => candidate.includes(line))
    return /\[((?:f\d+)?e\d+)\]/.exec(found ?? '')?.[1] ?? `no ref of ${line}`
  }

  test(
    'by ref and by selector: value, count, state, text; each waits for its change',
    async () => {
      await open()
      const [name, send] = [await refOf('textbox "Name"'), await refOf('button "Send"')]
      await run(`later(200, () => { field.value = 'Ada' })`)
      expect(await wait({ ref: name, value: 'Ada' })).toMatchObject(success)
      await run(`later(200, () => { send.disabled = false; send.textContent = 'Send now' })`)
      expect(await wait({ ref: send, is: 'enabled', text: 'send NOW' })).toMatchObject(success)
      await run(`later(200, () => { rows.innerHTML = '<li>a<li>b<li>c' })`)
      expect(await wait({ selector: '#rows li', count: 3 })).toMatchObject(success)
      await run(`later(200, () => { country.value = 'de'; terms.checked = true; field.focus() })`)
      expect(await wait({ selector: '#country', value: 'de' })).toMatchObject(success)
      expect(await wait({ selector: '#country', value: 'Germany' })).toMatchObject(success)
      expect(await wait({ selector: '#terms', is: 'checked' })).toMatchObject(success)
      expect(await wait({ ref: name, is: 'focused' })).toMatchObject(success)
      expect(await wait({ selector: '#inside', is: 'visible' })).toMatchObject(success)
      expect(await wait({ selector: '#rows', is: 'empty', not: true })).toMatchObject(success)
      expect(await wait({ selector: '#name', is: 'readonly', not: true, value: 'Bob' })).toMatchObject(
        success,
      )
    },
    LIMIT_MS,
  )
  test(
    'refs and selectors into a frame, and a document that is replaced meanwhile',
    async () => {
      await open()
      const more = await refOf('button "More"')
      expect(more).toMatch(/^e\d+$/)
      await run(`frames[0].postMessage('Less', '*')`)
      expect(await wait({ ref: more, is: 'disabled', text: 'less' })).toMatchObject(success)
      expect(
        await wait({ selector: 'iframe >> internal:control=enter-frame >> #more', is: 'disabled' }),
      ).toMatchObject(success)
      await run(`later(300, () => { location.href = '/next' })`)
      expect(await wait({ selector: '#done', text: 'Done', is: 'visible' })).toMatchObject(success)
    },
    LIMIT_MS,
  )
  test(
    'lines of a snapshot, of the page and of an element, until they are there or gone',
    async () => {
      await open()
      const before = await snapshot()
      expect(await wait({ aria: before })).toMatchObject(success)
      await run(`later(300, () => { send.disabled = false; terms.checked = true })`)
      expect(await wait({ aria: 'checkbox "Terms" [e99] checked\nbutton "Send"' })).toMatchObject(success)
      expect(await wait({ selector: 'form', aria: '- textbox "Name": A' })).toMatchObject(success)
      await run(`later(300, () => { send.remove() })`)
      expect(await wait({ aria: 'button "Send"', not: true })).toMatchObject(success)
      expect(await wait({ aria: before, timeout: 3000 })).toMatchObject({
        errorCode: 'TIMEOUT',
        details: { observed: [expect.stringContaining('aria: no line')] },
      })
      expect(await wait({ selector: '#rows', aria: 'textbox "Name": A', timeout: 300 })).toMatchObject({
        errorCode: 'TIMEOUT',
      })
    },
    LIMIT_MS,
  )
  test(
    'a failure says what was seen, without secrets, and has evidence',
    async () => {
      await open()
      await run(`later(300, () => { rows.innerHTML = '<li>a<li>b' })`)
      const failed = await wait({ selector: '#rows li', count: 3, timeout: 1500 })
      expect(failed).toMatchObject({
        errorCode: 'TIMEOUT',
        details: { observed: [expect.stringMatching(/^count 0 -> 2 after \d+ ms, wanted 3$/)] },
      })
      expect(failed.message).toContain('#rows li to have count 3. Observed: count 0 -> 2 after')
      expect(failed.evidence.page.url).toBe(`${site.url}/`)
      const value = await wait({ selector: '#secret', value: 'abc', timeout: 300 })
      expect(value.details.observed).toEqual(['value [redacted], wanted "abc"'])
      const several = await wait({ selector: '.two', is: 'enabled', timeout: 300 })
      expect(several.details.observed).toEqual(['state of 2 matches, not of one, wanted enabled'])
      const hidden = await wait({ selector: '#note', is: 'hidden', not: true, timeout: 300 })
      expect(hidden.details.observed).toEqual(['state hidden, wanted not hidden'])
      expect((await wait({ selector: '#none', value: 'a', timeout: 300 })).details.observed).toEqual([
        'value missing, wanted "a"',
      ])
      expect((await wait({ selector: '#rows', value: 'a', timeout: 300 })).message).toContain(
        'it is no field',
      )
      expect((await wait({ selector: '#rows', is: 'checked', timeout: 300 })).message).toContain(
        'not a checkbox',
      )
    },
    LIMIT_MS,
  )
  test(
    'a ref that is gone: hidden, or stale; one that never was is never hidden',
    async () => {
      await open()
      const send = await refOf('button "Send"')
      await run(`later(200, () => { send.remove() })`)
      expect(await wait({ ref: send, state: 'hidden' })).toMatchObject(success)
      expect(await wait({ ref: send, is: 'visible', not: true })).toMatchObject(success)
      expect(await wait({ ref: send, is: 'enabled' })).toMatchObject({
        errorCode: 'ELEMENT_NOT_FOUND',
        details: { stale: true },
      })
      expect(await wait({ ref: 'e98765', is: 'hidden' })).toMatchObject({ errorCode: 'ELEMENT_NOT_FOUND' })
    },
    LIMIT_MS,
  )
  test(
    'a text is that of the element, unless that is not there; attached and visible are of the first match',
    async () => {
      await open()
      expect(await wait({ selector: '#send', text: 'Send' })).toMatchObject(success)
      expect(await wait({ selector: '#send', text: 'Two', timeout: 300 })).toMatchObject({
        details: { observed: ['text "Send", wanted "Two"'] },
      })
      expect(await wait({ selector: '#note', is: 'hidden', text: 'Two' })).toMatchObject(success)
      for (const is of ['visible', 'attached'])
        expect(await wait({ selector: '.two', is })).toMatchObject(success)
      expect(await wait({ selector: '.two', state: 'visible' })).toMatchObject(success)
      expect(await wait({ selector: '.two', text: 'two', count: 2 })).toMatchObject(success)
      expect(await wait({ selector: '#note', text: 'Not yet', not: true, timeout: 300 })).toMatchObject({
        errorCode: 'TIMEOUT',
      })
    },
    LIMIT_MS,
  )
  test.each([
    ['is without an element', { is: 'visible' }],
    ['value without an element', { value: 'a', text: 'b' }],
    ['not without an element', { text: 'b', not: true }],
    ['an absence without an element', { text: 'b', state: 'hidden' }],
    ['a selector and a ref', { selector: 'a', ref: 'e1' }],
    ['lines without a line', { aria: ' \n' }],
    ['a broken selector', { selector: 'b[', count: 1 }],
  ])('%s is a mistake', async (_, input) => {
    expect(await wait(input)).toMatchObject({ errorCode: 'INVALID_PARAMETERS' })
  })
})
