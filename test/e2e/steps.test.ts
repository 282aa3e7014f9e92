// Several calls in one: they take the same way as single calls, stop where one fails, and the answer says what each did.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { connect, type Peer, share } from '../support/client.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const form = page(`
  <label>Name <input id="name"></label><label>Password <input id="password" type="password"></label>
  <button id="add" onclick="list.append(Object.assign(document.createElement('li'), { textContent: document.querySelector('#name').value }))">Add</button>
  <button id="ask" onclick="answer.textContent = confirm('Sure?') ? 'yes' : 'no'">Ask</button>
  <button id="throw" onclick="throw new Error('boom from the handler')">Throw</button>
  <ul id="list"></ul><p id="answer"></p>`)

let site: Site
let peer: Peer
beforeAll(async () => {
  site = await serveSite({ '/': form, '/two': page('<h1>Second page</h1>', 'Two') })
  peer = await share()
})
afterAll(async () => {
  await peer.close()
  site.close()
})

const open = async () => {
  const sessionId = await peer.session()
  await peer.call('navigate', { sessionId, url: site.url })
  return sessionId
}
const items = async (sessionId: string) =>
  (await peer.call('evaluate', { sessionId, script: '[...list.children].map((li) => li.textContent)' })).data
    .result

describe('what succeeds', () => {
  test('a session is created, used and closed in one call', async () => {
    const { failed, data } = await peer.call('steps', {
      calls: [
        { tool: 'create_session' },
        { tool: 'navigate', url: `${site.url}/two` },
        { tool: 'get_content', format: 'text' },
        { tool: 'close_session' },
      ],
    })
    expect(failed).toBe(false)
    expect(data.steps).toHaveLength(4)
    expect(data.steps[0]).toStartWith('1 create_session: ')
    expect(data.steps[1]).toContain('Two')
    expect(data.steps[2]).toContain('Second page')
    expect((await peer.call('list_sessions')).data.sessions).toEqual([])
  })

  test('the changes of all calls come once, at the end', async () => {
    const sessionId = await open()
    await peer.call('snapshot', { sessionId })
    const { data, result } = await peer.call('steps', {
      sessionId,
      calls: [
        { tool: 'type', selector: '#name', text: 'milk' },
        { tool: 'click', selector: '#add' },
        { tool: 'type', selector: '#name', text: 'bread', clear: true },
        { tool: 'click', selector: '#add' },
      ],
    })
    expect(data.steps).toHaveLength(4)
    expect(data.changes).toContain('milk')
    expect(data.changes).toContain('bread')
    expect(data.steps.join('\n')).not.toContain('listitem')
    expect(JSON.stringify(result.content).split('listitem').length - 1).toBeLessThanOrEqual(2)
    expect(await items(sessionId)).toEqual(['milk', 'bread'])
    const after = await peer.call('click', { sessionId, selector: '#add' })
    expect(after.data.changes).not.toContain('milk')
    await peer.call('close_session', { sessionId })
  })

  test('a dialog that one call opens is answered by the next', async () => {
    const sessionId = await open()
    const { failed, data } = await peer.call('steps', {
      sessionId,
      calls: [
        { tool: 'click', selector: '#ask' },
        { tool: 'handle_dialog', accept: true },
        { tool: 'wait_for', text: 'yes' },
      ],
    })
    expect([failed, data.steps.length]).toEqual([false, 3])
    expect(data.steps[0]).toContain('Sure?')
    await peer.call('close_session', { sessionId })
  })

  test('a screenshot is an image of the answer', async () => {
    const sessionId = await open()
    const { failed, result } = await peer.call('steps', {
      sessionId,
      calls: [{ tool: 'screenshot' }, { tool: 'screenshot', selector: '#add' }],
    })
    expect(failed).toBe(false)
    expect(result.structuredContent).toBeUndefined()
    expect(result.content.map(({ type }) => type)).toEqual(['text', 'image', 'image'])
    await peer.call('close_session', { sessionId })
  })

  test('synonyms, other spellings and the session in each call are understood', async () => {
    const sessionId = await open()
    const { failed, data } = await peer.call('steps', {
      calls: [
        { tool: 'browser_goto', sessionId, url: `${site.url}/two` },
        { tool: 'goBack', sessionId },
      ],
    })
    expect(failed).toBe(false)
    expect(data.steps.map((line: string) => line.split(':')[0])).toEqual(['1 navigate', '2 history'])
    await peer.call('close_session', { sessionId })
  })

  test('each call reports its progress', async () => {
    const messages: string[] = []
    const sessionId = await open()
    // The client of the SDK drops what comes in one piece with the answer, so the last call takes a while.
    const last = { tool: 'evaluate', script: 'new Promise((resolve) => setTimeout(resolve, 500))' }
    const calls = [{ tool: 'hover', selector: '#add' }, { tool: 'snapshot' }, last]
    await peer.client.callTool({ name: 'steps', arguments: { sessionId, calls } }, undefined, {
      onprogress: ({ message = '' }) => void messages.push(message),
    })
    expect(messages).toEqual(['1/3 hover', '2/3 snapshot', '3/3 evaluate'])
    await peer.call('close_session', { sessionId })
  })
})

describe('what fails', () => {
  const calls = [
    { tool: 'type', selector: '#name', text: 'milk' },
    { tool: 'click', selector: '#missing', timeout: 300 },
    { tool: 'click', selector: '#add' },
  ]

  test('stops the rest, with the evidence of that moment', async () => {
    const sessionId = await open()
    await peer.call('snapshot', { sessionId })
    const { failed, data } = await peer.call('steps', { sessionId, calls })
    expect(failed).toBe(true)
    expect(data).toMatchObject({ errorCode: 'ELEMENT_NOT_FOUND', sessionId: expect.any(String) })
    expect(data.message).toStartWith('Step 2 of 3 (click) failed, 1 not run. No element matched #missing')
    expect(data.steps).toHaveLength(2)
    expect(data.steps[1]).toBe('2 click failed: ELEMENT_NOT_FOUND')
    expect(data.evidence.page.url).toBe(`${site.url}/`)
    expect(data.evidence.changes).toContain('milk')
    expect(data.evidence.screenshot.path).toEndWith('.jpeg')
    expect(await items(sessionId)).toEqual([])
    await peer.call('close_session', { sessionId })
  })

  const small = { tool: 'screenshot', selector: '#add' }
  const shots = [{ tool: 'screenshot' }, small]
  const failing = { tool: 'click', selector: '#missing', timeout: 300 }
  const pathsIn = (steps: string[]) => steps.flatMap((line) => /\(image: (.+\.png)\)$/.exec(line)?.[1] ?? [])

  test('images of earlier calls are files of the failure, the newest ones if there are many', async () => {
    const sessionId = await open()
    const { data, result } = await peer.call('steps', { sessionId, calls: [...shots, failing] })
    expect(result.content.map(({ type }) => type)).toEqual(['text'])
    expect(data.errorCode).toBe('ELEMENT_NOT_FOUND')
    const sizes = pathsIn(data.steps).map((path) => readFileSync(path).readUInt32BE(16))
    expect(sizes[0]).toBeGreaterThan(sizes[1] ?? Infinity)
    const many = [...Array.from({ length: 9 }, () => small), failing]
    const { steps } = (await peer.call('steps', { sessionId, calls: many })).data
    expect(pathsIn(steps)).toHaveLength(8)
    expect(pathsIn(steps.slice(0, 1))).toEqual([])
    await peer.call('close_session', { sessionId })
  })

  test('small ones are in the answer for a client that shows them', async () => {
    const shown = await connect({ name: 'Visual Studio Code' })
    const sessionId = await shown.session()
    await shown.call('navigate', { sessionId, url: site.url })
    const typesOf = async (calls: object[]) => {
      const { result } = await shown.call('steps', { sessionId, calls })
      return result.content.map(({ type }) => type)
    }
    const ofFailure = await typesOf([failing])
    expect(await typesOf([...shots, failing])).toEqual([...ofFailure, 'image'])
    expect(await typesOf([small, small, small, failing])).toEqual([...ofFailure, 'image', 'image'])
    await shown.close()
  })

  test('with onFailure continue the others run, and the first failure is the answer', async () => {
    const sessionId = await open()
    const more = [...calls, { tool: 'click', ref: 'e999' }]
    const { failed, data } = await peer.call('steps', { sessionId, calls: more, onFailure: 'continue' })
    expect(failed).toBe(true)
    expect(data.message).toStartWith('Step 2 of 4 (click) failed. No element matched #missing')
    expect(data.steps.map((line: string) => line.includes('failed'))).toEqual([false, true, false, true])
    expect(await items(sessionId)).toEqual(['milk'])
    await peer.call('close_session', { sessionId })
  })

  test('what changed before a failure whose evidence is not in the answer is in the next answer', async () => {
    const sessionId = await open()
    await peer.call('snapshot', { sessionId })
    const missing = { tool: 'click', selector: '#missing', timeout: 300 }
    const adding = [
      { tool: 'type', selector: '#name', text: 'milk' },
      { tool: 'click', selector: '#add' },
    ]
    await peer.call('steps', { sessionId, calls: [missing, ...adding, missing], onFailure: 'continue' })
    expect((await peer.call('hover', { sessionId, selector: '#add' })).data).toMatchObject({
      since: expect.stringContaining('milk'),
      changes: '',
    })
    await peer.call('close_session', { sessionId })
  })

  test('an error that a call causes is in its line', async () => {
    const sessionId = await open()
    const { failed, data } = await peer.call('steps', {
      sessionId,
      calls: [
        { tool: 'click', selector: '#throw' },
        { tool: 'hover', selector: '#add' },
      ],
    })
    expect(failed).toBe(false)
    expect(data.steps[0]).toContain('boom from the handler')
    expect(data.steps[1]).not.toContain('boom')
    await peer.call('close_session', { sessionId })
  })

  test.each([
    [
      [
        { tool: 'hover', selector: '#a' },
        { tool: 'clik', selector: '#a' },
      ],
      'calls[1].tool',
      'Did you mean "click"?',
    ],
    [[{ tool: 'steps', calls: [] }], 'calls[0].tool', 'the name of another tool'],
    [
      [
        { tool: 'hover', selector: '#a' },
        { tool: 'click', selektor: '#a' },
      ],
      'calls[1].selektor',
      'Did you mean selector?',
    ],
    [[{ tool: 'navigate', url: 'http://a.test', timeout: 'long' }], 'calls[0].timeout', 'number'],
    [
      [
        { tool: 'hover', selector: '#a' },
        { tool: 'hover', selector: '#a', sessionId: 'b' },
      ],
      'calls[1].sessionId',
      'one session',
    ],
    [[{ selector: '#a' }], 'calls[0].tool', ''],
    [[{ tool: 'click', args: { selector: '#a' } }], 'calls[0].args', 'Write {tool: "click", ref: "e4"}.'],
    [[{ name: 'click', arguments: { selector: '#a' } }], 'calls[0].arguments', 'beside tool'],
    [[], 'calls', 'at least 1'],
  ])('%j names %s, and nothing runs', async (wrong, field, words) => {
    const sessionId = await open()
    const before = site.hits.length
    const { failed, data } = await peer.call('steps', {
      calls: wrong.map((call) => ('sessionId' in call ? call : { ...call, sessionId })),
    })
    expect(failed).toBe(true)
    expect(data).toMatchObject({ errorCode: 'INVALID_PARAMETERS', details: { field } })
    expect(data.message).toContain(words)
    expect(site.hits.length).toBe(before)
    await peer.call('close_session', { sessionId })
  })

  test('a cancelled call leaves the rest undone', async () => {
    const sessionId = await open()
    const cancel = new AbortController()
    const started = Promise.withResolvers<void>()
    const input = {
      sessionId,
      calls: [
        { tool: 'wait_for', text: 'never', timeout: 60_000 },
        { tool: 'click', selector: '#add' },
      ],
      onFailure: 'continue',
    }
    const call = peer.client.callTool({ name: 'steps', arguments: input }, undefined, {
      signal: cancel.signal,
      onprogress: () => started.resolve(),
    })
    await started.promise
    cancel.abort()
    await expect(call).rejects.toThrow()
    expect(await items(sessionId)).toEqual([])
    await peer.call('close_session', { sessionId })
  })
})

describe('what holds for single calls holds for steps', () => {
  test('rate limits count each call', async () => {
    const limited = await connect({ args: ['--headless', '--rate-limit', '4'] })
    const { data } = await limited.call('steps', {
      calls: [
        { tool: 'list_sessions' },
        { tool: 'list_sessions' },
        { tool: 'list_sessions' },
        { tool: 'list_sessions' },
      ],
    })
    expect(data).toMatchObject({ errorCode: 'RATE_LIMITED' })
    expect(data.message).toStartWith('Step 4 of 4')
    await limited.close()
  })

  test('host rules and redaction', async () => {
    const sessionId = await peer.session({ allowedDomains: [new URL(site.url).host] })
    const { data } = await peer.call('steps', {
      sessionId,
      calls: [
        { tool: 'navigate', url: site.url },
        { tool: 'type', selector: '#password', text: 'hunter2-canary' },
        { tool: 'evaluate', script: 'document.querySelector("#password").value' },
        { tool: 'navigate', url: 'http://not-allowed.test/' },
      ],
    })
    expect(data).toMatchObject({ errorCode: 'ACCESS_DENIED' })
    expect(data.steps).toHaveLength(4)
    expect(JSON.stringify(data)).not.toContain('hunter2-canary')
    await peer.call('close_session', { sessionId })
  })

  test('a tool that is not listed is called here, and directly; a wrong call answers its fields', async () => {
    const { tools } = await peer.client.listTools()
    expect(tools.map(({ name }) => name)).not.toContain('exists')
    const { sessionId } = (await peer.call('create_session')).data
    const wrong = await peer.call('steps', { sessionId, calls: [{ tool: 'exists', css: 'body' }] })
    expect(wrong.data.message).toContain('Fields: selector?: string, ref?: string. Whether elements match')
    const right = await peer.call('steps', { sessionId, calls: [{ tool: 'exists', selector: 'body' }] })
    expect(right.data).toMatchObject({ steps: [expect.stringContaining('1 exists')] })
    expect((await peer.call('exists', { sessionId, selector: 'body' })).data).toMatchObject({ count: 1 })
    await peer.call('close_session', { sessionId })
  })

  test('ten things that need a tool which is not listed are done in one call', async () => {
    const { sessionId } = (await peer.call('create_session')).data
    const page =
      '<title>T</title><select><option>A<option>B</select><p draggable=true>drag</p><div>drop</div>'
    const calls = [
      { tool: 'navigate', url: `${site.url}` },
      { tool: 'evaluate', script: `document.body.innerHTML = ${JSON.stringify(page)}` },
      { tool: 'select', selector: 'select', values: ['B'] },
      { tool: 'hover', selector: 'p' },
      { tool: 'drag', selector: 'p', toSelector: 'div' },
      { tool: 'dom_snapshot', selector: 'body' },
      { tool: 'get_session_status' },
      { tool: 'exists', selector: 'p' },
      { tool: 'emulate', viewport: { width: 500, height: 400 } },
      { tool: 'mock', url: '/answer', answer: { json: { n: 42 } } },
      {
        tool: 'evaluate',
        script:
          "fetch('/answer').then((r) => r.json()).then(({ n }) => [n, innerWidth, document.querySelector('select').value])",
      },
      { tool: 'storage_state', action: 'set', kind: 'local', name: 'a', value: '1' },
      { tool: 'history', direction: 'reload' },
      { tool: 'timeline', limit: 3 },
    ]
    const { data } = await peer.call('steps', { sessionId, calls })
    expect(data.message).toBeUndefined()
    expect(data.steps).toHaveLength(calls.length)
    expect(data.steps[10].replaceAll(/\s/g, '')).toContain('[42,500,"B"]')
    await peer.call('close_session', { sessionId })
  })

  test('where the only tools are named, no other one can be called', async () => {
    const limited = await connect({ args: ['--headless', '--tools', 'create_session,steps,navigate'] })
    const { data } = await limited.call('steps', { calls: [{ tool: 'evaluate', script: '1' }] })
    expect(data).toMatchObject({ errorCode: 'INVALID_PARAMETERS', details: { field: 'calls[0].tool' } })
    expect(data.message).toContain('+evaluate in --tools adds it')
    await limited.close()
  })
})
