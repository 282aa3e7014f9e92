// `bun bench/soak/stalls.ts`: how long our process is blocked at most while a page misbehaves, measured as the time of a request that needs no
// browser, sent from another process; on a busy machine that process waits for the CPU too. Then other-session.ts: how the pages, lines and
// calls of test/support/attacks.ts delay another session.

import { resolve } from 'node:path'
import process from 'node:process'
import { connectOverHttp, serveOverHttp } from '../../test/support/http.ts'
import { page, type Route, serveSite } from '../../test/support/site.ts'

type Step = readonly [tool: string, input: Record<string, unknown>]

const script = (text: string): Step => ['evaluate', { script: text, timeout: 60_000 }]
const workloads: Readonly<Record<string, readonly Step[]>> = {
  nothing: [script('new Promise((done) => setTimeout(done, 1000))')],
  '100,000 console lines': [
    script('for (let i = 0; i < 1e5; i++) console.log("line " + i, { i })'),
    ['console_messages', { limit: 1000 }],
  ],
  '2,000 requests at once': [
    script(
      'Promise.all(Array.from({ length: 2000 }, (_, i) => fetch("/small?" + i).then((r) => r.text()))).then(() => 1)',
    ),
    ['network_requests', { limit: 1000 }],
  ],
  'a response of 50 MB': [script('fetch("/huge").then((r) => r.text()).then((t) => t.length)')],
  'a million numbers as a result': [script('Array.from({ length: 1e6 }, (_, i) => i)')],
  'a value 20,000 deep': [
    script('let deep = {}; for (let i = 0; i < 20000; i++) deep = { deep }; return deep'),
  ],
  '10,000 elements': [
    ['navigate', { url: '/nodes' }],
    ['snapshot', {}],
    ['dom_snapshot', { maxNodes: 10_000 }],
    ['get_content', {}],
    ['click', { selector: 'button' }],
  ],
  '100 frames': [
    ['navigate', { url: '/frames' }],
    ['snapshot', {}],
  ],
  '20 MB of text in one element': [
    ['navigate', { url: '/text' }],
    ['snapshot', {}],
    ['get_content', {}],
  ],
  '2,000 errors that nobody catches': [
    script('for (let i = 0; i < 2000; i++) setTimeout(() => { throw new Error("e" + i) })'),
    ['console_messages', { limit: 1000 }],
  ],
  'an endless loop': [['evaluate', { script: 'for (;;);', timeout: 1000 }]],
  '100 dialogs one after another': [script('for (let i = 0; i < 100; i++) setTimeout(() => alert(i))')],
  '20 windows': [script('for (let i = 0; i < 20; i++) open("/small?" + i)')],
  'a full screenshot of a page 16,000 high': [
    ['navigate', { url: '/nodes' }],
    ['screenshot', { fullPage: true }],
  ],
}

const huge: Route = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' })
  response.end(Buffer.alloc(50_000_000, 120))
}
const site = await serveSite(
  {
    '/': page('<button>Go</button>'),
    '/nodes': page(`<button>Go</button>${'<p>x <a href="#">y</a></p>'.repeat(3300)}`),
    '/frames': page('<iframe srcdoc="<p>x</p>"></iframe>'.repeat(100)),
    '/text': page(`<p id="t"></p><script>t.textContent = 'word '.repeat(4e6)</script>`),
    '/huge': huge,
  },
  (_, response) => void response.end('small'),
)
const server = await serveOverHttp([
  '--private-hosts',
  'allow',
  '--rate-limit',
  '1000000',
  '--session-rate-limit',
  '1000',
])
const peer = await connectOverHttp(server.url)
const pinger = Bun.spawn([process.execPath, resolve(import.meta.dir, 'pinger.ts'), server.url.href], {
  stdin: 'pipe',
  stdout: 'pipe',
})
const pingerOutput = pinger.stdout.getReader()
async function readTimes(): Promise<[longest: number, slow: number]> {
  void pinger.stdin.write('\n')
  await pinger.stdin.flush()
  return JSON.parse(new TextDecoder().decode((await pingerOutput.read()).value))
}

const rows: string[] = []
for (const [name, steps] of Object.entries(workloads)) {
  const sessionId = await peer.session()
  await peer.call('navigate', { sessionId, url: site.url })
  await readTimes()
  for (const [tool, { url, ...input }] of steps)
    await peer.call(tool, { sessionId, ...input, ...(typeof url === 'string' && { url: site.url + url }) })
  const [longest, slow] = await readTimes()
  rows.push(`| ${name} | ${slow.toFixed(0)} | ${longest.toFixed(0)} |`)
  console.error(rows.at(-1))
  await peer.call('close_session', { sessionId })
}
await pinger.stdin.end()
await pinger.exited
await peer.close()
await server.close()
site.close()
console.log(['| a page with | slowest 1 % | longest |', '| --- | --- | --- |', ...rows].join('\n'))
await import('./other-session.ts')
