// What the sessions of one browser could learn of each other although each has its own context: the history and the clipboard are the
// browser's.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PNG } from 'pngjs'
import { share, type SharedPeer } from '../support/client.ts'
import { bothBrowsers } from '../support/engines.ts'
import { until } from '../support/leftovers.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const RED = [255, 0, 0]
const body = `<style>
  body { margin: 0 }
  #link { display: block; width: 60px; height: 60px; background: rgb(255, 0, 0) }
  #link:visited { background: rgb(0, 0, 255) }
</style><a id="link" href="/visited"></a><input id="from"><textarea id="to"></textarea>
<button id="copy">Copy</button><button id="paste">Paste</button><script>
  const tell = (work) => work.then((text) => (to.value = text ?? 'copied'), (error) => (to.value = error.name))
  copy.onclick = () => tell(navigator.clipboard.writeText(from.value))
  paste.onclick = () => tell(navigator.clipboard.readText().then((text) => text || 'empty'))
</script>`

let site: Site
beforeAll(async () => void (site = await serveSite({ '/': page(body), '/visited': page('visited') })))
afterAll(() => site.close())

describe.each(bothBrowsers)('%s', (browser) => {
  let peer: SharedPeer
  beforeAll(async () => void (peer = await share(browser)))
  afterAll(() => peer.close())

  const opened = async (path = '') => {
    const sessionId = await peer.session()
    const call = async (tool: string, input: Record<string, unknown> = {}) => {
      const answer = await peer.call(tool, { sessionId, ...input })
      expect(answer.failed).toBe(false)
      return answer
    }
    await call('navigate', { url: site.url + path })
    return { sessionId, call }
  }

  test('links that another session visited have no colour of their own', async () => {
    const first = await opened('/visited')
    await first.call('navigate', { url: site.url })
    const second = await opened()
    const { result } = await second.call('screenshot', { selector: '#link' })
    const image = result.content.find(({ type }) => type === 'image') as { data: string } | undefined
    const { width, height, data } = PNG.sync.read(Buffer.from(image?.data ?? '', 'base64'))
    const middle = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 4
    expect([...data.subarray(middle, middle + 3)]).toEqual(RED)
    for (const { sessionId } of [first, second]) await peer.call('close_session', { sessionId })
  })

  /** Two ways to copy and to paste: by keys, and by a script after a click. */
  const person = async () => {
    const { sessionId, call } = await opened()
    if (browser === 'chromium') await call('emulate', { permissions: ['clipboard-read'] })
    const value = async (): Promise<string> =>
      (await call('evaluate', { script: 'document.querySelector("#to").value' })).data.result
    const clear = () => call('type', { selector: '#to', text: '', clear: true })
    const enter = (text: string) => call('type', { selector: '#from', text, clear: true })
    const press = (key: string, selector: string) => call('press_key', { key, selector })
    const click = async (selector: string) => {
      await clear()
      await call('click', { selector })
      expect(await until(async () => (await value()) !== '')).toBe(true)
      return value()
    }
    return {
      close: () => peer.call('close_session', { sessionId }),
      copyByKeys: async (text: string) => {
        await enter(text)
        await press('Control+a', '#from')
        await press('Control+c', '#from')
      },
      pasteByKeys: async () => {
        await clear()
        await press('Control+v', '#to')
        return value()
      },
      copyByScript: async (text: string) => {
        await enter(text)
        expect(await click('#copy')).toBe('copied')
      },
      pasteByScript: () => click('#paste'),
    }
  }

  test('each session pastes what it copied itself, whatever others copied meanwhile', async () => {
    const [one, two] = [await person(), await person()]
    await one.copyByKeys('of one')
    expect([await one.pasteByKeys(), await one.pasteByScript()]).toEqual(['of one', 'of one'])
    expect([await two.pasteByKeys(), await two.pasteByScript()]).toEqual(['', 'empty'])
    await two.copyByScript('of two')
    expect([await two.pasteByKeys(), await two.pasteByScript()]).toEqual(['of two', 'of two'])
    expect([await one.pasteByScript(), await one.pasteByKeys()]).toEqual(['of one', 'of one'])
    expect([await two.pasteByScript(), await two.pasteByKeys()]).toEqual(['of two', 'of two'])
    await one.copyByScript('again')
    expect([await one.pasteByKeys(), await two.pasteByKeys()]).toEqual(['again', 'of two'])
    for (const { close } of [one, two]) await close()
  })
})
