// Documents of a user, and pages, that are heavy for whoever reads or observes them.

import type { Attack, Victim } from './stalls.ts'

const in_ = ({ sessionId }: Victim, more: Record<string, unknown> = {}) => ({ sessionId, ...more })
const script = (victim: Victim, text: string) => victim.call('evaluate', in_(victim, { script: text }))
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const open = (victim: Victim, path: string) =>
  victim.call('navigate', in_(victim, { url: victim.site + path }))

async function withServer(victim: Victim, command: string, then: Attack): Promise<unknown> {
  const made = await victim.call('create_session', { command, readyTimeout: 60_000 })
  if (made.sessionId === undefined) return made
  const done = await then({ ...victim, site: made.url, sessionId: made.sessionId })
  await victim.call('close_session', { sessionId: made.sessionId })
  return done
}

const SERVE = `require('http').createServer((q,r)=>r.end('x')).listen(process.env.PORT,'127.0.0.1')`

const mapped =
  (name: string): Attack =>
  async (victim) => {
    await open(victim, `/mapped/${name}`)
    return victim.call('console_messages', in_(victim))
  }

export const heavyAttacks: Readonly<Record<string, Attack>> = {
  'C1 60,000 answers to one request': async (victim) => {
    const mock = await victim.call('mock', in_(victim, { har: 'same.har' }))
    await script(victim, 'fetch("http://mocked.test/a").then((r) => r.text())')
    return mock
  },
  'C2 a HAR of 90 MB': async (victim) => {
    const mock = await victim.call('mock', in_(victim, { har: 'large.har' }))
    await script(victim, 'fetch("http://mocked.test/7").then((r) => r.text())')
    return mock
  },
  'C3 a storage state of 60 MB': (victim) =>
    victim.call('storage_state', in_(victim, { action: 'load', path: 'state.json' })),
  'C4 a baseline of 24,000,000 x 1 pixels': async (victim) => {
    await script(victim, 'void (document.body.innerHTML = `<div style="width:1px;height:1px"></div>`)')
    return victim.call('screenshot', in_(victim, { baseline: 'wide.png', selector: 'div' }))
  },
  'C5 a baseline of 1280 x 19,000 pixels that differs everywhere': async (victim) => {
    await script(victim, 'void (document.body.innerHTML = `<div style="height:18970px">x</div>`)')
    return victim.call('screenshot', in_(victim, { baseline: 'noise.png', fullPage: true }))
  },
  'C6 a recording of 100 MB': async (victim) => {
    await victim.call('mock', in_(victim, { har: 'record' }))
    await script(
      victim,
      '(async () => { for (let i = 0; i < 100; i++) await (await fetch("/bytes/1000000")).text() })()',
    )
    return victim.call('mock', in_(victim, { har: 'save' }))
  },
  'C7 a web server of tests that prints a million lines': (victim) =>
    victim.call('run_test', { path: 'printing' }),
  'C8 5,000 tests that end at once': (victim) => victim.call('run_test', { path: 'many' }),
  'C9 a failed test on a page of 8,000 empty elements': (victim) =>
    victim.call('run_test', { path: 'elements' }),
  'C10 an error in a webpack module with a word of 100,000 letters': (victim) =>
    withServer(victim, 'node webpack.cjs', async (other) => {
      await open(other, '/')
      return other.call('console_messages', in_(other))
    }),
  'C11 logs of 2 MB with escapes': (victim) =>
    withServer(
      victim,
      `node -e "for(let i=0;i<2000;i++)console.log(i+'%41 %42&amp;'.repeat(100));${SERVE}"`,
      (other) => other.call('read_server_logs', in_(other, { lines: 5000 })),
    ),
  'C12 a snapshot of 3,000 buttons whose names have escapes': async (victim) => {
    await script(
      victim,
      'void (document.body.innerHTML = Array.from({ length: 3000 }, (_, i) => `<button>${i} ${"%41 %42 &amp;amp; ".repeat(20)}</button>`).join(""))',
    )
    return victim.call('snapshot', in_(victim))
  },
  'C13 a body of 990 kB with escapes': async (victim) => {
    await script(victim, 'fetch("/escapes/990000").then((r) => r.text()).then(() => 1)')
    const { entries } = await victim.call('network_requests', in_(victim, { pattern: 'escapes' }))
    return victim.call('network_requests', in_(victim, { id: entries.at(-1).seq, part: 'body' }))
  },
  'C14 a call with 250,000 fields': (victim) =>
    victim.callText(
      'click',
      `{"sessionId":"${victim.sessionId}",${Array.from({ length: 250_000 }, (_, at) => `"f${at}":1`).join(',')}}`,
    ),
  'W1 a source map of 8 MB of mappings': mapped('mappings'),
  'W2 a source map of 800,000 sources': mapped('sources'),
  'W3 a source map of 70,000 sections': mapped('sections'),
  'W3b a source map of ten million lines': mapped('lines'),
  'W4 a worker that prints a million lines': async (victim) => {
    await script(
      victim,
      'new Worker(URL.createObjectURL(new Blob(["for (let i = 0; i < 1e6; i++) console.log(i); postMessage(1)"]))).onmessage = () => console.log("all"); 1',
    )
    await later(8000)
    return victim.call('console_messages', in_(victim, { limit: 2 }))
  },
  'W5 10,000 workers': async (victim) => {
    await script(
      victim,
      'const url = URL.createObjectURL(new Blob(["close()"])); let n = 0; const more = () => { for (let i = 0; i < 100; i++) new Worker(url); if ((n += 100) < 10000) setTimeout(more) }; more(); 1',
    )
    await later(8000)
    return victim.call('get_session_status', in_(victim))
  },
  'W6 40 errors of 50 MB': async (victim) => {
    await script(
      victim,
      'const text = "e ".repeat(25e6); for (let i = 0; i < 40; i++) setTimeout(() => { throw new Error(i + text) }, i * 100); 1',
    )
    await later(8000)
    return victim.call('get_session_status', in_(victim))
  },
  'W7 five messages of 80 MB': async (victim) => {
    await script(victim, 'new WebSocket(`ws://${location.host}/80000000`).onmessage = () => {}; 1')
    await later(8000)
    return victim.call('network_requests', in_(victim, { filter: 'websocket' }))
  },
  'W8 200,000 messages to a mocked socket': async (victim) => {
    await victim.call(
      'mock',
      in_(victim, { url: 'ws://mocked.test/', answer: { socket: [{ on: 'never', send: 'x' }] } }),
    )
    await victim.call('navigate', in_(victim, { url: `${victim.site}/again` }))
    await script(
      victim,
      'const s = new WebSocket("ws://mocked.test/"); s.onopen = () => { for (let i = 0; i < 2e5; i++) s.send("m" + i) }; 1',
    )
    await later(8000)
    return victim.call('network_requests', in_(victim, { filter: 'websocket' }))
  },
  'W9 informational answers without an end': async (victim) => {
    await victim.call('mock', in_(victim, { url: '**/hints/**', answer: { change: true, status: 201 } }))
    await script(victim, 'void fetch("/hints/1")')
    await later(5000)
    return victim.call('get_session_status', in_(victim))
  },
  'W9b informational answers to the page itself': async (victim) => {
    await script(victim, 'void fetch("/hints/1")')
    await later(5000)
    return victim.call('get_session_status', in_(victim))
  },
  'W10 a change of an answer without an end': async (victim) => {
    await victim.call('mock', in_(victim, { url: '**/endless', answer: { change: true, status: 201 } }))
    await script(victim, 'void fetch("/endless")')
    await later(8000)
    return victim.call('network_requests', in_(victim, { limit: 1 }))
  },
}
