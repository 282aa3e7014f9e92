// What a page says and shows: snapshots and their changes, console, network, resources, and the names around them. Also
// the tools, log shapes, filters and error categories of the ai-browser seed.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { connect, type Peer, readEvidence } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { until } from '../support/leftovers.ts'
import { reservePort } from '../support/reserve-port.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const many = Array.from(
  { length: 300 },
  (_, i) =>
    `<section><h2>Part ${i}</h2><p>Some text about part ${i} that nobody needs at once.</p><button onclick="this.textContent = 'Bought ${i}'">Buy ${i}</button><a href="/more/${i}">More ${i}</a></section>`,
).join('')

const todo = `<h1>Todos</h1><input id="new" aria-label="New todo"><ul id="list"></ul><button id="save" onclick="fetch('/slow').then(() => note.textContent = 'Saved')">Save</button><p id="note"></p><script>
  document.querySelector('#new').onkeydown = ({ key, target }) => {
    if (key !== 'Enter') return
    list.insertAdjacentHTML('beforeend', '<li><input type="checkbox" aria-label="Done"> ' + target.value + '</li>')
    target.value = ''
  }
</script>`

const talk = `<script>
  console.debug('a debug'); console.log('a log'); console.info('an info'); console.warn('a warning'); console.error('an error')
  setTimeout(() => { throw new TypeError('thrown') }, 0)
</script>`

const falling = `<script>
  const fall = (depth) => { if (depth === 0) throw new RangeError('deep'); fall(depth - 1) }
  for (let turn = 0; turn < 2; turn += 1) {
    setTimeout(() => fall(7))
    console.warn('first')
    console.log('a')
  }
</script>`

// Nobody listens there.
const closed = `http://127.0.0.1:${await reservePort()}`
const requests = `<script>
  const all = [
    fetch('/json', { method: 'POST', headers: { 'content-type': 'application/json', 'x-sent': 'yes' }, body: '{"ask":1}' }),
    fetch('/missing'), fetch('/large').then((r) => r.text()), fetch('/binary'), fetch('${closed}/').catch(() => {}),
  ]
  Promise.allSettled(all).then(() => document.title = 'Done')
</script><img src="/none.png">`

describe.each(anyBrowser)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string

  beforeAll(async () => {
    site = await serveSite({
      '/many': page(many, 'Many'),
      '/todo': page(todo, 'Todo'),
      '/talk': page(talk, 'Talk'),
      '/falling': page(falling, 'Falling'),
      '/requests': page(requests, 'Requests'),
      '/failing': page(
        '<script>Promise.all([fetch("/plain"), fetch("/locked")]).then((all) => Promise.all(all.map((one) => one.text()))).then(() => document.body.append("Failed"))</script>',
      ),
      '/plain': (_, response) => response.end('plain'),
      '/locked': (_, response) => {
        response.writeHead(500, { 'content-type': 'application/json' })
        response.end(`{"error":"database is locked","password":"hunter2-hunter2"}${' '.repeat(2000)}`)
      },
      '/slow': (_, response) => setTimeout(() => response.end('ok'), 150),
      '/json': (_, response) => {
        response.writeHead(201, { 'content-type': 'application/json', 'x-answer': '42' })
        response.end('{"answer":42}')
      },
      '/large': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' })
        response.end('x'.repeat(1_500_000))
      },
      '/binary': (_, response) => {
        response.writeHead(200, { 'content-type': 'application/octet-stream' })
        response.end(Buffer.alloc(100))
      },
      '/article': page(
        '<article><h1>Title</h1><p>First <b>bold</b> <a href="/x">link</a>.</p><ul><li>one<li>two</ul><table><tr><th>A<th>B<tr><td>1<td>2</table><pre>code\n  here</pre><p hidden>secret</p></article><aside>beside</aside>',
        'Article',
      ),
      '/hidden': page(
        `<button onclick="this.textContent = 'Paid \u2066now\u2069'">Pay \u202e001</button>`,
        'A\u202eB',
      ),
      '/deep': page(`${'<div class="level">'.repeat(20)}end${'</div>'.repeat(20)}${'<i>x</i>'.repeat(3000)}`),
    })
    peer = await connect({ args: ['--headless', '--browser', browser, '--tools', '+trace'] })
    sessionId = await peer.session()
  }, 300_000)
  afterAll(async () => {
    await peer.close()
    site.close()
  })
  const call = (tool: string, input: Record<string, unknown> = {}) => peer.call(tool, { sessionId, ...input })
  const on = (path: string) => call('navigate', { url: `${site.url}${path}` })

  describe('snapshot', () => {
    test('a page of 1,500 elements: first the useful part, then the changes, the whole by cursor and as a resource', async () => {
      await on('/many')
      const first = await call('snapshot')
      expect(JSON.stringify(first.data).length).toBeLessThan(8192)
      expect(first.data).toMatchObject({ truncated: true, cursor: '0' })
      expect(first.data.snapshot).toContain('button "Buy 3"')
      expect(first.data.snapshot).toMatch(/heading "Part 3" \[\w+\] level=2/)
      expect(first.data.snapshot).not.toContain('nobody needs')
      const ref = /button "Buy 3" \[(\w+)\]/.exec(first.data.snapshot)?.[1]
      const clicked = (await call('click', { ref })).data
      expect(clicked.changes).toContain('~ button "Bought 3"')
      expect(clicked.changes.length).toBeLessThan(300)
      await call('click', { selector: 'text=Buy 4 >> visible=true', timeout: 500 })
      const again = await call('snapshot', { diff: true })
      expect(again.data.snapshot.length).toBeLessThan(300)
      let whole = ''
      for (let cursor: string | undefined = '0'; cursor !== undefined;) {
        const part: any = (await call('snapshot', { cursor, maxChars: 20_000 })).data
        whole += part.snapshot
        cursor = part.cursor
      }
      expect(whole).toContain('Some text about part 299')
      const { contents } = await peer.client.readResource({
        uri: `footlight://sessions/${sessionId}/snapshot`,
      })
      expect(contents[0]).toMatchObject({ text: whole, mimeType: 'text/plain' })
      const found = (await call('snapshot', { pattern: 'Buy 29\\d' })).data.snapshot
      expect(found.split('\n').filter((line: string) => line.includes('button'))).toHaveLength(10)
      expect(found).toContain('heading "Part 299"')
      expect((await call('snapshot', { pattern: '(' })).data.errorCode).toBe('INVALID_PARAMETERS')
    })
    test('characters that cannot be seen are escapes in answers, which calls understand', async () => {
      expect((await on('/hidden')).data.title).toBe('A\\u{202e}B')
      expect((await call('snapshot')).data.snapshot).toContain('button "Pay \\u{202e}001"')
      const clicked = await call('click', { selector: 'role=button[name="Pay \\u{202e}001"]' })
      expect(clicked.data.changes).toContain('button "Paid \\u{2066}now\\u{2069}"')
      const conditions = [
        { text: 'Paid \\u{2066}now\\u{2069}' },
        { aria: 'button "Paid \\u{2066}now\\u{2069}"' },
        { selector: 'button', not: false, text: 'Paid \\u{2066}now\\u{2069}', count: 1 },
        { selector: 'text=Paid \\u{2066}now\\u{2069}' },
      ]
      for (const condition of conditions)
        expect([condition, (await call('wait_for', condition)).failed]).toEqual([condition, false])
    })
    test('actions answer what they changed, also what their request brings', async () => {
      await on('/todo')
      await call('snapshot')
      const typed = (await call('type', { selector: '#new', text: 'Milk', submit: true })).data
      expect(typed.changes).toContain('checkbox "Done"')
      expect(typed.changes).toContain('text: Milk')
      expect((await call('click', { selector: 'li input' })).data.changes).toMatch(
        /^~ checkbox "Done" \[\w+\] checked$/,
      )
      expect((await call('click', { selector: '#save' })).data.changes).toBe('+ text: Saved')
      expect((await call('hover', { selector: 'h1' })).data.changes).toBe('')
      const moved = (await on('/article')).data.changes
      expect(moved).toContain('heading "Title"')
    })
    test('a ref that is gone says what it was, and what is nearest now', async () => {
      await on('/todo')
      const { snapshot } = (await call('snapshot')).data
      const ref = /button "Save" \[(\w+)\]/.exec(snapshot)?.[1]
      await call('evaluate', { script: "save.outerHTML = '<button id=save2>Save all</button>'" })
      const { data } = await call('click', { ref })
      expect(data).toMatchObject({
        errorCode: 'ELEMENT_NOT_FOUND',
        details: { stale: true, was: 'button "Save"' },
      })
      expect(data.evidence.candidates[0]).toMatchObject({ role: 'button', name: 'Save all' })
      expect((await call('click', { ref: data.evidence.candidates[0].ref })).data.success).toBe(true)
    })
  })

  describe('content', () => {
    test('get_content as markdown, text and html, whole and in parts', async () => {
      await on('/article')
      const { content } = (await call('get_content', { selector: 'article' })).data
      expect(content).toBe(
        '# Title\n\nFirst **bold** [link](/x).\n\n- one\n- two\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\n```\ncode\n  here\n```',
      )
      expect((await call('get_content', { selector: 'aside', format: 'text' })).data.content).toBe('beside')
      expect((await call('get_content', { selector: 'aside', format: 'html' })).data.content).toBe(
        '<aside>beside</aside>',
      )
      const part = (await call('get_content', { selector: 'article', maxChars: 100 })).data
      const rest = (await call('get_content', { selector: 'article', cursor: part.cursor })).data
      expect([part.truncated, part.content + rest.content]).toEqual([true, content])
      expect((await call('get_content', { selector: '#none', timeout: undefined })).data.errorCode).toBe(
        'ELEMENT_NOT_FOUND',
      )
    }, 300_000)
    test('dom_snapshot has elements up to maxNodes, level by level', async () => {
      await on('/deep')
      const { data } = await call('dom_snapshot', { maxNodes: 50 })
      const count = (nodes: any[]): number =>
        nodes.reduce((sum, node) => sum + 1 + count(node.children ?? []), 0)
      expect([count(data.nodes), data.truncated]).toEqual([50, true])
      const small = (await call('dom_snapshot', { selector: '.level' + ' > .level'.repeat(19) })).data
      expect(small).toMatchObject({
        truncated: false,
        nodes: [{ tag: 'div', attributes: { class: 'level' }, text: 'end' }],
      })
    })
  })

  describe('console and network, in the shapes of the ai-browser seed', () => {
    test('console_messages: level, pattern, limit, since, cursor', async () => {
      await on('/talk')
      const read = async (input: Record<string, unknown> = {}) => (await call('console_messages', input)).data
      await until(async () => (await read({ pattern: 'thrown' })).entries.length > 0)
      // Firefox may report an error of the page before after this one has come.
      const entries = (await read()).entries
      const all = entries.slice(entries.findIndex(({ message }: any) => message === 'a debug'))
      expect(all.map(({ level }: any) => level)).toEqual(
        expect.arrayContaining(['debug', 'info', 'warning', 'error']),
      )
      expect(all[0]).toMatchObject({
        timestamp: expect.any(Number),
        level: 'debug',
        message: 'a debug',
        location: { url: expect.stringMatching(/\/talk$/), line: expect.any(Number) },
      })
      expect((await read({ pattern: 'thrown' })).entries).toEqual([
        {
          seq: expect.any(Number),
          timestamp: expect.any(Number),
          level: 'error',
          message: 'uncaught TypeError: thrown',
          // Firefox sometimes adds the line that set the timer.
          stack: expect.stringMatching(/^at .*\/talk:3:28\)?(\nat \/talk:3:13)?$/),
        },
      ])
      expect((await read({ pattern: 'http:|/talk' })).entries).toEqual([])
      expect((await read({ level: 'warn' })).entries.map(({ message }: any) => message).join()).not.toContain(
        'a log',
      )
      expect((await read({ level: 'error' })).entries.every(({ level }: any) => level === 'error')).toBe(true)
      const one = await read({ limit: 1 })
      expect(one.entries).toHaveLength(1)
      expect((await read({ limit: 1, cursor: one.cursor })).entries[0].seq).toBeLessThan(one.entries[0].seq)
      expect((await read({ since: all.at(-1).seq })).entries).toEqual([])
    })
    test('a stack is shortened, and complete with limit 1, and an error that came again is counted', async () => {
      await on('/article')
      const { seq = 0 } = (await call('console_messages')).data.entries.at(-1) ?? {}
      await on('/falling')
      const read = async (input: Record<string, unknown> = {}) =>
        (await call('console_messages', { since: seq, ...input })).data.entries
      await until(async () => (await read({ pattern: 'deep' }))[0]?.count === 2)
      const entries = await read()
      expect(entries.map(({ message, count }: any) => [message, count])).toEqual([
        ['a', undefined],
        ['first', 2],
        ['a', undefined],
        ['uncaught RangeError: deep', 2],
      ])
      const short = entries.at(-1).stack.split('\n')
      expect(short).toHaveLength(5)
      expect(short[1]).not.toContain(site.url)
      expect(short.at(-1)).toMatch(/^… \d more$/)
      const [whole] = await read({ limit: 1, pattern: 'deep' })
      expect(whole.stack.split('\n').length).toBe(4 + Number(/\d+/.exec(short.at(-1))?.[0]))
      expect(whole.stack.split(site.url).length).toBeGreaterThan(5)
    })
    test('a message is what the console shows: without styles and terminal codes, objects and errors as they are', async () => {
      await on('/article')
      const { seq = 0 } = (await call('console_messages')).data.entries.at(-1) ?? {}
      const script = `
        console.log('%c[vite]%c connecting...', 'color: cyan', '')
        console.log('\\u001b[31mred\\u001b[0m %s is %d%%', 'load', 99.5)
        console.log({ name: 'x', list: [1, 'two'] }, [1, { a: 2 }], new Map([['k', 1]]), null, undefined, 10n)
        console.error(new TypeError('boom'), 'and', new Error('more'))
        console.log(document.querySelector('article'))
        return 1`
      await call('evaluate', { script })
      const read = async () =>
        (await call('console_messages', { since: seq })).data.entries.map(({ message }: any) => message)
      await until(async () => (await read()).length === 5)
      const firefox = browser === 'firefox'
      expect(await read()).toEqual([
        '[vite] connecting...',
        expect.stringMatching(/^red load is 99(\.5)?%$/),
        `{name: "x", list: ${firefox ? '[1, "two"]' : 'Array(2)'}} [1, ${firefox ? '{a: 2}' : '{…}'}] Map(1) {"k" => 1} null undefined 10n`,
        expect.stringMatching(/^TypeError: boom[^]* and Error: more/),
        '<article>',
      ])
    })
    test('the console that a page sees looks like its own, and prints in the order of the page', async () => {
      await on('/talk')
      const script = `[console.log.name, console.error.length, /native code/.test(console.warn), Object.keys(console).includes('log')]`
      expect((await call('evaluate', { script })).data.result).toEqual(['log', 0, true, true])
      // A page that has printed nothing yet may print all that goes at once.
      await on('/requests')
      const numbers = Array.from({ length: 700 }, (_, index) => `n${index}.`)
      await call('evaluate', { script: `for (let i = 0; i < 700; i++) console.log('n' + i + '.')` })
      const read = async () => {
        const { entries } = (await call('console_messages', { limit: 1000, pattern: 'log: n\\d+\\.' })).data
        return entries.map(({ message }: any) => /n\d+\./.exec(message)?.[0])
      }
      await until(async () => (await read()).includes('n699.'))
      const seen = await read()
      expect(seen).toEqual(numbers.filter((one) => seen.includes(one)))
      expect(seen.length).toBeGreaterThanOrEqual(650)
    })
    test('the first KB of a failed response to a script outlives its page, redacted, and is part of the evidence', async () => {
      await on('/failing')
      await call('wait_for', { text: 'Failed' })
      const { evidence } = await readEvidence(
        () => call('click', { selector: '#none', timeout: 50 }),
        'requests',
      )
      expect(evidence.requests.at(-1)).toEndWith(
        '/locked → 500 {"error":"database is locked","password":"[redacted]"}',
      )
      await on('/todo')
      const { entries } = (await call('network_requests', { pattern: '/(locked|plain)$' })).data
      const bodyOf = async (path: string) => {
        const { seq } = entries.findLast(({ url }: { url: string }) => url.endsWith(path))
        return (await call('network_requests', { id: seq, part: 'body' })).data.response
      }
      const locked = await bodyOf('/locked')
      expect(locked.body).toStartWith('{"error":"database is locked","password":"[redacted]"}')
      // Firefox keeps bodies itself.
      if (browser !== 'chromium') return
      expect(locked.body).toHaveLength(1024)
      expect(locked.note).toBe('its page is gone; the first 1,024 characters of a failed response are kept')
      expect(await bodyOf('/plain')).toEqual({
        note: 'the browser no longer has it: it forgets what a page received once that page is gone',
      })
    })
    test('network_requests: filters, pattern, and the headers and body of one request', async () => {
      await on('/requests')
      await call('wait_for', { selector: 'title', state: 'attached' })
      const read = async (input: Record<string, unknown> = {}) => (await call('network_requests', input)).data
      await until(async () => (await read({ pattern: '/binary' })).entries[0]?.state === 'done')
      const post = (await read({ pattern: '/json$' })).entries.at(-1)
      expect(post).toMatchObject({
        method: 'POST',
        status: 201,
        type: 'fetch',
        state: 'done',
        mimeType: 'application/json',
        duration: expect.any(Number),
        timestamp: expect.any(Number),
      })
      const failed = (await read({ filter: 'failed' })).entries.map(({ url }: any) => new URL(url).pathname)
      expect(failed).toEqual(expect.arrayContaining(['/missing', '/none.png', '/']))
      expect((await read({ filter: 'document' })).entries.every(({ type }: any) => type === 'document')).toBe(
        true,
      )
      const headers = await read({ id: post.seq })
      expect(headers.request.headers).toMatchObject({ accept: '*/*', 'x-sent': 'yes' })
      expect(headers.response.headers).toMatchObject({
        'content-type': 'application/json',
        'x-answer': '42',
      })
      const body = await read({ id: post.seq, part: 'body' })
      expect(body.response.body).toBe('{"answer":42}')
      if (browser === 'chromium') expect(body.request.body).toBe('{"ask":1}')
      const large = (await read({ pattern: '/large' })).entries.at(-1)
      expect((await read({ id: large.seq, part: 'body' })).response.note).toMatch(
        /more than the limit of 1000000/,
      )
      const binary = (await read({ pattern: '/binary' })).entries.at(-1)
      expect((await read({ id: binary.seq, part: 'body' })).response.note).toBe(
        '100 bytes of application/octet-stream',
      )
      expect((await read({ id: 999_999 })).errorCode).toBe('INVALID_PARAMETERS')
      const { entries } = (await call('timeline', { limit: 500 })).data
      expect(entries.find(({ text }: any) => /POST \S+\/json → 201/.test(text)).seq).toBe(post.seq)
      const action = entries.findLast(({ kind }: any) => kind === 'action')
      expect(await read({ id: action.seq })).toMatchObject({
        errorCode: 'INVALID_PARAMETERS',
        details: { field: 'id', received: `${action.seq}, which is an action: ${action.text}` },
      })
    })
  })

  test('logs are resources that can be subscribed to; updates come in batches', async () => {
    await on('/talk')
    const { resources } = await peer.client.listResources()
    const uri = `footlight://sessions/${sessionId}/console`
    expect(resources.map((one) => one.uri)).toContain(uri)
    const told: string[] = []
    peer.client.setNotificationHandler(
      ResourceUpdatedNotificationSchema,
      ({ params }) => void told.push(params.uri),
    )
    await peer.client.subscribeResource({ uri })
    await call('evaluate', { script: 'for (let i = 0; i < 500; i++) console.log(i)' })
    expect(await until(() => told.length > 0)).toBe(true)
    await call('evaluate', { script: '1' })
    expect(told.length).toBeLessThan(20)
    const read = async (at = '') =>
      String(((await peer.client.readResource({ uri: uri + at })).contents[0] as any).text)
    const lines = (await read()).split('\n').map((line) => JSON.parse(line))
    expect(lines.at(-1)).toMatchObject({
      level: 'info',
      kind: 'console',
      text: expect.stringContaining('499'),
    })
    expect((await read(`?since=${lines.at(-2).seq}`)).split('\n')).toHaveLength(1)
    await peer.client.unsubscribeResource({ uri })
    await expect(peer.client.readResource({ uri: 'footlight://sessions/none/console' })).rejects.toThrow(
      /no session/,
    )
    await expect(peer.client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow(
      /not a Footlight resource/,
    )
    const { path, resource } =
      (await call('trace', { action: 'start' })) && (await call('trace', { action: 'stop' })).data
    const { contents } = await peer.client.readResource({ uri: resource })
    expect(Buffer.from((contents[0] as any).blob, 'base64').equals(readFileSync(path))).toBe(true)
  })
})

// How long another call waits meanwhile is printed; a limit on it would be a timing claim. Rows 18 to 22 of test/faults have larger ones.
describe('a large page and large answers: bounded, while other calls are answered', () => {
  let peer: Peer
  let site: Site
  beforeAll(async () => {
    site = await serveSite({ '/nodes': page('<p>x</p>'.repeat(10_000)) })
    peer = await connect()
  })
  afterAll(async () => {
    await peer.close()
    site.close()
  })

  test.each([
    ['the content of 10,000 nodes', '/nodes', 'get_content', {}],
    ['a DOM of 10,000 nodes', '/nodes', 'dom_snapshot', { maxNodes: 10_000 }],
  ])(
    '%s',
    async (_, path, tool, input) => {
      const [busy, calm] = [await peer.session(), await peer.session()]
      await peer.call('evaluate', { sessionId: calm, script: '1' })
      const waits: number[] = []
      let done = false
      const beside = (async () => {
        while (!done) {
          const since = performance.now()
          await peer.call('evaluate', { sessionId: calm, script: '1' })
          waits.push(performance.now() - since)
          await Bun.sleep(20)
        }
      })()
      await peer.call('navigate', { sessionId: busy, url: site.url + path })
      const { failed, result } = await peer.call(tool, { sessionId: busy, ...input })
      done = true
      await beside
      expect(failed).toBe(false)
      const bytes = JSON.stringify(result.content).length
      expect(bytes).toBeLessThan(800_000)
      console.log(
        `${tool} ${path}: ${bytes} bytes, longest wait of another session ${Math.max(...waits).toFixed(0)} ms of ${waits.length}`,
      )
      await peer.call('close_session', { sessionId: busy })
      await peer.call('close_session', { sessionId: calm })
    },
    60_000,
  )
})

describe('around the tools', () => {
  let peer: Peer
  beforeAll(async () => void (peer = await connect()))
  afterAll(() => peer.close())

  test('resource templates, instructions, icons', async () => {
    const { resourceTemplates } = await peer.client.listResourceTemplates()
    expect(resourceTemplates).toHaveLength(2)
    expect(peer.client.getInstructions()?.length).toBeLessThan(800)
    expect(peer.client.getServerVersion()).toMatchObject({ icons: [{ mimeType: 'image/svg+xml' }] })
  })
  test('of a page with more than fifty frames fifty are read, and any by its ref', async () => {
    const site = await serveSite({ '/': page('<iframe srcdoc="<p>within</p>"></iframe>'.repeat(53)) })
    const sessionId = await peer.session()
    await peer.call('navigate', { sessionId, url: site.url })
    const { snapshot } = (await peer.call('snapshot', { sessionId })).data
    expect([snapshot.match(/within/g).length, snapshot.match(/not read/g).length]).toEqual([50, 3])
    const [, ref] = /.*iframe \[(\w+)\]/s.exec(snapshot) ?? []
    expect((await peer.call('snapshot', { sessionId, ref })).data.snapshot).toContain('within')
    await peer.call('close_session', { sessionId })
    site.close()
  }, 300_000)
  test('a trace of each failure, where it is asked for', async () => {
    // test/features/evidence/failure-trace.test.ts has one that takes long to write.
    const site = await serveSite({ '/': page('<p>Traced</p>') })
    const sessionId = await peer.session({ trace: 'on-failure' })
    await peer.call('navigate', { sessionId, url: site.url })
    const { data } = await peer.call('click', { sessionId, selector: '#none', timeout: 100 })
    site.close()
    expect(readFileSync(data.evidence.trace.path).subarray(0, 2).toString()).toBe('PK')
    const on = await peer.session({ trace: 'on' })
    await peer.call('evaluate', { sessionId: on, script: '1' })
    const closed = await peer.call('close_session', { sessionId: on })
    const path = /Its trace is (.*trace\.zip)\.$/.exec(closed.data.message)?.[1] ?? ''
    expect(readFileSync(path).subarray(0, 2).toString()).toBe('PK')
  })
})
