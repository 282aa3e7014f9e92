// Positions and elements in the source files of a bundle that a dev server of the session serves, with a source map.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { connect, type Peer, readEvidence } from '../../support/client.ts'
import { anyBrowser } from '../../support/engines.ts'

const TOKEN = 'ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'

/** What is added to the text of a source and found again by its comment. */
const files = {
  'src/cart.ts': `// cart
interface Line { price: number }

export function total(lines: Line[] | undefined): number {
  const token = '${TOKEN}'
  return lines!.length + token.length // throws
}
`,
  'src/main.ts': `import { total } from './cart.ts'
import { element } from '../node_modules/library/index.js'

type Handler = () => void
const handlers: Record<string, Handler> = {
  uncaught: () => void total(undefined),
  caught() {
    console.error('not saved:', new Error('offline')) // caught
  },
  told: () => console.log('hello'), // told
  refused: () => void fetch('/api/fails'), // refused
  page: () => void fetch('/').then((response) => response.json()), // page
}

function Panel(): void {
  for (const [id, handler] of Object.entries(handlers)) {
    const button = element('button', App.owner) // button
    Object.assign(button, { id, textContent: id, onclick: handler })
    document.body.append(button)
  }
}

const App = { owner: element.owner(Panel) } // panel
Panel()
document.querySelector<HTMLButtonElement>('#told')!.style.pointerEvents = 'none'
`,
  // It notes what React 19 notes in development.
  'node_modules/library/index.js': `export function element(tag, owner) {
  const node = document.createElement(tag)
  node.__reactFiber$a1 = { _debugStack: new Error('react-stack-top-frame'), _debugOwner: owner }
  return node
}
element.owner = (type) => ({ type, _debugStack: new Error('react-stack-top-frame') })
`,
  'linked.js': `const first = 1
import { nothing } from '/out/empty.js' // linked
`,
  'out/empty.js': 'export const something = 1',
  'server.mjs': `import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
createServer((request, response) => {
  const path = new URL(request.url, 'http://a').pathname
  if (path === '/api/fails') {
    console.error(new TypeError('no items')) // fails
    return response.writeHead(500).end()
  }
  if (path === '/') return response.setHeader('content-type', 'text/html').end('<title>Shop</title><body style="padding: 50px"><div data-testid="plain"><i id="plain">x</i></div><script type="module" src="/out/main.js?t=1"></script>')
  try {
    const body = readFileSync('.' + path)
    // As dev servers do: the browser asks whether what it has is still valid.
    response.setHeader('etag', '"1"').setHeader('cache-control', 'no-cache')
    if (request.headers['if-none-match'] === '"1"') return response.writeHead(304).end()
    response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'application/json').end(body)
  } catch { response.writeHead(404).end() }
}).listen(process.env.PORT, '127.0.0.1')
`,
} as const

const lineOf = (file: keyof typeof files, comment: string) =>
  files[file].split('\n').findIndex((line) => line.endsWith(`// ${comment}`)) + 1

let folder: string
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'footlight-sources-')))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const entrypoints = [join(folder, 'src/main.ts')]
  const result = await Bun.build({
    entrypoints,
    outdir: join(folder, 'out'),
    target: 'browser',
    sourcemap: 'linked',
  })
  expect(result.success).toBe(true)
  expect(readFileSync(join(folder, 'out/main.js'), 'utf8')).toContain('sourceMappingURL')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(anyBrowser)('%s', (browser) => {
  let peer: Peer
  beforeAll(async () => {
    const args = ['--headless', '--browser', browser, '--evidence', 'text']
    peer = await connect({ args })
    // With host rules the map is fetched through the proxy of the session.
    const session = { command: ['node', 'server.mjs'], cwd: folder, allowedDomains: [] }
    const { data } = await peer.call('create_session', session)
    expect(await peer.call('navigate', { url: data.url })).toMatchObject({ failed: false })
  })
  afterAll(() => peer?.close())

  const uncaught = `src/cart.ts:${lineOf('src/cart.ts', 'throws')}`

  test('an uncaught error is one of the source, in the answer of the action and in the console', async () => {
    const { data } = await peer.call('click', { selector: '#uncaught' })
    expect(data.notes).toEqual([
      expect.stringMatching(/^uncaught TypeError: .* at total \(src\/cart\.ts:6\)$/),
    ])
    const console = await peer.call('console_messages', { level: 'error' })
    expect(console.data.entries[0].stack).toContain(`at total (${uncaught})\nat `)
    expect(console.data.entries[0].stack).toContain(`(src/main.ts:6)`)
    expect(JSON.stringify(console.data)).not.toContain('http://')
  })

  test('an error that is printed has its source, and so has a message without an error', async () => {
    const { data } = await peer.call('click', { selector: '#caught' })
    const line = lineOf('src/main.ts', 'caught')
    // Firefox prints no stack of it.
    const note = new RegExp(
      `^console error: not saved: Error: offline( at \\S*caught)? \\(src/main.ts:${line}\\)$`,
    )
    expect(data.notes).toEqual([expect.stringMatching(note)])
    await peer.call('evaluate', { script: 'document.querySelector("#told").click()' })
    const console = await peer.call('console_messages', { pattern: 'hello' })
    const told = { file: 'src/main.ts', line: lineOf('src/main.ts', 'told'), column: expect.any(Number) }
    expect(console.data.entries).toMatchObject([{ message: 'hello', location: told }])
    const timeline = await peer.call('timeline', { limit: 10 })
    expect(JSON.stringify(timeline.data)).toContain(`log: hello (src/main.ts:${told.line})`)
  })

  test('a failure has the lines around the error, without secrets', async () => {
    await peer.call('evaluate', { script: 'setTimeout(() => document.querySelector("#uncaught").click())' })
    const fail = () => peer.call('click', { selector: '#nowhere', timeout: 500 })
    const data = await readEvidence(fail, 'codeFrame')
    expect(data.evidence.console.at(-1)).toEndWith(`at total (${uncaught})`)
    const [title, before, marked] = data.evidence.codeFrame.split('\n')
    expect(title).toBe(uncaught)
    expect(before).toMatch(/^5 {4}const token = /)
    expect(marked).toBe('6>   return lines!.length + token.length // throws')
    expect(JSON.stringify(data)).not.toContain(TOKEN)
  })

  test('a script that the browser has already is known after a reload', async () => {
    await peer.call('history', { direction: 'reload' })
    const { data } = await peer.call('click', { selector: '#uncaught' })
    expect(data.notes).toEqual([expect.stringMatching(/at total \(src\/cart\.ts:6\)$/)])
  })

  // Firefox does not say what started a request.
  const startOf = (comment: string) =>
    browser === 'chromium' ? ` at \\S*${comment} \\(src/main\\.ts:${lineOf('src/main.ts', comment)}\\)` : ''

  test('a request that fails names what started it, and the error that the server printed', async () => {
    const { data } = await peer.call('click', { selector: '#refused' })
    const position = `server\\.mjs:${lineOf('server.mjs', 'fails')}`
    expect(data.notes).toContainEqual(
      expect.stringMatching(new RegExp(`/api/fails → 500${startOf('refused')}$`)),
    )
    expect(data.notes).toContainEqual(
      expect.stringMatching(new RegExp(`^dev server: TypeError: no items at (\\S+ \\()?${position}\\b`)),
    )
  })

  // The page of a machine that stands still reports an error after the answer; one of three clicks tells both.
  test('a page that is read as JSON is named with what requested it', async () => {
    const answers: string[][] = []
    const request = new RegExp(`^GET \\S+/ → 200 text/html${startOf('page')}$`)
    const isNamed = ([error = '', next = '']: string[]) =>
      /^uncaught SyntaxError: .*JSON/.test(error) && request.test(next)
    while (answers.length < 3 && !answers.some(isNamed))
      answers.push((await peer.call('click', { selector: '#page' })).data.notes ?? [])
    expect(answers.at(-1) ?? []).toSatisfy(isNamed)
  })

  // It is reported in Firefox without a location.
  if (browser === 'chromium')
    test('a script that cannot be linked has its line', async () => {
      const element = `Object.assign(document.createElement('script'), { type: 'module', src: '/linked.js' })`
      const script = `await new Promise((resolve) => {
      addEventListener('error', () => resolve(1), { once: true })
      document.head.append(${element})
    })`
      await peer.call('evaluate', { script })
      const { data } = await peer.call('console_messages', { pattern: 'does not provide an export' })
      const location = { file: 'linked.js', line: lineOf('linked.js', 'linked'), column: expect.any(Number) }
      expect(data.entries).toMatchObject([{ location }])
    })

  const EVIDENCE_ROUNDS = 10
  const button = `src/main.ts:${lineOf('src/main.ts', 'button')}:20`
  const panel = `src/main.ts:${lineOf('src/main.ts', 'panel')}:`

  test('an element has its source: by selector, by ref, in a failure and as a candidate', async () => {
    const bySelector = await peer.call('get_content', { selector: '#caught', format: 'source' })
    expect(bySelector.data.content.split('\n')).toEqual([
      `<button> ${button}`,
      expect.stringContaining(`in Panel (${panel}`),
      "locator: getByRole('button', { name: 'caught', exact: true })",
    ])
    const snapshot = await peer.call('snapshot', { selector: '#caught' })
    const [, ref] = /\[((?:f\d+)?e\d+)\]/.exec(snapshot.data.snapshot) ?? []
    const byRef = await peer.call('get_content', { ref, format: 'source' })
    expect(byRef.data).toEqual(bySelector.data)
    // What takes longer than evidence may, on a busy machine, is missing there.
    const failToClick = async (selector: string, part: string) => {
      for (let rounds = 1; ; rounds += 1) {
        const failure = await peer.call('click', { selector, timeout: 500 })
        if (failure.data.evidence[part] !== undefined || rounds === EVIDENCE_ROUNDS) return failure
      }
    }
    const covered = await failToClick('#told', 'source')
    expect(covered.data).toMatchObject({
      errorCode: 'ELEMENT_NOT_CLICKABLE',
      evidence: { source: `${button} in Panel` },
    })
    const missing = await failToClick('#caugt', 'candidates')
    const candidate = { role: 'button', name: 'caught', ref, source: button }
    expect(missing.data.evidence.candidates).toContainEqual(candidate)
    expect(missing.data.message).toContain(`(ref ${missing.data.evidence.candidates[0].ref}, ${button})`)
  })

  test('where no source is known, no file is named', async () => {
    const { data } = await peer.call('get_content', { selector: '#plain', format: 'source' })
    expect(data.content).toMatch(
      /^No source is known for <i>: .* Nearest test id: data-testid="plain"\.\nlocator: getBy/,
    )
    const several = await peer.call('get_content', { selector: 'button', format: 'source' })
    expect(several.data).toMatchObject({ errorCode: 'INVALID_PARAMETERS' })
    const none = await peer.call('get_content', { format: 'source' })
    expect(none.data).toMatchObject({ errorCode: 'INVALID_PARAMETERS' })
  })
})
