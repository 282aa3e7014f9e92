// `footlight call`: tools from a shell.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { binary, patience } from '../../support/client.ts'
import { type Trace, trace } from '../../support/leftovers.ts'
import { page, serveSite, type Site } from '../../support/site.ts'

let site: Site
let folder: string
let left: Trace

beforeAll(async () => {
  left = trace()
  site = await serveSite({ '/': page('<button onclick="this.textContent=\'done\'">Go</button>', 'Same') })
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-call-')))
})
afterAll(async () => {
  site.close()
  rmSync(folder, { recursive: true, force: true })
  await left.expectNothing()
})

async function run(command: readonly string[]) {
  const env = { ...process.env, ...patience, ...left.env, FOOTLIGHT_WARM: '0' }
  const child = Bun.spawn([...command], { cwd: folder, env, stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { status: await child.exited, stdout, stderr }
}
const call = (...words: string[]) => run([binary, 'call', ...words])
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

test('several calls share a session; each answer is a line of JSON, a picture has its path there; a failure ends it with 1', async () => {
  const good = await call('navigate', `url=${site.url}`, 'click', '{"selector":"button"}', 'screenshot')
  const [arrived, clicked, shot] = linesOf(good.stdout)
  expect([good.status, arrived.title, clicked.success, shot.width]).toEqual([0, 'Same', true, 1280])
  expect(shot.path.startsWith(folder)).toBe(true)
  expect(readFileSync(shot.path).subarray(1, 4).toString()).toBe('PNG')
  const bad = await call('click', '{"selector":"#none","timeout":200}', 'screenshot')
  expect([bad.status, linesOf(bad.stdout)]).toEqual([
    1,
    [expect.objectContaining({ errorCode: 'ELEMENT_NOT_FOUND' })],
  ])
}, 300_000)

test('--text prints what a model reads, and a terminal gets it without asking', async () => {
  const words = [
    'navigate',
    `url=${site.url}`,
    'snapshot',
    'screenshot',
    'click',
    'selector=#none',
    'timeout=200',
  ]
  const text = await call('--text', ...words)
  expect([text.status, text.stdout]).toEqual([
    1,
    expect.stringMatching(
      /^200 Same\nbutton "Go" \[e\d+\]\n1280 × 720\npath: \/.*\.png\nELEMENT_NOT_FOUND: /,
    ),
  ])
  if (Bun.which('script') === null) return
  const line = [binary, 'call', 'navigate', `url=${site.url}`].map((word) => `'${word}'`).join(' ')
  expect((await run(['script', '-qec', line, '/dev/null'])).stdout).toContain('\n200 Same\r\n')
}, 300_000)

test.skipIf(Bun.which('script') === null)(
  'a terminal says that a session ends with its command, where the next call would need it',
  async () => {
    const terminal = async (words: string) =>
      (await run(['script', '-qec', `'${binary}' call ${words}`, '/dev/null'])).stdout
    const note = 'footlight: this session has ended with the command'
    expect(await terminal('create_session')).toContain(note)
    expect(await terminal('save_test path=a.spec.ts')).toContain(note)
    expect(await terminal(`navigate url=${site.url}/`)).not.toContain(note)
    expect((await call('create_session')).stderr).not.toContain(note)
  },
)

test('a picture that cannot be written is a failure', async () => {
  writeFileSync(join(folder, 'file'), '')
  const { status, stdout } = await call(
    '--output-dir',
    'file/below',
    'navigate',
    `url=${site.url}`,
    'screenshot',
    'snapshot',
  )
  expect([status, linesOf(stdout)]).toEqual([
    1,
    [
      expect.objectContaining({ title: 'Same' }),
      expect.objectContaining({
        errorCode: 'RESOURCE_EXHAUSTED',
        message: expect.stringContaining('file/below'),
      }),
    ],
  ])
}, 300_000)

test('the logs of a dev server that did not start are there afterwards', async () => {
  const { status, stdout } = await call('create_session', 'command=echo broken >&2; exit 3')
  const [{ errorCode, details }] = linesOf(stdout)
  expect([status, errorCode]).toEqual([1, 'SERVER_START_FAILED'])
  expect(readFileSync(details.logs.stderr, 'utf8')).toBe('broken\n')
  expect(readFileSync(details.logs.combined, 'utf8')).toContain('broken')
}, 300_000)

test('its own server speaks stdio, whatever the variables of the user say', async () => {
  const { status, stdout } = await run(['env', 'FOOTLIGHT_HTTP=0', binary, 'call', 'list_sessions'])
  expect([status, stdout]).toEqual([0, '{"sessions":[]}\n'])
}, 120_000)
