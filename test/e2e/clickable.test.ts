// Everything on a page that reacts to the pointer has a ref, and a click on that ref makes the page react.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { clickablePages } from '../fixtures/clickable-pages.ts'
import { type Peer, share } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const stars =
  page(`<style>.star{width:20px;height:20px}</style><div class="star"></div><p id="note"></p><script>
  const star = document.querySelector('.star')
  star.onclick = () => star.classList.toggle('clicked')
  window.mutations = 0
  new MutationObserver((records) => (mutations += records.length)).observe(document, { subtree: true, childList: true, attributes: true })
</script>`)
// Opening the document again removes all listeners, also those that report listeners.
const reopened = page(`<p>First</p><script>
  const reopen = () => {
    document.open()
    document.write('<div class="save" style="width:20px;height:20px"></div>')
    document.close()
    document.querySelector('.save').addEventListener('click', () => {})
  }
</script>`)

const fields = page(
  '<input type="date" aria-label="Day"><input type="color" aria-label="Ink" value="#0000ff"><input type="file" aria-label="Scan"><input aria-label="Name" value="Ada" autofocus><button>Save</button><button>Undo</button>',
)

const entries = Object.entries(clickablePages)

describe.each(anyBrowser)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string

  beforeAll(async () => {
    const routes = Object.fromEntries(entries.map(([, { html }], index) => [`/${index}`, html]))
    site = await serveSite({ ...routes, '/stars': stars, '/reopened': reopened, '/fields': fields })
    peer = await share(browser)
    sessionId = await peer.session()
  }, 300_000)
  afterAll(async () => {
    await peer.close()
    site.close()
  })
  const call = (tool: string, input: Record<string, unknown> = {}) => peer.call(tool, { sessionId, ...input })
  const evaluate = async (script: string, input: Record<string, unknown> = {}) =>
    (await call('evaluate', { script, ...input })).data.result
  const refsIn = (text: string): string[] => [...text.matchAll(/ \[(\w+)\]/g)].map(([, ref = '']) => ref)

  test.each(entries.map(([name, entry], index) => [name, entry, index] as const))(
    '%s',
    async (_, { unknownToFirefox = [], noise = 0 }, index) => {
      await call('navigate', { url: `${site.url}/${index}` })
      const { snapshot } = (await call('snapshot')).data as { snapshot: string }
      if (process.env['SHOW']) console.log(snapshot)
      const refByTarget = new Map<string, string>()
      for (const ref of refsIn(snapshot)) {
        const target = await evaluate('(element) => element.dataset?.t ?? ""', { ref })
        if (target) refByTarget.set(target, ref)
      }
      const wanted: string[] = await evaluate(`(() => {
        const targets = []
        const collect = (root) => root.querySelectorAll('*').forEach((one) => {
          if (one.dataset?.t) targets.push(one.dataset.t)
          if (one.shadowRoot) collect(one.shadowRoot)
          if (one.contentDocument) collect(one.contentDocument)
        })
        collect(document)
        return targets
      })()`)
      expect(wanted.length).toBeGreaterThan(0)
      const known = wanted.filter((one) => browser !== 'firefox' || !unknownToFirefox.includes(one))
      expect(known.filter((one) => !refByTarget.has(one))).toEqual([])
      // How an engine clicks does not depend on what has told that something is clickable: in Firefox one of each page is.
      for (const target of browser === 'firefox' ? known.slice(0, 1) : known) {
        const clicked = await call('click', { ref: refByTarget.get(target) })
        expect(clicked.data).toMatchObject({ success: true })
        expect(await evaluate('hits.splice(0)')).toContain(target)
      }
      const clickable = snapshot.match(/ clickable\b/g)?.length ?? 0
      expect(clickable).toBeLessThanOrEqual(wanted.length + noise)
    },
    60_000,
  )

  test('an icon keeps its ref, its changes are reported, and the page notices no snapshot', async () => {
    await call('navigate', { url: `${site.url}/stars` })
    const readPage = () => evaluate('[mutations, Reflect.ownKeys(window).length, Reflect.ownKeys(star)]')
    await readPage()
    const before = await readPage()
    const { snapshot } = (await call('snapshot')).data
    const [, ref] = /generic "star" \[(\w+)\] clickable/.exec(snapshot) ?? []
    expect(ref).toBeString()
    expect(await readPage()).toEqual(before)
    expect((await call('click', { ref })).data.changes).toBe(`~ generic "star clicked" [${ref}] clickable`)
    expect((await call('click', { ref })).data.changes).toBe(`~ generic "star" [${ref}] clickable`)
    await evaluate('star.onclick = null')
    expect((await call('snapshot')).data.snapshot).not.toContain('star')
  }, 300_000)

  test('a field says what it takes, and which one has the focus is said in a snapshot and after a key', async () => {
    await call('navigate', { url: `${site.url}/fields` })
    const { snapshot } = (await call('snapshot')).data
    expect(snapshot.replaceAll(/ \[\w+\]/g, '')).toBe(`textbox "Day" date
textbox "Ink" color: #0000ff
button "Scan" file
textbox "Name" focused: Ada
button "Save"
button "Undo"`)
    const found = (await call('snapshot', { pattern: 'Name' })).data.snapshot
    expect(found).toMatch(/^textbox "Name" \[\w+\] focused: Ada$/)
    const ref = /button "Save" \[(\w+)\]/.exec(snapshot)?.[1]
    expect((await call('press_key', { key: 'Tab' })).data.changes).toBe(`~ button "Save" [${ref}] focused`)
    expect((await call('press_key', { key: 'a' })).data.changes).toBe('')
    // Who clicks knows where.
    expect((await call('click', { selector: 'text=Undo' })).data.changes).toBe('')
  }, 300_000)

  // Firefox reads listeners without a function in the document.
  if (browser === 'chromium')
    test('a document that was opened again is read like any other', async () => {
      await call('navigate', { url: `${site.url}/reopened` })
      expect((await call('snapshot')).data.snapshot).toBe('text: First')
      await evaluate('reopen()')
      expect((await call('snapshot')).data.snapshot).toMatch(/^generic "save" \[\w+\] clickable$/)
    }, 300_000)
})
