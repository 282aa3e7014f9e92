// The answer of the action that meets a bug of the application names its cause.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { connect, type Peer } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { until } from '../support/leftovers.ts'

const app = resolve(import.meta.dir, '../fixtures/faulty-app.mjs')

interface Bug {
  readonly name: string
  /** Where the page is before the action. */
  readonly on?: string
  readonly first?: readonly [tool: string, input: Record<string, unknown>]
  readonly act: readonly [tool: string, input: Record<string, unknown>]
  /** All of these are in the answer. */
  readonly names: readonly (string | RegExp)[]
}

const click = (selector: string): Bug['act'] => ['click', { selector, timeout: 2000 }]
const bugs: readonly Bug[] = [
  { name: 'a handler throws', act: click('#throws'), names: [/uncaught TypeError: .*(total|cart)/] },
  { name: 'a promise is rejected', act: click('#rejects'), names: ['rejected: order is empty'] },
  { name: 'a fetch gets no answer', act: click('#cut'), names: [/GET \S+\/cut → \w+/] },
  {
    name: 'an API answers 500, its stack on stderr',
    act: click('#orders'),
    names: ['/api/orders → 500', 'dev server: TypeError: orders.map is not a function'],
  },
  {
    name: 'a route is compiled first, which takes a while',
    act: ['click', { selector: '#compiles' }],
    names: ['/api/compiled → 500', 'dev server: TypeError: /api/compiled has no items'],
  },
  {
    name: 'a route is compiled first, which the server does not say',
    act: ['click', { selector: '#compiles-silently' }],
    names: ['/api/compiled-silently → 500', 'dev server: TypeError: /api/compiled-silently has no items'],
  },
  { name: 'an API does not answer', act: click('#waits'), names: [/GET \S+\/api\/never → no response yet/] },
  { name: 'an API is misspelt', act: click('#typo'), names: ['/api/chekout → 404'] },
  { name: 'an API answers HTML', act: click('#parse'), names: [/uncaught SyntaxError: .*JSON/] },
  { name: 'an answer lacks a field', act: click('#shape'), names: ['items is missing in the answer'] },
  { name: 'an error boundary catches', act: click('#boundary'), names: ['occurred in the <Cart> component'] },
  { name: 'a lazy import is missing', act: click('#import'), names: ['/lazy-missing.js → 404'] },
  {
    name: 'a module that does not compile is answered with 404',
    act: click('#uncompiled'),
    names: ['/uncompiled.js → 404', 'dev server: Error: Unexpected token (/src/story.jsx:3:7)'],
  },
  {
    name: 'a link leads to a page that fails',
    act: click('#broken'),
    names: ['/broken → 500', 'ReferenceError: pricing is not defined'],
  },
  {
    name: 'a link leads to a page that is missing',
    act: click('#lost'),
    names: ['/itmes → 404: its path is at nav.html:2'],
  },
  {
    name: 'a router leads to a page that is missing, two frames later',
    act: click('#routed'),
    names: ['/otders → 404: its path is at nav.html:3 and nav.html:4'],
  },
  {
    name: 'typing throws',
    act: ['type', { selector: '#typed', text: 'a' }],
    names: ['oninput: no formatter'],
  },
  {
    name: 'a key throws',
    act: ['press_key', { selector: '#key', key: 'a' }],
    names: ['onkeydown: no shortcut'],
  },
  { name: 'a choice throws', act: ['select', { selector: '#size', values: ['L'] }], names: ['no size'] },
  {
    name: 'a file throws',
    act: ['upload_file', { selector: '#file', paths: ['a.txt'] }],
    names: ['no reader'],
  },
  {
    name: 'what follows a dialog throws',
    first: click('#asks'),
    act: ['handle_dialog', { accept: true }],
    names: ['after the dialog'],
  },
  {
    name: 'validation stops a click on submit',
    act: click('#send'),
    names: ['BROWSER_ERROR', /textbox <input id=\\"mail\\"> \[\w+\] is not valid/, 'not submitted'],
  },
  {
    name: 'validation stops Enter',
    act: ['type', { selector: '#plain', text: 'a', submit: true }],
    names: ['BROWSER_ERROR', /textbox <input id=\\"mail\\"> \[\w+\] is not valid/],
  },
  {
    name: 'validation stops a filled form',
    act: ['fill_form', { fields: [{ selector: '#mail', value: 'nobody' }], submit: true }],
    names: ['BROWSER_ERROR', /textbox <input id=\\"mail\\"> \[\w+\] is not valid/],
  },
  {
    name: 'nobody takes what is dragged',
    act: ['drag', { selector: '#from', toSelector: '#to' }],
    names: [/No drop event|No change of the page was observed/],
  },
  {
    name: 'an import is missing',
    act: ['navigate', { url: '/missing-import' }],
    names: ['/src/missing.js → 404'],
  },
  {
    name: 'a script has a syntax error',
    act: ['navigate', { url: '/syntax' }],
    names: ['uncaught SyntaxError'],
  },
  {
    name: 'the app is not mounted',
    act: ['navigate', { url: '/unmounted' }],
    names: ['Target container is not a DOM element'],
  },
  {
    name: 'a page answers 503',
    act: ['navigate', { url: '/busy' }],
    names: ['"status":503', /"serverOutput":\["Error: pool of connections is empty"\]/],
  },
  {
    name: 'a build error covers the page',
    on: '/covered',
    act: click('#save'),
    names: ['ELEMENT_NOT_CLICKABLE', /The page shows an error .*Failed to resolve import .*App\.jsx:3:17/],
  },
  {
    name: 'the page may not be left',
    on: '/unsaved',
    first: click('#touch'),
    act: ['navigate', { url: '/' }],
    names: ['DIALOG_OPEN', 'The page was not left'],
  },
  { name: 'the server dies', act: click('#dies'), names: ['The dev server exited with code 7.'] },
]

describe.each(anyBrowser)('%s', (browser) => {
  let peer: Peer
  let session: { sessionId: string; url: string }
  let workspace = ''
  beforeAll(async () => {
    workspace = mkdtempSync(join(tmpdir(), 'footlight-effects-'))
    writeFileSync(join(workspace, 'a.txt'), 'a')
    const links = ['/itmes', '/otders', '/otders'].map((path) => `<a href="${path}">`)
    writeFileSync(join(workspace, 'nav.html'), ['<nav>', ...links].join('\n'))
    peer = await connect({ args: ['--headless', '--browser', browser], cwd: workspace })
    session = (await peer.call('create_session', { command: ['node', app] })).data
  }, 120_000)
  afterAll(async () => {
    await peer.close()
    rmSync(workspace, { recursive: true })
  })
  const call = (tool: string, { url, ...input }: Record<string, unknown>) =>
    peer.call(tool, {
      sessionId: session.sessionId,
      ...input,
      ...(url !== undefined && { url: new URL(String(url), session.url).href }),
    })

  test('an error that came between two actions is charged to neither', async () => {
    await call('navigate', { url: '/page' })
    const script = 'setTimeout(() => { throw new Error("late") }, 300)'
    expect((await call('evaluate', { script })).data).not.toHaveProperty('notes')
    const isLogged = async () =>
      (await call('console_messages', { level: 'error', pattern: 'late' })).data.entries.length > 0
    expect(await until(isLogged)).toBe(true)
    expect((await call('press_key', { key: 'a' })).data.notes).toEqual([
      expect.stringMatching(/^since the last call: uncaught Error: late/),
    ])
  }, 300_000)

  test('an action that went well says nothing of this', async () => {
    await call('navigate', { url: '/page' })
    expect((await call('press_key', { key: 'a' })).data).toEqual({ success: true, message: 'Pressed.' })
    const { data } = await call('navigate', { url: '/' })
    expect(Object.keys(data).sort()).toEqual(['status', 'success', 'title', 'url'])
  }, 300_000)

  // A response that is there before the action has been answered is easily missed: 15 of 100 were. Firefox may report a request or an error
  // later than it answers a question to the page, on a busy machine: 5 of 3,400 clicks did so.
  test('what goes wrong after a response that came at once is named', async () => {
    await call('navigate', { url: '/' })
    const [rounds, least] = browser === 'chromium' ? [40, 40] : [15, 13]
    let named = 0
    for (let round = 0; round < rounds; round += 1) {
      const { data } = await call('click', { selector: '#shape' })
      if (JSON.stringify(data).includes('items is missing in the answer')) named += 1
    }
    expect(named).toBeGreaterThanOrEqual(least)
  }, 300_000)

  test(`${bugs.length} of ${bugs.length} bugs are named by the answer of the action that meets them`, async () => {
    expect(bugs.length).toBeGreaterThanOrEqual(20)
    const missed: string[] = []
    const meet = async ({ on = '/', first, act, names }: Bug) => {
      await call('navigate', { url: on })
      if (first) await call(...first)
      const answer = JSON.stringify((await call(...act)).data)
      if (on === '/unsaved') await call('handle_dialog', { accept: true })
      const isNamed = names.every((one) =>
        typeof one === 'string' ? answer.includes(one) : one.test(answer),
      )
      return { answer, isNamed }
    }
    for (const bug of bugs) {
      let meeting = await meet(bug)
      // What Firefox reports late is rare, but not excluded: see above. A machine may also stand still for longer than an answer waits.
      if (!meeting.isNamed) {
        if (bug.name === 'the server dies') await call('restart_server', {})
        meeting = await meet(bug)
      }
      if (!meeting.isNamed) missed.push(`${bug.name}: ${meeting.answer.slice(0, 600)}`)
    }
    expect(missed).toEqual([])
  }, 300_000)
})
