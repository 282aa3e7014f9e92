// Random secrets in every place where an application keeps them; every tool is called, and every byte that leaves is searched: answers,
// resources, files, the log. With --reveal the same search finds them, which shows that it can.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { everyTool } from '../../src/core/cli/tools/catalogue.ts'
import { connect, type Peer } from '../support/client.ts'
import { until } from '../support/leftovers.ts'

// Under a weak name what looks like chance is a secret: such as few draws do not (0.01 % of these).
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789'
const secret = () => `c4n4ry${[...randomBytes(20)].map((byte) => letters[byte % letters.length]).join('')}`

// A dev server that is careless with every kind of secret. It gets them in its environment and so in no command line.
const careless = `
const s = JSON.parse(process.env.CANARIES)
const page = \`<!doctype html><title>Careless</title><h1>Log in</h1>
<form action="/login?api_key=\${s.query}" method="post">
<input name="user"><input type="password" name="password" value="\${s.prefilled}"><input name="card" autocomplete="cc-number" value="\${s.card}">
<input type="hidden" name="csrf_token" value="\${s.hidden}"><input name="otp" autocomplete="one-time-code"><button>Log in</button></form>
<p id="echo"></p><p>Your cookie is \${s.cookie}</p><a href="/next?access_token=\${s.link}#id_token=\${s.fragment}">Next</a><p>\${s.jwt}</p>
<iframe srcdoc="<input type=password value=\${s.framed}><p>It is \${s.framed}</p><div id=host></div><script>host.attachShadow({ mode: 'open' }).innerHTML = '<input type=password value=\${s.nested}> and \${s.nested}'<\/script>"></iframe>
<iframe sandbox srcdoc="<input type=password value=\${s.sandboxed}><p>It is \${s.sandboxed}</p>"></iframe>
<script>
  localStorage.setItem('auth_token', '\${s.storage}')
  console.log('token=\${s.console}'); console.error('Authorization: Bearer \${s.bearer}')
  document.cookie = 'js_session=\${s.jscookie}; path=/'
  fetch('/api?client_secret=\${s.fetchquery}', { method: 'POST', headers: { 'x-api-key': '\${s.header}', authorization: 'Bearer \${s.authheader}', 'content-type': 'application/json' }, body: JSON.stringify({ password: '\${s.body}' }) })
  document.querySelector('[type=password]').oninput = (e) => { echo.textContent = e.target.value }
</script>\`
require('node:http').createServer((q, r) => {
  console.log('GET ' + q.url + ' cookie: sid=' + s.cookie)
  console.error('cannot reach postgres://app:' + s.database + '@db/main, DB_PASSWORD=' + s.env)
  r.setHeader('set-cookie', 'sid=' + s.cookie + '; HttpOnly; Path=/')
  r.setHeader('x-session-token', s.responseheader)
  if (q.url.startsWith('/api')) { r.setHeader('content-type', 'application/json'); return r.end(JSON.stringify({ refresh_token: s.responsebody, fine: 'yes' })) }
  if (q.url.startsWith('/old')) { r.writeHead(302, { location: '/?code=' + s.redirect }); return r.end() }
  r.setHeader('content-type', 'text/html'); r.end(page)
}).listen(process.env.PORT, '127.0.0.1')`

const kinds = [
  'query',
  'prefilled',
  'hidden',
  'cookie',
  'link',
  'fragment',
  'storage',
  'console',
  'bearer',
  'jscookie',
  'fetchquery',
  'header',
  'authheader',
  'body',
  'database',
  'env',
  'responseheader',
  'responsebody',
  'redirect',
  'typed',
  'filled',
  'file',
  'otp',
  'framed',
  'nested',
  'sandboxed',
] as const

describe.each([
  ['by default', false],
  ['with --reveal', true],
] as const)('%s', (_, reveal) => {
  let peer: Peer
  let folder: string
  let all = ''
  const secrets: Record<string, string> = Object.fromEntries(kinds.map((kind) => [kind, secret()]))
  secrets['jwt'] = `eyJhbGciOiJIUzI1NiJ9.eyJ${secret()}.${secret()}`
  secrets['card'] = '4111111111111111'

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-canary-')))
    writeFileSync(join(folder, 'secrets.env'), `ADMIN=${secrets['file']}\n`)
    const args = [
      '--headless',
      '--tools',
      '+mouse,+touch,+trace,+pdf,+compare,+video,+audit,+page_tools',
      '--secrets',
      'secrets.env',
      '--log-level',
      'debug',
      ...(reveal ? ['--reveal'] : []),
    ]
    peer = await connect({ args, cwd: folder })
    const keep = (value: unknown) => (all += `\n${JSON.stringify(value)}`)
    const env = { CANARIES: JSON.stringify(secrets) }
    const created = await peer.call('create_session', { command: ['node', '-e', careless], env })
    keep(created.data)
    const { sessionId, url } = created.data
    const used = new Set(['create_session'])
    const call = async (tool: string, input: Record<string, unknown> = {}) => {
      used.add(tool)
      const { result, data } = await peer.call(tool, { sessionId, ...input })
      keep(result.structuredContent)
      keep(result.content.filter(({ type }) => type === 'text'))
      return data
    }
    await call('mock', { har: 'record' })
    await call('navigate', { url: `${url}old` })
    await until(
      async () =>
        (await peer.call('network_requests', { sessionId, pattern: '/api' })).data.entries[0]?.state ===
        'done',
    )
    await call('snapshot')
    await call('video', { action: 'start' })
    await call('type', { selector: '[name=password]', text: secrets['typed'], clear: true })
    await call('type', { selector: '[name=password]', text: '{{ADMIN}}', clear: true })
    // The page repeats what is typed; so it must be hidden there too.
    await call('get_content', { format: 'text' })
    await call('fill_form', {
      fields: [
        { selector: '[name=password]', value: secrets['filled'] },
        { selector: '[name=otp]', value: secrets['otp'] },
      ],
    })
    for (const format of ['markdown', 'text', 'html']) await call('get_content', { format })
    await call('get_content', { format: 'source', selector: '[name=password]' })
    await call('dom_snapshot', { maxNodes: 1000 })
    await call('snapshot', { diff: true })
    await call('snapshot', { pattern: 'cookie|textbox' })
    for (const script of [
      'document.cookie',
      '({ ...localStorage })',
      'document.querySelector("[type=password]").value',
      'document.documentElement.outerHTML.repeat(40)',
      "throw new Error(document.querySelector('[type=password]').value)",
    ])
      await call('evaluate', { script })
    await call('console_messages')
    for (const one of (await call('network_requests')).entries)
      for (const part of ['headers', 'body']) await call('network_requests', { id: one.seq, part })
    await call('mock', { har: 'save' })
    const headers = { authorization: `Bearer ${secrets['authheader']}` }
    const answer = { headers, json: { password: secrets['body'] } }
    await call('mock', { url: `${url}mock?api_key=${secrets['query']}`, answer })
    // A socket of a mock: what it is answered, what it sends, what is pushed.
    const socketUrl = `wss://canary.invalid/?api_key=${secrets['query']}`
    const socket = [{ send: { password: secrets['body'] } }, { on: secrets['body'], close: 4000 }]
    await call('mock', { url: socketUrl, answer: { socket } })
    await call('evaluate', {
      script: `new Promise((resolve) => {
        const socket = new WebSocket(${JSON.stringify(socketUrl)})
        socket.onmessage = ({ data }) => (socket.send(JSON.stringify({ password: ${JSON.stringify(secrets['typed'])} })), resolve(data))
      })`,
    })
    const pushed = await call('mock', { answer: { push: { send: { password: secrets['filled'] } } } })
    expect(pushed.notes).toContain('Sent to 1 WebSocket.')
    await call('mock', { url: `none?api_key=${secrets['query']}`, answer: { push: 'a' } })
    for (const one of (await call('network_requests', { filter: 'websocket' })).entries)
      await call('network_requests', { id: one.seq })
    await call('mock', { remove: 'all' })
    for (const logType of ['stdout', 'stderr', 'combined']) await call('read_server_logs', { logType })
    await call('timeline', { limit: 500 })
    await call('get_session_status')
    await call('storage_state', { action: 'save' })
    await call('storage_state', { action: 'read' })
    await call('tabs')
    await call('hover', { selector: 'h1' })
    await call('press_key', { key: 'Tab' })
    await call('mouse', { action: 'click', x: 100, y: 100 })
    await call('exists', { selector: '[type=password]' })
    await call('wait_for', { text: 'Log in' })
    await call('emulate', { headers: { authorization: `Bearer ${secrets['authheader']}` } })
    await call('emulate')
    await call('select', { selector: '[name=password]', values: [secrets['typed']] })
    await call('drag', { selector: 'h1', toSelector: 'h1' })
    // No file chooser opens.
    await call('upload_file', { selector: '[name=password]', paths: ['secrets.env'], timeout: 500 })
    await call('steps', {
      calls: [
        { tool: 'type', selector: '[name=password]', text: secrets['typed'] },
        { tool: 'evaluate', script: 'document.querySelector("[name=password]").value' },
        { tool: 'get_content', format: 'html' },
        { tool: 'console_messages' },
        { tool: 'click', selector: `#${secrets['typed']}`, timeout: 200 },
      ],
    })
    await call('handle_dialog', { accept: true })
    await call('screenshot')
    await call('pdf')
    await call('video', { action: 'stop' })
    await call('compare', { base: `${url}old`, current: url, flow: ['/'] })
    await call('report')
    await call('handover', { reason: `Type ${secrets['typed']}`, timeout: 1000 })
    await call('trace', { action: 'stop' })
    await call('history', { direction: 'reload' })
    // A failure brings its evidence.
    await call('click', { selector: `#${secrets['typed']}`, timeout: 200 })
    await call('click', { selector: 'a' })
    await call('restart_server')
    const { resources } = await peer.client.listResources()
    keep(resources)
    for (const { uri, mimeType } of resources)
      if (!/pdf|png|jpeg|webm|zip/.test(mimeType ?? ''))
        keep(
          (await peer.client.readResource({ uri })).contents.map(
            (one: any) => one.text ?? Buffer.from(one.blob, 'base64').toString('utf8'),
          ),
        )
    // It is replayed, and either fails with its evidence or becomes a file.
    await call('save_test', { path: 'canary.spec.ts', replay: 1 })
    const savedTest = join(folder, 'canary.spec.ts')
    if (existsSync(savedTest)) all += readFileSync(savedTest, 'utf8')
    await call('run_test')
    await call('list_sessions')
    await call('close_session')
    expect([...used].sort()).toEqual(everyTool.map(({ name }) => name).sort())
    all += peer.stderr()
    const output = join(folder, '.footlight')
    if (existsSync(output))
      for (const name of readdirSync(output, { recursive: true, encoding: 'utf8' }))
        if (/\.(txt|json|har|log|html|md)$/.test(name)) all += readFileSync(join(output, name), 'utf8')
  }, 300_000)
  afterAll(async () => {
    await peer.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each([...kinds, 'jwt', 'card'])('%s', (kind) => {
    const value = secrets[kind] ?? ''
    const base64 = Buffer.from(value).toString('base64').slice(0, -4)
    const left = all.includes(value) || all.includes(base64)
    if (reveal) expect([kind, left]).toEqual([kind, true])
    else expect([kind, left, around(all, value)]).toEqual([kind, false, ''])
  })
})

const around = (text: string, value: string): string => {
  const at = text.indexOf(value)
  return at < 0 ? '' : text.slice(Math.max(0, at - 120), at + value.length + 20)
}
