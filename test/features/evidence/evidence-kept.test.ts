// What has happened is in the next failure or answer, whatever calls were in between, and no other call is charged with it.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { share, type SharedPeer } from '../../support/client.ts'
import { page, serveSite, type Site } from '../../support/site.ts'

const shop = page(`<h1>Shop</h1><p>3 teas</p>
  <main><p id="hint">Old hint</p><ul>${['Assam', 'Darjeeling', 'Rooibos']
    .map((tea) => `<li><b>${tea}</b> <span>NaN</span> <button>Add to cart</button></li>`)
    .join('')}</ul></main><aside id="side">Old side</aside>`)

// Its output is prefixed as concurrently does it, and most of its stack is of a framework.
const server = `const http = require('http')
function total(cart) {
  return cart.items.map((item) => item.price)
}
http.createServer((request, response) => {
  if (request.url !== '/order') return response.end('<button id="order" onclick="fetch(\\'/order\\')">Order</button>')
  try { total({}) } catch (error) {
    const frames = Array.from({ length: 9 }, (_, index) => '    at next (/x/node_modules/express/lib/router/route.js:' + index + ':3)')
    const [message, first] = error.stack.split('\\n')
    console.log([message, ...frames, first, ...frames].map((line) => '[api] ' + line).join('\\n'))
    response.statusCode = 500
    response.end('{}')
  }
}).listen(process.env.PORT, () => console.log('http://localhost:' + process.env.PORT))
`

let site: Site
let peer: SharedPeer
beforeAll(async () => {
  site = await serveSite({ '/': shop })
  peer = await share()
})
afterAll(async () => {
  await peer.close()
  site.close()
})

async function open() {
  const sessionId = await peer.session()
  await peer.call('navigate', { sessionId, url: site.url })
  return sessionId
}

describe('a failure of the server', () => {
  test('is in the failure after steps: request, message, frame of the project and its lines', async () => {
    const cwd = join(peer.folder, 'shop')
    mkdirSync(cwd)
    writeFileSync(join(cwd, 'server.js'), server)
    const sessionId = await peer.session({ command: 'node server.js', cwd })
    await peer.call('navigate', { sessionId, url: '/' })
    await peer.call('steps', { sessionId, calls: [{ tool: 'click', selector: '#order' }] })
    const { data } = await peer.call('wait_for', { sessionId, text: 'Thank you', timeout: 1000 })
    const { requests, stdout, codeFrame, timeline = [] } = data.evidence
    expect(requests.join('\n')).toContain('/order → 500')
    expect(stdout.join('\n')).toContain('TypeError: Cannot read properties of undefined')
    expect(stdout.join('\n')).toContain('server.js:3')
    expect([...stdout, ...timeline].join('\n')).not.toContain('express/lib')
    expect(codeFrame).toContain('3> ')
    await peer.call('close_session', { sessionId })
  })
})

test('the changes of failing steps come once', async () => {
  const sessionId = await open()
  await peer.call('snapshot', { sessionId })
  const calls = [
    { tool: 'evaluate', script: 'document.body.append("Fresh text")' },
    { tool: 'click', selector: '#none', timeout: 200 },
  ]
  const first = await peer.call('steps', { sessionId, calls })
  const newsOf = ({ data: { evidence } }: { data: any }) => `${evidence.since} ${evidence.changes}`
  expect(newsOf(first).match(/Fresh text/g)).toHaveLength(1)
  const second = await peer.call('click', { sessionId, selector: '#none', timeout: 200 })
  expect(newsOf(second)).not.toContain('Fresh text')
  await peer.call('close_session', { sessionId })
})

test('what a snapshot of a part has shown is no change of the next action; the rest still is', async () => {
  const sessionId = await open()
  await peer.call('snapshot', { sessionId })
  const script =
    'hint.textContent = "New hint"; side.textContent = "New side"; document.querySelector("li").remove()'
  await peer.call('evaluate', { sessionId, script })
  const part = await peer.call('snapshot', { sessionId, selector: 'main' })
  expect(part.data.snapshot).toContain('New hint')
  const { data } = await peer.call('click', { sessionId, selector: 'h1' })
  expect(data.since).toContain('New side')
  expect(data.since).not.toMatch(/hint|Assam/)
  expect(data.changes).toBe('')
  const again = await peer.call('click', { sessionId, selector: 'h1' })
  expect(again.data.changes).toBe('')
  await peer.call('close_session', { sessionId })
})

test('an ambiguous target: refs with their places, which work', async () => {
  const sessionId = await open()
  const { data } = await peer.call('click', { sessionId, selector: 'text=Add to cart' })
  expect(data.errorCode).toBe('INVALID_PARAMETERS')
  expect(data.message).toMatch(
    /3 match: button "Add to cart" \[e\d+\] in "Assam[^"]*", \[e\d+\] in "Darjeeling[^"]*", \[e\d+\] in "Rooibos/,
  )
  const [ref] = /(?<=\[)e\d+(?=\] in "Darjeeling)/.exec(data.message) ?? []
  const content = await peer.call('evaluate', {
    sessionId,
    ref,
    script: '(button) => button.parentNode.innerText',
  })
  expect(content.data.result).toContain('Darjeeling')
  const read = await peer.call('get_content', { sessionId, selector: 'text=NaN' })
  expect(read.data.message).toMatch(
    /3 match: "NaN" in listitem "Assam[^"]*" \[e\d+\], in listitem "Darjeeling/,
  )
  await peer.call('close_session', { sessionId })
})

test('the newest console lines are there at once, in order of time, and the others are counted', async () => {
  const sessionId = await open()
  const script =
    'for (let index = 0; index < 5000; index += 1) console.log("line " + index); console.error("after")'
  await peer.call('evaluate', { sessionId, script })
  const { data } = await peer.call('console_messages', { sessionId, limit: 3 })
  expect(data.entries.map(({ message }: { message: string }) => message)).toEqual([
    'line 4998',
    'line 4999',
    'after',
  ])
  const read = async (cursor?: string): Promise<{ readonly dropped: number; readonly count: number }> => {
    const { data: part } = await peer.call('console_messages', { sessionId, limit: 1000, cursor })
    const own = part.entries.filter(({ message }: { message: string }) => /^(line|after)/.test(message))
    const earlier = part.cursor === undefined ? 0 : (await read(part.cursor)).count
    return { dropped: part.dropped, count: own.length + earlier }
  }
  const { dropped, count } = await read()
  expect(dropped).toBeGreaterThan(0)
  expect(count + dropped).toBe(5001)
  await peer.call('close_session', { sessionId })
})

test('a selector with a syntax error in steps is refused before the first call runs', async () => {
  const sessionId = await open()
  const calls = [
    { tool: 'evaluate', script: 'document.title = "ran"' },
    { tool: 'click', selector: 'li[title="a' },
  ]
  const { data } = await peer.call('steps', { sessionId, calls })
  expect([data.errorCode, data.details.field]).toEqual(['INVALID_PARAMETERS', 'calls[1].selector'])
  const title = await peer.call('evaluate', { sessionId, script: 'document.title' })
  expect(title.data.result).not.toBe('ran')
  await peer.call('close_session', { sessionId })
})
