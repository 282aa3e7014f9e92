// A filled field fires the events that a page waits for when a person leaves it, and a text that is no option is not called a choice.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Peer, share } from '../support/client.ts'
import { bothBrowsers } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const CHANGED = `<input aria-label="Code" oninput="setTimeout(() => { this.value = '' }, 0)">`

const routes = {
  '/frame': page(`<iframe srcdoc="${CHANGED.replaceAll('"', '&quot;')}"></iframe><input aria-label="Plain">`),
  '/fields': page(`
    <input aria-label="Plain"><input role="combobox" aria-label="Town"><textarea aria-label="Notes"></textarea>
    <input aria-label="Short" maxlength="4"><input aria-label="Number" type="number" value="5"><button>Leave</button>
    <script>
      const changes = []
      addEventListener('change', ({ target }) => changes.push(target.ariaLabel + '=' + target.value), true)
    </script>`),
  '/shadowed': page('<img name="activeElement"><img name="execCommand"><input aria-label="Plain">'),
  '/taken': page(`
    <input aria-label="First" value="old" onblur="setTimeout(() => this.focus(), 0)"><input aria-label="Second" value="old">`),
  '/taken-late': page(`
    <input aria-label="First" value="old"><input aria-label="Second" value="old">
    <script>
      const [first, second] = document.querySelectorAll('input')
      second.onselect = () => { if (second.selectionStart !== second.selectionEnd) first.focus() }
    </script>`),
  '/list': page(`
    <input role="combobox" aria-label="City" aria-expanded="false" aria-controls="list" id="box">
    <ul role="listbox" id="list" hidden><li role="option">Rome</li><li role="option">Oslo</li></ul>
    <script>
      const show = (isOpen) => { list.hidden = !isOpen; box.ariaExpanded = String(isOpen) }
      box.oninput = () => show(true)
      for (const option of list.children) option.onclick = () => { box.value = option.textContent; show(false) }
    </script>`),
}

describe.each(bothBrowsers)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string
  beforeAll(async () => {
    site = await serveSite(routes)
    peer = await share(browser)
    sessionId = await peer.session()
  })
  afterAll(() => {
    site.close()
    return peer.close()
  })
  const fill = (name: string, value: string) =>
    peer.call('fill_form', { sessionId, fields: [{ selector: `[aria-label="${name}"]`, value }] })

  test('leaving a filled field fires change', async () => {
    await peer.call('navigate', { sessionId, url: `${site.url}/fields` })
    for (const [name, value] of [
      ['Plain', 'some words'],
      ['Town', 'Bern'],
      ['Notes', 'two\nlines'],
      ['Short', 'abcdef'],
      ['Number', '12'],
      ['Plain', ''],
    ] as const)
      expect(await fill(name, value)).toMatchObject({ data: { success: true } })
    await peer.call('click', { sessionId, selector: 'button' })
    const { data } = await peer.call('evaluate', { sessionId, script: 'changes' })
    expect(data['result']).toEqual([
      'Plain=some words',
      'Town=Bern',
      'Notes=two\nlines',
      'Short=abcd',
      'Number=12',
      'Plain=',
    ])
  })

  test('a field of a frame that drops its text is not filled, also beside one of the page', async () => {
    await peer.call('navigate', { sessionId, url: `${site.url}/frame` })
    const fields = [
      { selector: "frameLocator('iframe').getByLabel('Code')", value: 'abc' },
      { selector: "getByLabel('Plain')", value: 'some words' },
    ]
    expect(await peer.call('fill_form', { sessionId, fields })).toMatchObject({ failed: true })
  })

  test('a field whose focus is taken back gets its text, or a failure', async () => {
    const both = async (path: string) => {
      await peer.call('navigate', { sessionId, url: site.url + path })
      const said = await peer.call('fill_form', {
        sessionId,
        fields: ['First', 'Second'].map((name) => ({ selector: `[aria-label="${name}"]`, value: 'new' })),
      })
      const script = "[...document.querySelectorAll('input')].map(({ value }) => value)"
      return [said.data, (await peer.call('evaluate', { sessionId, script })).data['result']]
    }
    expect(await both('/taken')).toEqual([{ success: true, filled: 2 }, ['new', 'new']])
    // In Firefox the page may act between the selection of a text and the one that takes its place.
    expect(await both('/taken-late')).toMatchObject(
      browser === 'chromium'
        ? [{ success: true }, ['new', 'new']]
        : [{ errorCode: 'ELEMENT_NOT_EDITABLE', details: { reason: 'unfocused' } }, ['newnew', 'old']],
    )
  })

  test('pictures with the names of what a document is asked for', async () => {
    await peer.call('navigate', { sessionId, url: `${site.url}/shadowed` })
    expect(await fill('Plain', 'some words')).toMatchObject({ data: { success: true } })
    const { data } = await peer.call('evaluate', {
      sessionId,
      script: "document.querySelector('input').value",
    })
    expect(data['result']).toBe('some words')
  })

  test('a text that is no option of the open list is said to be no choice', async () => {
    await peer.call('navigate', { sessionId, url: `${site.url}/list` })
    expect((await fill('City', 'Paris')).data).toMatchObject({
      success: true,
      notes: [expect.stringContaining('nothing was chosen')],
    })
    await peer.call('navigate', { sessionId, url: `${site.url}/list` })
    expect((await fill('City', 'Oslo')).data).toEqual({ success: true, filled: 1 })
  })
})
