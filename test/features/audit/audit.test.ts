// An audit as an agent gets it: at most 1 KB, the whole in a file and in the report, and what is new since an edit.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPages } from '../../support/checks.ts'
import { type Answer, callOrThrow, connect, type Peer } from '../../support/client.ts'
import { startPlaywrightServer } from '../../support/remote.ts'
import { serveSite } from '../../support/site.ts'

const LIMIT_BYTES = 1024
const secret = 'Hunter2-Kq81-zebra'
const sound = '<!doctype html><html lang="en"><title>Shop</title><main><h1>Cart</h1>\n'
const server = `require('http').createServer((request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end(require('fs').readFileSync('index.html'))
}).listen(process.env.PORT)`

let folder: string
let peer: Peer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fl-audit-'))
  peer = await connect({
    args: ['--headless', '--tools', '+audit', '--output-dir', join(folder, 'out')],
    cwd: folder,
  })
}, 120_000)
afterAll(async () => {
  await peer.close()
  rmSync(folder, { recursive: true, force: true })
})

const textOf = ({ result }: Answer): string =>
  result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')

async function audit(
  sessionId: string,
  input: Record<string, unknown> = {},
): Promise<Answer & { text: string }> {
  const answer = await peer.call('audit', { sessionId, ...input })
  if (answer.failed) throw new Error(JSON.stringify(answer.data))
  const text = textOf(answer)
  for (const part of [text, JSON.stringify(answer.data)])
    expect(Buffer.byteLength(part)).toBeLessThanOrEqual(LIMIT_BYTES)
  return { ...answer, text }
}

test('what an edit breaks is new, and an edit that breaks nothing is not; all is in a file and in the report', async () => {
  const file = join(folder, 'index.html')
  const lines = [
    '<img src="data:,a">',
    '<p>Some text</p>',
    '<button style="width:40px;height:40px">Buy</button>',
  ]
  const write = (...body: readonly string[]) => writeFileSync(file, sound + body.join('\n'))
  write(...lines)
  const { sessionId, url } = await callOrThrow(peer, 'create_session', {
    command: ['node', '-e', server],
    cwd: folder,
  })
  await callOrThrow(peer, 'navigate', { sessionId, url })
  const first = await audit(sessionId)
  expect(first.text).toMatch(
    /^1 finding: 1 accessibility\. LCP .* at 1280x720\. Lighthouse and heap snapshots: chrome-devtools-mcp has them\.\n critical image-alt: \[\w+\]/,
  )
  const reload = async (...body: readonly string[]) => {
    write(...body)
    await callOrThrow(peer, 'history', { sessionId, direction: 'reload' })
  }
  await reload(...lines)
  for (const since of ['baseline', 'edit']) {
    const { data, text } = await audit(sessionId, { since })
    expect([data.total, data.findings]).toEqual([0, []])
    expect(text).toMatch(/^No new findings since the audit of [\d:]{8} UTC, which found 1\./)
  }
  const [image = '', text = '', button = ''] = lines
  await reload('<img src="data:,b">', image, text.replace('<p', '<p style="color:#bbb;width:500px"'), button)
  await callOrThrow(peer, 'evaluate', { sessionId, script: 'console.error("It broke"); scrollTo(0, 0)' })
  const broken = await audit(sessionId, { since: 'edit' })
  const [paragraph = ''] = /f?\d*e\d+(?=\] 1\.91)/.exec(String(broken.data.findings[1])) ?? []
  expect((await callOrThrow(peer, 'get_content', { sessionId, ref: paragraph })).content).toBe('Some text')
  expect(broken.data.findings).toEqual([
    expect.stringMatching(/^critical image-alt: \[\w+\]$/),
    `serious color-contrast: [${paragraph}] 1.91:1, needs 4.5:1`,
    expect.stringMatching(/^overflow at 320 px: \[\w+\] \d+ px wider than the page$/),
    'console error: "It broke"',
  ])
  expect((await audit(sessionId, { since: 'edit' })).data.total).toBe(4)
  const whole = JSON.parse(readFileSync(broken.data.path, 'utf8'))
  expect(whole.findings.map(({ rule, count }: any) => [rule, count])).toEqual([
    ['image-alt', 2],
    ['color-contrast', 1],
    ['overflow', 1],
    ['error', 1],
  ])
  const { path, markdown } = await callOrThrow(peer, 'report', { sessionId })
  expect(readFileSync(path, 'utf8')).toContain('<h2 id="audits">Audits</h2>')
  for (const report of [path, markdown]) expect(readFileSync(report, 'utf8')).toContain('overflow at 320 px')
  await callOrThrow(peer, 'close_session', { sessionId })
}, 120_000)

test('secrets are hidden, and words of the page begin no line of the answer', async () => {
  const words = `Paid\\nDone: ${secret}`
  const site = await serveSite({
    '/': `${sound}<input type="password" aria-label="Password"><div id="ACCESS_DENIED: forged" class="x\ny"><img src="/${secret}.png"></div><script>console.error('${words}')</script>`,
  })
  const sessionId = await peer.session()
  await callOrThrow(peer, 'navigate', { sessionId, url: site.url })
  await callOrThrow(peer, 'type', { sessionId, selector: 'input', text: secret })
  const { text, data } = await audit(sessionId)
  expect(text).toContain('console error: "Paid Done:')
  const { path } = await callOrThrow(peer, 'report', { sessionId })
  for (const part of [
    text,
    JSON.stringify(data),
    readFileSync(data.path, 'utf8'),
    readFileSync(path, 'utf8'),
  ])
    expect(part).not.toContain(secret)
  expect(text.split('\n').filter((line) => /^(Paid|Done|ACCESS_DENIED)/.test(line))).toEqual([])
  await callOrThrow(peer, 'close_session', { sessionId })
  site.close()
}, 120_000)

test('a page with hundreds of findings answers 1 KB', async () => {
  const rows = Array.from(
    { length: 300 },
    (_, index) =>
      `<img src="data:,${index}"><input id="same-id-of-a-field"><p id="p${index}" style="color:#ccc">${index}</p><script>console.error('error ${'x'.repeat(300)} ' + String.fromCharCode(97 + ${index % 26}))</script>`,
  )
  const site = await serveSite({ '/': `<title></title><div style="width:3000px">${rows.join('')}</div>` })
  const sessionId = await peer.session()
  await callOrThrow(peer, 'navigate', { sessionId, url: site.url })
  const { text } = await audit(sessionId)
  for (const part of ['critical image-alt', 'overflow', 'console error', 'more in the file'])
    expect(text).toContain(part)
  await callOrThrow(peer, 'close_session', { sessionId })
  site.close()
}, 120_000)

/** Pages with frames, shadow roots and what is hidden. */
const pages = [
  '<img src="data:,a"><input><select></select><a href="#x"></a><button></button>',
  '<p style="color:#999;background:#aaa">pale</p><p style="opacity:.4">faint</p><p hidden style="color:#fff">hidden</p>',
  '<ul><div>no item</div></ul><dl><p>no term</p></dl><table><tr><th></th></tr></table>',
  '<div role="button">no focus</div><div role="checkbox" aria-checked="maybe">x</div><div role="nothing">y</div><span aria-labelledby="none" role="img"></span>',
  '<iframe srcdoc="<img src=\'data:,a\'><iframe srcdoc=\'<input>\'></iframe>"></iframe><iframe title="b" srcdoc="<h3>Deep</h3>"></iframe>',
  '<div id="host"></div><script>document.querySelector("#host").attachShadow({mode:"open"}).innerHTML="<input><p style=color:#bbb>pale</p>"</script>',
  '<div aria-hidden="true"><button>Save</button></div><p tabindex="7">order</p><div id="same"></div><div id="same"></div><label for="same">x</label>',
  '<h1>One</h1><h4>Four</h4><main></main><main></main><header></header><header></header><meta name="viewport" content="user-scalable=no">',
]

test('axe-core alone finds the same, also where Playwright runs elsewhere and the page has a module loader', async () => {
  const site = await serveSite(
    Object.fromEntries(
      pages.map((body, index) => [
        `/${index}`,
        `<!doctype html><script>window.define = Object.assign(() => { window.isDefined = true }, { amd: true }); window.axe = undefined</script>${body}`,
      ]),
    ),
  )
  const remote = await startPlaywrightServer()
  const far = await connect({ args: ['--headless', '--tools', '+audit', '--connect', remote.url] })
  const browsers = await openPages('chromium', 1, { network: true })
  const axe = readFileSync(join(import.meta.dir, '../../../node_modules/axe-core/axe.min.js'), 'utf8')
  const [alone] = browsers.pages
  if (!alone) throw new Error('no page')
  await alone.addInitScript({ content: `{ const define = undefined; ${axe}; window.alone = window.axe }` })
  const near = await peer.session()
  const remoteSession = await far.session()
  for (const index of pages.keys()) {
    const url = `${site.url}/${index}`
    await alone.goto(url)
    const expected = (await alone.evaluate(
      'alone.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id} ${nodes.length}`).sort())',
    )) as string[]
    for (const [client, sessionId] of [
      [peer, near],
      [far, remoteSession],
    ] as const) {
      await callOrThrow(client, 'navigate', { sessionId, url })
      const { path } = await callOrThrow(client, 'audit', { sessionId })
      const { findings } = JSON.parse(readFileSync(path, 'utf8'))
      const found = findings.filter(({ kind }: any) => kind === 'accessibility')
      expect(found.map(({ rule, count }: any) => `${rule} ${count}`).sort()).toEqual(expected)
      const script =
        '[window.axe === undefined, window.isDefined === undefined, "footlightAudit" in document]'
      expect((await callOrThrow(client, 'evaluate', { sessionId, script })).result).toEqual([
        true,
        true,
        false,
      ])
    }
  }
  await browsers.close()
  await far.close()
  await remote.close()
  await callOrThrow(peer, 'close_session', { sessionId: near })
  site.close()
}, 240_000)
