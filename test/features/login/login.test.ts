// A person logs in in a window: here the page does what the person would do. The windows are on a display of their own.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { binary, connect } from '../../support/client.ts'
import { type Display, startDisplay } from '../../support/display.ts'
import { trace, until } from '../../support/leftovers.ts'
import { page, serveSite, type Site } from '../../support/site.ts'
import { closeWindows } from '../../support/x11.ts'

const folder = mkdtempSync(join(tmpdir(), 'fl-login-'))
// What Footlight has seen of the storage, the page reports too. Of six looks those in the middle came after the cookie, and have been answered.
const LOGIN = page(`<script>
  document.cookie = 'session=from-login; max-age=999'
  localStorage.user = 'ada'
  const { entries } = Object
  let lookCount = 0
  Object.entries = (object) => {
    if (object === localStorage && lookCount < 6) fetch('/look' + (lookCount += 1))
    return entries(object)
  }
  fetch('/done')
</script>`)
let site: Site
let display: string
let server: Display

beforeAll(async () => {
  site = await serveSite({
    '/': LOGIN,
    '/done': 'ok',
    ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((count) => [`/look${count}`, 'ok'])),
    '/app': (request, response) => response.end(page(String(request.headers.cookie))),
  })
  // It writes the number of its display once it accepts connections.
  server = await startDisplay('1000x700')
  display = server.name
}, 300_000)

afterAll(async () => {
  await server.stop()
  site.close()
  rmSync(folder, { recursive: true, force: true })
})

function startLogin(args: readonly string[], env: Record<string, string> = { DISPLAY: display }) {
  const left = trace()
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...rest } = process.env
  const child = Bun.spawn([binary, 'login', ...args], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...rest, ...left.env, XDG_STATE_HOME: folder, ...env },
  })
  const finish = async () => {
    const [output, errors, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    await left.expectNothing()
    return { output, errors, exitCode }
  }
  return { child, left, finish }
}

test('Enter saves the state under a name; a session that restores it is logged in', async () => {
  const login = startLogin([site.url, '--save', 'work'])
  expect(await until(() => site.hits.includes('/done'))).toBe(true)
  void login.child.stdin.write('\n')
  const { output, exitCode } = await login.finish()
  expect(output).toContain('1 cookie and the storage of 1 origin saved as work')
  expect(exitCode).toBe(0)
  expect(statSync(join(folder, 'footlight/states/work.json')).mode & 0o777).toBe(0o600)
  const peer = await connect({ env: { XDG_STATE_HOME: folder } })
  await peer.call('create_session', { restore: 'work' })
  await peer.call('navigate', { url: `${site.url}/app` })
  const { result } = (
    await peer.call('evaluate', { script: 'document.body.innerText.length + localStorage.user' })
  ).data
  expect(result).toBe(`${'session=from-login'.length}ada`)
  // An open session would replace what is saved now.
  const busy = await startLogin([site.url, '--save', 'work']).finish()
  expect([busy.exitCode, busy.errors.includes('in use by an open session')]).toEqual([1, true])
  await peer.close()
}, 300_000)

test('a login in a profile is that of its sessions; while the window is open it is said who has it', async () => {
  const hitCount = site.hits.length
  const login = startLogin([site.url, '--profile', 'own'])
  expect(await until(() => site.hits.slice(hitCount).includes('/done'))).toBe(true)
  const peer = await connect({ env: { XDG_STATE_HOME: folder } })
  const busy = await peer.call('create_session', { profile: 'own' })
  expect(busy.data['message']).toContain('which footlight login of process')
  void login.child.stdin.write('\n')
  const { output, exitCode } = await login.finish()
  expect([exitCode, output]).toEqual([0, expect.stringContaining('saved in the profile own')])
  await peer.call('create_session', { profile: 'own' })
  await peer.call('navigate', { url: `${site.url}/app` })
  const { result } = (await peer.call('evaluate', { script: 'document.body.innerText + localStorage.user' }))
    .data
  expect(result).toBe('session=from-loginada')
  await peer.close()
}, 300_000)

test('closing the window saves the state, in a file; so does the end of the browser', async () => {
  const file = join(folder, 'state.json')
  for (const way of ['window', 'browser']) {
    const hitCount = site.hits.length
    const login = startLogin([site.url, '--save', file])
    expect(await until(() => site.hits.slice(hitCount).includes('/look6'))).toBe(true)
    if (way === 'window') expect(closeWindows(display)).toBeGreaterThan(0)
    else for (const { pid } of login.left.browsers()) process.kill(pid, 'SIGTERM')
    expect(await login.finish()).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining('1 cookie and the'),
    })
    const { cookies, origins } = JSON.parse(readFileSync(file, 'utf8'))
    expect(cookies[0].value).toBe('from-login')
    expect(origins[0].localStorage).toEqual([{ name: 'user', value: 'ada' }])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    rmSync(file)
  }
}, 300_000)

test.each([
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const)(
  '%s saves nothing and leaves an earlier state as it was',
  async (signal, code) => {
    const states = join(folder, 'footlight/states')
    mkdirSync(states, { recursive: true })
    const earlier = '{"cookies":[],"origins":[]}'
    writeFileSync(join(states, 'kept.json'), earlier)
    const file = join(folder, 'refused.json')
    for (const save of ['kept', file]) {
      const hitCount = site.hits.length
      const login = startLogin([site.url, '--save', save])
      expect(await until(() => site.hits.slice(hitCount).includes('/look3'))).toBe(true)
      login.child.kill(signal)
      const { exitCode, output, errors } = await login.finish()
      expect([exitCode, output, errors]).toEqual([code, '', expect.stringContaining('nothing was saved')])
    }
    expect(existsSync(file)).toBe(false)
    expect(readFileSync(join(states, 'kept.json'), 'utf8')).toBe(earlier)
    expect(existsSync(join(states, 'kept.lock'))).toBe(false)
  },
  300_000,
)

test('what cannot be done fails with the reason', async () => {
  for (const [args, text] of [
    [[], 'URL is missing'],
    [['file:///etc/passwd', '--save', 'x'], 'expected one address'],
    [[site.url], 'expected --save NAME or FILE, or --profile NAME'],
    [[site.url, '--save', 'x', '--profile', 'x'], 'expected --save'],
    [[site.url, '--profile', 'a/b'], '--profile'],
  ] as const) {
    const { exitCode, errors } = await startLogin(args).finish()
    expect([exitCode, errors.includes(text)]).toEqual([2, true])
  }
  const { exitCode, errors } = await startLogin([site.url, '--save', 'x'], {}).finish()
  expect([exitCode, errors.includes('needs a display')]).toEqual([1, true])
  expect(existsSync(join(folder, 'footlight/states/x.json'))).toBe(false)
}, 300_000)
