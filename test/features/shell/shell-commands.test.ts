// What the commands of the shell do in a server, and what they print.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ok } from '../../../src/core/base/result.ts'
import type { CallToolResult } from '../../../src/features/lib/calls/save-images.ts'
import type { ShellCommandLine } from '../../../src/features/lib/socket/shell-message.ts'
import { runShellCommand } from '../../../src/features/shell/run-shell-command.ts'
import { share, type SharedPeer } from '../../support/client.ts'
import { reservePort } from '../../support/reserve-port.ts'
import { page, serveSite, type Site } from '../../support/site.ts'

const shop = page(
  `<h1>Shop</h1><form onsubmit="event.preventDefault(); document.querySelector('[role=status]').textContent = 'Hello ' + this.user.value">
  <label>Name <input name="user"></label><input placeholder="Email"><label><input type="checkbox"> Remember me</label>
  <label>Size <select><option>S<option>M</select></label><button>Save</button><button type="button">Save as</button></form><p role="status"></p>`,
  'Shop',
)
const long = page(
  Array.from({ length: 300 }, (_, index) => `<p>Paragraph ${index}</p><button>Button ${index}</button>`).join(
    '',
  ),
  'Long',
)

let site: Site
let peer: SharedPeer
beforeAll(async () => {
  site = await serveSite({ '/': shop, '/long': long })
  peer = await share()
}, 300_000)
afterAll(async () => {
  await peer.close()
  site.close()
})

async function run(argv: readonly string[], request: Partial<ShellCommandLine> = {}) {
  const server = {
    callTool: (name: string, input: Readonly<Record<string, unknown>>) =>
      peer.client.callTool({ name, arguments: input }, undefined, {
        timeout: 120_000,
      }) as Promise<CallToolResult>,
    async writeFile(name: string, bytes: Uint8Array | string) {
      mkdirSync(join(peer.folder, 'answers'), { recursive: true })
      const path = join(peer.folder, 'answers', name)
      writeFileSync(path, bytes)
      return ok({ path })
    },
    saveCopy: (_: string, to: string) => Promise.resolve(ok(to)),
  }
  const { text, exitCode, stream } = await runShellCommand({ argv, cwd: peer.folder, ...request }, server)
  return [exitCode, stream === 'stderr' ? `stderr: ${text}` : text]
}

test('a session from its first page to its end', async () => {
  const missing =
    'SESSION_NOT_FOUND: There is no session default. Open it with footlight open URL; footlight list shows the open ones.\n'
  expect(await run(['snap'])).toEqual([3, missing])
  expect(await run(['open', site.url], { isOnlyExisting: true })).toEqual([3, missing])
  expect(await run(['open', site.url])).toEqual([0, 'Session default is open.\n200 Shop\n'])
  const [, snapshot] = await run(['snap'])
  expect(snapshot).toContain('button "Save" [')
  const [, ref = ''] = /button "Save" \[(e\d+)\]/.exec(String(snapshot)) ?? []
  expect(await run(['fill', 'Name', 'Ada'])).toEqual([0, 'Typed.\n'])
  expect(await run(['click', ref])).toMatchObject([0, expect.stringContaining('status [')])
  expect(await run(['wait', 'Hello Ada'])).toMatchObject([0, expect.stringMatching(/^Waited \d+ ms.\n$/)])
  const form = ['fill', 'Name', 'Ben', 'Email', 'a@b.test', 'Remember me', 'true', 'Size', 'M', '--submit']
  expect(await run(form)).toMatchObject([0, expect.stringMatching(/Remember me.*checked\n.*Hello Ben\n$/)])
  expect(await run(['uncheck', '"Remember me"'])).toMatchObject([0, expect.stringContaining('Remember me')])
  expect(await run(['eval', 'document.forms[0].innerText.length > 0', '--raw'])).toEqual([0, 'true\n'])
  expect(await run(['click', 'button:"Save"'])).toMatchObject([0, expect.any(String)])
  expect(await run(['click', 'button:Save'])).toMatchObject([1, expect.stringContaining('which matches 2')])
  expect(await run(['open', '/long'])).toMatchObject([0, expect.stringMatching(/^200 /)])
  expect(await run(['open', '/', '--device', 'iPhone 15'])).toEqual([
    2,
    'stderr: footlight: open: session default is open, and device is for a new one. Close it first (footlight close), or open another one: footlight -s NAME open URL\n',
  ])
  expect(await run(['up', 'npm run dev'])).toMatchObject([2, expect.stringContaining('without a dev server')])
  expect(await run(['-s', 'ada', 'open', site.url])).toEqual([0, 'Session ada is open.\n200 Shop\n'])
  expect(await run(['close', '--all'])).toEqual([0, 'Session default is closed.\nSession ada is closed.\n'])
  expect(await run(['close', '--all'])).toEqual([0, 'No session is open.\n'])
}, 120_000)

describe('with a session', () => {
  beforeAll(() => run(['open', site.url]), 120_000)

  test('a long page is an outline within 4 KB, a file that has all of it, and how to search it', async () => {
    await run(['goto', '/long'])
    const [, text = ''] = (await run(['snap'])) as [number, string]
    const path = join(peer.folder, 'answers', 'snapshot.txt')
    expect(text.length).toBeLessThan(4300)
    expect(text.trim().split('\n').at(-1)).toBe(
      `all 600 lines: ${path}; footlight find TEXT searches the page`,
    )
    expect(text).not.toContain('cursor')
    expect(readFileSync(path, 'utf8').includes('\ntext: Paragraph 150\n')).toBe(true)
    expect(String((await run(['snap', '--raw']))[1]).split('\n').length).toBeGreaterThanOrEqual(600)
    expect(await run(['find', 'Button 299'])).toEqual([
      0,
      expect.stringMatching(/^button "Button 299" \[\w+\]\n$/),
    ])
    await run(['goto', '/'])
  }, 120_000)

  test('a picture is a path', async () => {
    const path = join(peer.folder, 'answers', 'screenshot.png')
    expect(await run(['shot', 'h1'])).toMatchObject([
      0,
      expect.stringMatching(/^\d+ × \d+\npath: .*\/screenshot.png\n$/),
    ])
    expect(await run(['shot', '--raw'])).toEqual([0, `${path}\n`])
    expect(readFileSync(path).subarray(1, 4).toString()).toBe('PNG')
  }, 120_000)

  test('lines are one call, which opens the session and stops at the first failure', async () => {
    const stdin = `# the form\nopen ${site.url}\nfill Name "Ada L" --submit\nshot\n\nclick Nowhere --timeout 300\nsnap\n`
    const [exitCode, text] = await run(['-s', 'lines', 'do'], { stdin })
    expect(exitCode).toBe(1)
    expect(text).toMatch(
      /^ELEMENT_NOT_FOUND: Step 5 of 6 \(click\) failed, 1 not run\. .*\nsteps:\n 1 create_session: /,
    )
    expect(await run(['-s', 'lines', 'do', `open ${site.url}`, 'press Tab', 'shot'])).toMatchObject([
      0,
      expect.stringMatching(
        /^1 navigate: 200 .*\n2 press_key: .*\n3 screenshot: [^]*path: .*screenshot.png\n$/,
      ),
    ])
  }, 120_000)

  test('a deadline is 124', async () => {
    expect(await run(['wait', 'Nothing', '--timeout', '200'])).toMatchObject([
      124,
      expect.stringMatching(/^TIMEOUT: /),
    ])
  }, 120_000)

  test('a terminal gets lines of its width, help the same text as without a server', async () => {
    const [, text = ''] = (await run(['fill', '--help'], { columns: 60 })) as [number, string]
    expect(text).toContain('Usage: footlight [-s NAME] fill TARGET TEXT [MORE...]')
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })
})

test('a dev server, its first page and its log', async () => {
  const port = await reservePort()
  const server = `require('node:http').createServer((request, response) => { console.log(request.url); response.setHeader('content-type', 'text/html'); response.end('<title>' + process.env.TITLE + request.url + '</title>') }).listen(process.env.PORT, () => console.log('http://localhost:' + process.env.PORT))`
  mkdirSync(join(peer.folder, 'web'), { recursive: true })
  writeFileSync(join(peer.folder, 'web', 'server.cjs'), server)
  const up = ['-s', 'web', 'up', 'node server.cjs', '/cart', '--env', 'TITLE=Page', '--port', String(port)]
  const [exitCode, text] = await run(up, { cwd: join(peer.folder, 'web') })
  expect([exitCode, text]).toEqual([
    0,
    expect.stringMatching(
      new RegExp(
        `^Session web is open, its dev server at http://localhost:${port}/.\nlogs: .*\n200 .*Page/cart\n$`,
      ),
    ),
  ])
  expect(await run(up)).toMatchObject([0, expect.stringMatching(/^200 /)])
  expect(await run(['-s', 'web', 'log', 'cart'])).toMatchObject([0, expect.stringContaining('/cart')])
}, 120_000)
