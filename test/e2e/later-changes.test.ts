// What comes to a page after the answer to an action: it is told as what came since then, and never as the effect of the next action.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Peer } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { everyMeans, type LaterSite, serveLaterSite } from '../support/later-site.ts'

/** Firefox counts timers of its own, so that nothing to come cannot always be told. */
const CALM = { chromium: /^Clicked\.\nNo changes\.$/, firefox: /^Clicked\.\nNo changes( yet)?\.$/ }

describe.each(anyBrowser)('%s', (browser) => {
  let site: LaterSite
  let peer: Peer
  beforeAll(async () => {
    site = await serveLaterSite()
    peer = await connect({ args: ['--headless', '--browser', browser] })
  }, 120_000)
  afterAll(async () => {
    await peer.close()
    site.close()
  })

  const open = async (path: string) => {
    const sessionId = await peer.session()
    const call = async (tool: string, input: Record<string, unknown> = {}) => {
      const { data, result } = await peer.call(tool, { sessionId, ...input })
      const [content] = result.content
      return { data, text: content?.type === 'text' ? content.text : '' }
    }
    await call('navigate', { url: site.url + path })
    await call('snapshot')
    return { click: (id: string) => call('click', { selector: `#${id}` }), call }
  }

  test('each means of a page', async () => {
    const { click, call } = await open('/')
    await call('evaluate', { script: 'ms = 300' })
    for (const [index, name] of everyMeans.entries()) {
      const effect = `Effect ${index + 1}.`
      const { text } = await click(name)
      await site.arrival(`/done/${index + 1}`)
      const next = await click('dead')
      const [since = '', own = ''] = next.text.split('Clicked.')
      // A slow machine answers after the effect.
      if (text.includes(effect)) continue
      expect([name, text]).toEqual([name, expect.stringContaining('No changes yet.')])
      expect([name, since.startsWith('since then:\n') && since]).toEqual([
        name,
        expect.stringContaining(effect),
      ])
      expect([name, own]).toEqual([name, expect.not.stringContaining(effect)])
      expect(next.data).toMatchObject({ since: expect.stringContaining(effect), changes: '' })
    }
  })

  const followMessage = async () => {
    const { click } = await open('/')
    for (const round of [1, 2]) {
      const { text } = await click('message')
      await site.arrival(`/gone/${round}`)
      const next = await click('dead')
      expect([round, text + next.text]).toEqual([round, expect.stringMatching(/alert.*: The title is taken/)])
    }
  }
  // A busy machine may answer after the message has gone.
  test('a message that has gone again', followMessage, { retry: 3 })

  test.each(['named', 'tab', 'post', 'script'])('a download is a part of the click: %s', async (id) => {
    const { click, call } = await open('/downloads')
    const { text } = await click(id)
    expect(text).toContain('Downloaded ')
    expect(text).not.toContain('Tab ')
    expect((await click('dead')).text).toMatch(CALM[browser])
    expect((await call('tabs', { action: 'list' })).data.tabs).toHaveLength(1)
  })

  test('nothing will come', async () => {
    const { click } = await open('/plain')
    expect((await click('dead')).text).toMatch(CALM[browser])
    expect((await click('idle')).text).toMatch(CALM[browser])
    expect((await click('late')).text).toBe('Clicked.\nNo changes yet.')
  })
})
