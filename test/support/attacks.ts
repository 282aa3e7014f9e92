// What a page, a dev server or a caller could do to make one server stop for everybody.

import type { Attack, Victim } from './stalls.ts'

const in_ = ({ sessionId }: Victim, more: Record<string, unknown> = {}) => ({ sessionId, ...more })
const script = (victim: Victim, text: string) => victim.call('evaluate', in_(victim, { script: text }))
const search =
  (tool: string, pattern: string, more: Record<string, unknown> = {}) =>
  (victim: Victim) =>
    victim.call(tool, in_(victim, { pattern, ...more }))

const BACKTRACKS = '(x+x+)+y'
// One set of places for each way to read the last 200 letters.
const EXPLODES = '(a|x)*x(a|x){95}y'
const MEGA = 1_000_000

/** A dev server that prints `lines` (an expression) and then listens. */
const printing = (lines: string): string =>
  `node -e "${lines};require('http').createServer((q,r)=>r.end('x')).listen(process.env.PORT,'127.0.0.1')"`

async function withServer(victim: Victim, command: string, then: Attack = async () => {}): Promise<unknown> {
  const made = await victim.call('create_session', { command, readyTimeout: 60_000 })
  const done = made.sessionId === undefined ? made : await then({ ...victim, sessionId: made.sessionId })
  if (made.sessionId !== undefined) await victim.call('close_session', { sessionId: made.sessionId })
  return done
}

const lines = (text: string, count: number) => `for (let i = 0; i < ${count}; i++) console.log(i + ${text})`

export const attacks: Readonly<Record<string, Attack>> = {
  nothing: (victim) => script(victim, 'new Promise((done) => setTimeout(done, 1500))'),

  // Patterns
  'a pattern that backtracks, 20 console lines': async (victim) => {
    await script(victim, lines('"x".repeat(3900)', 20))
    return search('console_messages', BACKTRACKS)(victim)
  },
  'a pattern that explodes, 30 console lines': async (victim) => {
    await script(
      victim,
      lines('" " + [..."x".repeat(3800)].map((c) => "ax"[Math.random() * 2 | 0]).join("")', 500),
    )
    return search('console_messages', EXPLODES)(victim)
  },
  'a pattern that backtracks, 20 requests': async (victim) => {
    await script(
      victim,
      'Promise.all(Array.from({ length: 20 }, (_, i) => fetch("/" + i + "x".repeat(1900)).then((r) => r.text()))).then(() => 1)',
    )
    return search('network_requests', BACKTRACKS)(victim)
  },
  'a pattern that backtracks, a snapshot of 20 texts': async (victim) => {
    await script(
      victim,
      'document.body.innerHTML = Array.from({ length: 20 }, (_, i) => `<h2>${i}${"x".repeat(900)}</h2>`).join("")',
    )
    return search('snapshot', BACKTRACKS)(victim)
  },
  'a pattern that backtracks, 20 log lines': (victim) =>
    withServer(victim, printing(lines("'x'.repeat(4000)", 20)), search('read_server_logs', BACKTRACKS)),
  'a pattern that explodes, 40 log lines': (victim) =>
    withServer(
      victim,
      printing(lines("'ax'.repeat(2000)", 40)),
      search('read_server_logs', EXPLODES, { logType: 'stdout' }),
    ),
  'a pattern too large to compile': search('console_messages', '((a{100}){100}){100}'),
  'a pattern of 100 nested groups': search('console_messages', `${'('.repeat(100)}${')'.repeat(100)}`),
  'a glob that backtracks': async (victim) => {
    await script(victim, `history.pushState(0, "", "/" + "a".repeat(1900))`)
    return victim.call('wait_for', in_(victim, { url: `${'**a'.repeat(12)}b`, timeout: 1000 }))
  },

  // What a page gives
  'a title of 10 MB': async (victim) => {
    await script(victim, 'void (document.title = "t ".repeat(5e6))')
    await victim.call('tabs', in_(victim))
    await victim.call('get_session_status', in_(victim))
    await victim.call('click', in_(victim, { selector: '#missing', timeout: 500 }))
    return victim.call('snapshot', in_(victim))
  },
  'an address of 2 MB': async (victim) => {
    await script(victim, 'history.pushState(0, "", "/?" + "u".repeat(2e6 - 100))')
    await victim.call('tabs', in_(victim))
    return victim.call('click', in_(victim, { selector: '#missing', timeout: 500 }))
  },
  'a data address of 10 MB': (victim) =>
    victim.call('navigate', in_(victim, { url: `data:text/html,${'d'.repeat(10 * MEGA)}` })),
  'a prompt whose default has 10 MB': async (victim) => {
    await script(victim, 'setTimeout(() => prompt("m".repeat(1e7), "d".repeat(1e7)))')
    const told = await victim.call('get_session_status', in_(victim))
    await victim.call('handle_dialog', in_(victim, { accept: true }))
    return told
  },
  '100,000 options': async (victim) => {
    await script(
      victim,
      'document.body.innerHTML = "<select>" + "<option>some option or other</option>".repeat(1e5) + "</select>"',
    )
    await victim.call('select', in_(victim, { selector: 'select', values: ['none'], timeout: 1000 }))
    return victim.call('select', in_(victim, { selector: 'select', values: Array(100_000).fill('none') }))
  },
  'an option of 10 MB': async (victim) => {
    await script(
      victim,
      'document.body.innerHTML = "<select><option>" + "o".repeat(1e7) + "</option></select>"',
    )
    await victim.call('select', in_(victim, { selector: 'select', values: ['none'], timeout: 1000 }))
    return victim.call(
      'select',
      in_(victim, { selector: 'select', values: ['o'.repeat(MEGA)], timeout: 1000 }),
    )
  },
  'names and attributes of 10 MB': async (victim) => {
    await script(
      victim,
      'document.body.innerHTML = `<button aria-label="${"n".repeat(1e7)}" class="${"c".repeat(1e7)}">x</button>`',
    )
    await victim.call('snapshot', in_(victim))
    await victim.call('dom_snapshot', in_(victim))
    return victim.call('click', in_(victim, { selector: '#missing', timeout: 500 }))
  },
  '500 frames': async (victim) => {
    await script(victim, `document.body.innerHTML = '<iframe srcdoc="x"></iframe>'.repeat(500)`)
    return victim.call('snapshot', in_(victim))
  },
  'elements 20,000 deep': async (victim) => {
    await script(
      victim,
      'let at = document.body; for (let i = 0; i < 20000; i++) at = at.appendChild(document.createElement("ul")); return 1',
    )
    await victim.call('dom_snapshot', in_(victim, { maxNodes: 10_000 }))
    return victim.call('snapshot', in_(victim))
  },
  'a result 5,000 deep and a key of 10 MB': async (victim) => {
    await script(victim, 'let deep = []; for (let i = 0; i < 5000; i++) deep = [deep]; return deep')
    return script(victim, '({ ["k".repeat(1e7)]: 1 })')
  },
  'an error of 10 MB': (victim) => script(victim, 'throw new Error("e \\n".repeat(3e6))'),
  'an uncaught error of 10 MB': async (victim) => {
    await script(victim, 'setTimeout(() => { throw new Error("e \\n".repeat(3e6)) })')
    return victim.call('console_messages', in_(victim))
  },

  // What a dev server prints
  'terminal codes without an end, 10 MB': (victim) =>
    withServer(
      victim,
      printing("for (let i = 0; i < 640; i++) console.log('\\x1b]'.repeat(8000))"),
      search('read_server_logs', 'y', { logType: 'stdout' }),
    ),
  'terminal codes without an end, one line of 10 MB': (victim) =>
    withServer(victim, printing("process.stdout.write('\\x1b[0;'.repeat(2500000)+'\\n')"), (other) =>
      other.call('read_server_logs', { sessionId: other.sessionId }),
    ),
  'addresses that end in full stops, 10 MB': (victim) =>
    withServer(
      victim,
      printing("for (let i = 0; i < 640; i++) console.log('http://localhost:1/'+'.'.repeat(15900)+'x')"),
    ),

  // What a caller gives
  'a tool name of 10 MB': (victim) => victim.call('n'.repeat(10 * MEGA)),
  'a tool name of 10 MB of separators': (victim) => victim.call('-_'.repeat(5 * MEGA)),
  'a field name of 10 MB': (victim) =>
    victim.call('click', in_(victim, { ['f'.repeat(10 * MEGA)]: 1, selector: 'a' })),
  '10,000 unknown fields': (victim) =>
    victim.call(
      'click',
      in_(victim, Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`field${i}`, i]))),
    ),
  'a session id of 10 MB': (victim) => victim.call('snapshot', { sessionId: 's'.repeat(10 * MEGA) }),
  'a selector of 10 MB': (victim) =>
    victim.call('click', in_(victim, { selector: 'a>>'.repeat(3 * MEGA), timeout: 500 })),
  'a selector of brackets': (victim) =>
    victim.call('click', in_(victim, { selector: ':is('.repeat(MEGA), timeout: 500 })),
  'a missing name of 1 MB': (victim) =>
    victim.call('click', in_(victim, { selector: `text=${'word '.repeat(200_000)}`, timeout: 500 })),
  'a text of 10 MB to wait for': (victim) =>
    victim.call('wait_for', in_(victim, { text: 'w'.repeat(10 * MEGA), timeout: 500 })),
  'a secret name without an end': (victim) =>
    victim.call(
      'fill_form',
      in_(victim, { fields: [{ selector: 'input', value: '{{a'.repeat(300_000) }], timeout: 500 }),
    ),
  'a script of 10 MB': (victim) => script(victim, `"${'s'.repeat(10 * MEGA)}".length`),
  'a script that ends in spaces': (victim) => script(victim, `1;${' '.repeat(200_000)}+1`),
  'arguments nested 100,000 deep': (victim) =>
    victim.callText(
      'evaluate',
      `{"sessionId":"${victim.sessionId}","script":"1","arg":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    ),
  'a field nested 100,000 deep': (victim) =>
    victim.callText(
      'click',
      `{"sessionId":"${victim.sessionId}","selector":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    ),
  'a million numbers as an argument': (victim) =>
    victim.callText(
      'evaluate',
      `{"sessionId":"${victim.sessionId}","script":"1","arg":[${'1,'.repeat(MEGA)}1]}`,
    ),
  '100,000 files to upload and values to select': async (victim) => {
    await victim.call('upload_file', in_(victim, { selector: 'a', paths: Array(100_000).fill('x') }))
    return victim.call('select', in_(victim, { selector: 'a', values: Array(100_000).fill('x') }))
  },
  'storage state with 100,000 cookies': (victim) =>
    victim.call('create_session', {
      storageState: {
        cookies: Array.from({ length: 100_000 }, (_, i) => ({
          name: `c${i}`,
          value: 'v',
          domain: '127.0.0.1',
          path: '/',
        })),
        origins: [],
      },
    }),
  'a session of 100,000 domains': (victim) =>
    victim.call('create_session', {
      allowedDomains: Array.from({ length: 100_000 }, (_, i) => `a${i}.example`),
    }),
  '100,000 headers': (victim) =>
    victim.call(
      'emulate',
      in_(victim, {
        headers: Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`x-${i}`, 'v'])),
      }),
    ),
}
