// The short form of a long page: a reader that has only its text finds the right one of many equal buttons.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { callOrThrow, type Peer, share } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const ROWS = 400
const CHOICES = 100
const CALLS_AT_ONCE = 50
const LIMIT_BYTES = 8000

// The numbers are not in order, so that a ref cannot be computed.
const numbers = Array.from({ length: ROWS }, (_, index) => (index * 167) % ROWS)
const edit = (number: number) => `<button onclick="pressed.push(${number})">Edit</button>`
const listOf = (open: string, row: (number: number) => string, close: string) =>
  page(`<script>pressed = []</script><h1>Orders</h1>${open}${numbers.map(row).join('')}${close}
<form><label>Note <input></label><button>Save</button></form>`)

const kinds: Readonly<Record<string, string>> = {
  'rows of a table': listOf(
    '<table><tr><th>Order</th><th></th></tr>',
    (number) => `<tr><td>Order ${number}</td><td>${edit(number)}</td></tr>`,
    '</table>',
  ),
  'items of a list': listOf('<ul>', (number) => `<li>Order ${number} ${edit(number)}</li>`, '</ul>'),
  boxes: listOf(
    '<div>',
    (number) => `<div><div>Order ${number}</div><div>${edit(number)}</div></div>`,
    '</div>',
  ),
  cards: listOf(
    '<main>',
    (number) =>
      `<div><i>${number % 3 === 0 ? 'New' : 'Open'}</i><h3>Order ${number}</h3><p>${number % 7} €</p><p>${edit(number)}</p></div>`,
    '</main>',
  ),
}

/** The ref of a button by the label of its block, as a reader finds it: the words that all labels of a line begin with are said once. */
function findRef(text: string, button: string, wanted: string): string | undefined {
  for (const line of text.split('\n')) {
    const title = new RegExp(`^\\d+ × button "${button}" in (?:row )?(?:"([^"]*)…")?: `).exec(line)
    const start = title?.[1] ?? ''
    for (const [, label = '', ref] of title
      ? line.slice(title[0].length).matchAll(/([^,…]+?) \[(\w+)\]/g)
      : [])
      if (start + label.trim() === wanted) return ref
  }
  return undefined
}

const entries = Object.entries(kinds)

describe.each(anyBrowser)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string
  beforeAll(async () => {
    site = await serveSite(Object.fromEntries(entries.map(([, html], index) => [`/${index}`, html])))
    peer = await share(browser)
    sessionId = await peer.session()
  }, 300_000)
  afterAll(async () => {
    await peer.close()
    site.close()
  })
  const call = (tool: string, input: Record<string, unknown> = {}) => peer.call(tool, { sessionId, ...input })

  test.each(entries.map(([name], index) => [name, index] as const))(
    '%s: 100 random buttons of 400 are found in its text alone, and what follows them is shown',
    async (_, index) => {
      await call('navigate', { url: `${site.url}/${index}` })
      const { result } = await call('snapshot')
      const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMIT_BYTES)
      expect(text).toMatch(/^textbox "Note" \[\w+\]\nbutton "Save" \[\w+\]$/m)
      const chosen = fc.sample(fc.constantFrom(...numbers), CHOICES)
      const calls = chosen.map((number) => ({ tool: 'click', ref: findRef(text, 'Edit', `Order ${number}`) }))
      for (let start = 0; start < CHOICES; start += CALLS_AT_ONCE)
        await callOrThrow(peer, 'steps', { sessionId, calls: calls.slice(start, start + CALLS_AT_ONCE) })
      const pressed = await call('evaluate', { script: 'pressed' })
      expect(pressed.data.result).toEqual(chosen)
    },
    120_000,
  )
})
