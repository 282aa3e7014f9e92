// Everything on a page that reacts to the pointer has a ref, and a click on that ref makes the page react.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { clickablePages } from '../fixtures/clickable-pages.ts'
import { connect, type Peer } from '../support/client.ts'
import { serveSite, type Site } from '../support/site.ts'

const entries = Object.entries(clickablePages)

describe.each(['chromium', 'firefox'])('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string

  beforeAll(async () => {
    site = await serveSite(Object.fromEntries(entries.map(([, { html }], index) => [`/${index}`, html])))
    peer = await connect({ args: ['--headless', '--browser', browser] })
    sessionId = await peer.session()
  }, 90_000)
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
      for (const target of known) {
        await evaluate('hits.length = 0')
        const clicked = await call('click', { ref: refByTarget.get(target) })
        expect(clicked.data).toMatchObject({ success: true })
        expect(await evaluate('hits')).toContain(target)
      }
      const clickable = snapshot.match(/ clickable\b/g)?.length ?? 0
      expect(clickable).toBeLessThanOrEqual(wanted.length + noise)
    },
    60_000,
  )
})
