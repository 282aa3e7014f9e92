// Several calls of one session that are sent at once: what is behind one that fails runs all the same, in order, on the page that was
// left to it, and each failure has its own evidence.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { connect, type Peer } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await serveSite({
    '/': page('<h1>One</h1><button id="ok" onclick="document.title += \'!\'">OK</button>', 'One'),
    '/two': page('<h2>Two</h2><script>console.error("only on two")</script>', 'Two'),
    '/slow': (_, response) =>
      setTimeout(() => response.setHeader('content-type', 'text/html').end(page('slow', 'Slow')), 1500),
  })
})
afterAll(() => site.close())

type Call = readonly [tool: string, input?: Record<string, unknown>]

const codeOf = ({ failed, data }: { failed: boolean; data: { errorCode?: string } }) =>
  failed ? data.errorCode : 'ok'

async function open(args: readonly string[] = []) {
  const peer = await connect({ args: ['--headless', '--action-timeout', '3000', ...args] })
  const sessionId = await peer.session()
  const call = (tool: string, input: Record<string, unknown> = {}) => peer.call(tool, { sessionId, ...input })
  const atOnce = (...calls: readonly Call[]) => Promise.all(calls.map(([tool, input]) => call(tool, input)))
  await call('navigate', { url: site.url })
  return { peer, sessionId, call, atOnce }
}

const title = ['evaluate', { script: 'document.title' }] as const
const press = ['click', { selector: '#ok' }] as const

describe('in Chromium', () => {
  let it: Awaited<ReturnType<typeof open>>
  beforeAll(async () => void (it = await open()))
  beforeEach(async () => void (await it.call('navigate', { url: site.url })))
  afterAll(() => it.peer.close())

  test('a failure has the evidence of its own page, though the next call leaves it', async () => {
    const [failed, moved] = await it.atOnce(
      ['click', { selector: '#none', timeout: 200 }],
      ['navigate', { url: `${site.url}/two` }],
    )
    expect([failed, moved].map((answer) => answer && codeOf(answer))).toEqual(['ELEMENT_NOT_FOUND', 'ok'])
    const { page: shown, console: printed = [], candidates, screenshot } = failed?.data.evidence
    expect(shown).toEqual({ url: `${site.url}/`, title: 'One' })
    expect(JSON.stringify(printed)).not.toContain('only on two')
    expect(JSON.stringify(candidates)).toContain('"One"')
    expect(screenshot.path).toBeString()
  })

  test('calls wait for their turn behind one that hangs, and then have all their time', async () => {
    const answers = await it.atOnce(['evaluate', { script: 'while (true);' }], title, press, title)
    expect(answers.map(codeOf)).toEqual(['PAGE_HUNG', 'ok', 'ok', 'ok'])
    expect(answers.at(-1)?.data.result).toBe(`${answers[1]?.data.result}!`)
  })

  test('also with the same timeout as the one that fails', async () => {
    const timeout = 1500
    const answers = await it.atOnce(
      ['wait_for', { text: 'never', timeout }],
      ['click', { selector: '#none', timeout }],
      ['click', { selector: '#ok', timeout }],
      ['evaluate', { script: '1', timeout }],
    )
    expect(answers.map(codeOf)).toEqual(['TIMEOUT', 'ELEMENT_NOT_FOUND', 'ok', 'ok'])
  })

  test('one that must answer sooner than what is ahead of it says that it was not carried out', async () => {
    const [, turnedAway, after] = await it.atOnce(
      ['wait_for', { text: 'never', timeout: 1000 }],
      ['click', { selector: '#ok', timeout: 100 }],
      title,
    )
    expect(turnedAway?.data).toMatchObject({
      errorCode: 'TIMEOUT',
      message: expect.stringContaining('the call was not run'),
      details: { begun: false, waitedFor: expect.stringContaining('earlier calls') },
    })
    expect(turnedAway?.data.evidence).toBeUndefined()
    expect(after && codeOf(after)).toBe('ok')
  })

  test('the order is that in which they came, whatever they are', async () => {
    const answers = await it.atOnce(
      ['navigate', { url: `${site.url}/two` }],
      ['navigate', { url: site.url }],
      press,
      title,
      ['navigate', { url: 'no address' }],
      ['tabs', { action: 'new', url: `${site.url}/two` }],
      title,
      ['tabs', { action: 'close' }],
      title,
    )
    expect(answers.map(codeOf)).toEqual([
      ...Array(4).fill('ok'),
      'INVALID_PARAMETERS',
      ...Array(4).fill('ok'),
    ])
    expect(answers.map(({ data }) => data.result).filter(Boolean)).toEqual(['One!', 'Two', 'One!'])
  })

  test('a dialog stops those behind it until it is answered, and no longer', async () => {
    const answers = await it.atOnce(
      ['evaluate', { script: 'alert("stop"); throw new Error("after")' }],
      press,
      ['handle_dialog', { accept: true }],
      press,
    )
    expect(answers.map(codeOf)).toEqual(['ok', 'DIALOG_OPEN', 'ok', 'ok'])
  })

  test('every one of many is answered once, with its own answer', async () => {
    const calls = Array.from({ length: 60 }, (_, n): Call => {
      const kinds: readonly Call[] = [
        ['evaluate', { script: '(n) => n', arg: n }],
        ['evaluate', { script: `throw new Error('own ${n}')` }],
        ['click', { selector: `#none${n}[` }],
      ]
      return kinds[n % 3] as Call
    })
    const answers = await it.atOnce(...calls)
    answers.forEach(({ data }, n) => {
      if (n % 3 === 0) expect(data.result).toBe(n)
      else expect(data.message).toMatch(new RegExp(`(own ${n}\\.|#none${n}\\[)`))
    })
  }, 300_000)

  test('those that wait when their session is closed answer at once, and so does the one that runs', async () => {
    const other = await open()
    const waiting = other.atOnce(['wait_for', { text: 'never', timeout: 100_000 }], press, title)
    await other.peer.call('list_sessions')
    await other.call('close_session')
    const answers = await waiting
    expect(answers.map(codeOf)).toEqual(Array(3).fill('SESSION_CLOSED'))
    await other.peer.close()
  })
})

test('an implicit session is there before the first of them runs', async () => {
  const peer: Peer = await connect({ args: ['--headless', '--implicit-session'] })
  const [, read] = await Promise.all([peer.call('navigate', { url: site.url }), peer.call(...title)])
  expect(read.data.result).toBe('One')
  await peer.close()
})

test.each(anyBrowser)(
  '%s: a navigation that was given up does not take the page from under a later call',
  async (browser) => {
    const { peer, atOnce } = await open(['--browser', browser])
    const [failed, clicked, read] = await atOnce(
      ['navigate', { url: `${site.url}/slow`, timeout: 500 }],
      ['click', { selector: '#ok', timeout: 5000 }],
      [
        'evaluate',
        { script: 'new Promise((done) => setTimeout(() => done(document.title), 2000))', timeout: 20_000 },
      ],
    )
    expect([failed, clicked].map((answer) => answer && codeOf(answer))).toEqual(['NAVIGATION_FAILED', 'ok'])
    expect(read?.data.result).toBe('One!')
    await peer.close()
  },
  60_000,
)
