// A checkbox or radio under its own drawing, clipped or without a size is set by a click on it and by fill_form, in each browser.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Peer, share } from '../support/client.ts'
import { bothBrowsers } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const pages: Readonly<Record<string, string>> = {
  '/drawing': `<style>.o{opacity:0;position:absolute;z-index:-1;inset:0;margin:0}.w{position:relative;display:inline-flex}.i{width:14px;height:14px;border:1px solid;background:#fff}</style><label><span class="w"><input class="o" id="x" type="radio" name="s"><span class="i"></span></span> Large</label>`,
  '/clipped': `<style>.v{position:absolute;opacity:0;width:1px;height:1px;clip:rect(0 0 0 0)}.b{display:inline-block;width:14px;height:14px;border:1px solid}</style><label><input class="v" id="x" type="checkbox"><span class="b"></span> Large</label>`,
  '/zero': `<style>.v{position:absolute;opacity:0;width:0;height:0}</style><input class="v" id="x" type="checkbox"><label for="x" style="padding-left:24px">Large</label>`,
  '/later': `<style>.v{position:absolute;opacity:0;width:0;height:0}.b{display:inline-block;width:40px;height:20px;background:#ccc}</style><div style="position:relative;display:inline-flex" onclick="event.preventDefault(); setTimeout(() => { x.checked = !x.checked }, 60)"><input class="v" id="x" type="checkbox" aria-label="Large"><span class="b"></span></div>`,
  '/scrolled': `<style>.v{position:absolute;width:1px;height:1px;clip-path:inset(50%)}.b{display:inline-block;width:40px;height:20px;background:#ccc}label{position:relative}</style><div style="height:60px;overflow:auto"><div style="height:200px"></div><label><input class="v" id="x" type="checkbox"><span class="b"></span> Large</label></div>`,
  '/link': `<style>.v{position:absolute;opacity:0;width:1px;height:1px}</style><label><input class="v" id="x" type="checkbox"> Large and <a href="/terms">the very long terms and conditions of this shop</a></label>`,
}

const prevented = `<style>.v{position:absolute;opacity:0;width:0;height:0}</style><label for="x">Large</label><div onclick="event.preventDefault(); x.ariaChecked = String(x.ariaChecked !== 'true')"><input class="v" id="x" type="checkbox" role="switch" aria-checked="false"></div>`

describe.each(bothBrowsers)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string
  beforeAll(async () => {
    site = await serveSite(
      Object.fromEntries(
        Object.entries({ ...pages, '/prevented': prevented }).map(([path, html]) => [path, page(html)]),
      ),
    )
    peer = await share(browser)
    sessionId = await peer.session()
  })
  afterAll(() => {
    site.close()
    return peer.close()
  })

  test.each(Object.keys(pages).flatMap((path) => ['click', 'fill_form'].map((tool) => [path, tool])))(
    '%s by %s',
    async (path = '', tool = '') => {
      await peer.call('navigate', { sessionId, url: site.url + path })
      const snapshot = String((await peer.call('snapshot', { sessionId })).data['snapshot'])
      const ref = /(?:radio|checkbox) "Large[^\n]*?\[(e\d+)\]/.exec(snapshot)?.[1]
      const args = tool === 'click' ? { ref } : { fields: [{ ref, value: true }] }
      expect(await peer.call(tool, { sessionId, ...args })).toMatchObject({ data: { success: true } })
      const isChecked = { sessionId, selector: '#x', is: 'checked' }
      expect(await peer.call('wait_for', isChecked)).toMatchObject({ data: { success: true } })
    },
  )

  test('a switch that keeps its own state, which the browser takes back from the checkbox', async () => {
    await peer.call('navigate', { sessionId, url: `${site.url}/prevented` })
    const fields = [{ selector: '#x', value: true }]
    expect(await peer.call('fill_form', { sessionId, fields })).toMatchObject({ data: { success: true } })
    const { data } = await peer.call('evaluate', { sessionId, script: 'x.ariaChecked' })
    expect(data['result']).toBe('true')
  })
})
