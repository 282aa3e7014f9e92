// A Chrome as a user runs it, with tabs that report whatever happens to them. An observer follows its targets without attaching to any.

import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { WebSocket } from 'ws'
import { until } from './leftovers.ts'
import { page, serveSite } from './site.ts'

export interface OwnChrome {
  /** The HTTP address of its DevTools. */
  readonly endpoint: string
  readonly configHome: string
  /** The ids of the tabs of the user. */
  readonly foreign: readonly string[]
  /** All tabs that are open now. */
  tabs(): readonly string[]
  /** Waits until only the tabs of the user are open; the others otherwise. */
  waitForOthersGone(ms: number): Promise<readonly string[]>
  /** What has happened to the tabs of the user: events of their pages, attachments, navigations, ends. */
  touches(): readonly string[]
  readonly cookies: () => Promise<readonly { name: string; value: string }[]>
  /** Ends it as its user does; what it keeps stays in `configHome`. */
  quit(): Promise<void>
  close(): Promise<void>
}

const REPORTER = `<script>
const report = (what) => navigator.sendBeacon('/touched', what + ' ' + location.search)
for (const type of ['visibilitychange', 'freeze', 'resume']) document.addEventListener(type, () => report(type))
for (const type of ['resize', 'pagehide', 'beforeunload', 'focus']) window.addEventListener(type, () => report(type))
for (const query of ['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)'])
  matchMedia(query).addEventListener('change', () => report(query))
fetch('/ready')
</script>`

interface Info {
  readonly targetId: string
  readonly type: string
  readonly url: string
  readonly attached: boolean
}

/** Starts it with `count` tabs of its user. In its profile at `configHome`, which may be there already, remote debugging is allowed. */
export async function startOwnChrome(
  count: number,
  configHome = mkdtempSync(join(tmpdir(), 'fl-own-chrome-')),
): Promise<OwnChrome> {
  const reports: string[] = []
  let readyCount = 0
  const site = await serveSite(
    {
      '/touched': (request, response) => {
        request.on('data', (chunk) => reports.push(String(chunk)))
        response.end()
      },
      '/ready': (_, response) => {
        readyCount += 1
        response.end()
      },
    },
    page(REPORTER, 'Tab of the user'),
  )
  const profile = join(configHome, 'chromium')
  const portFile = join(profile, 'DevToolsActivePort')
  rmSync(portFile, { force: true })
  const args = [`--user-data-dir=${profile}`, '--remote-debugging-port=0', '--headless=new', '--no-sandbox']
  const chrome = spawn('/usr/bin/chromium', [...args, '--no-first-run', 'about:blank'], {
    stdio: 'ignore',
    detached: true,
    // What it keeps there while it runs is left when it is killed.
    env: { ...process.env, TMPDIR: configHome },
  })
  await until(() => existsSync(portFile) && readFileSync(portFile, 'utf8').includes('/devtools/'))
  const [port, path] = readFileSync(portFile, 'utf8').trim().split('\n')
  const { send, targets, changes } = await observe(`ws://127.0.0.1:${port}${path}`)
  for (let index = 0; index < count; index += 1)
    await send('Target.createTarget', { url: `${site.url}/user?${index}`, background: true })
  await until(() => readyCount === count)
  // A tab has its title and its icon only after it has loaded.
  await until(
    () => [...targets.values()].filter(({ url }) => url.startsWith(site.url)).length === count,
    30_000,
  )
  const foreign = [...targets.keys()]
  reports.length = 0
  changes.length = 0
  const ended = () =>
    new Promise((resolve) => (chrome.exitCode === null ? chrome.once('exit', resolve) : resolve(0)))
  const others = () => [...targets.keys()].filter((id) => !foreign.includes(id))
  return {
    endpoint: `http://127.0.0.1:${port}`,
    configHome,
    foreign,
    tabs: () => [...targets.keys()],
    async waitForOthersGone(ms) {
      await until(() => others().length === 0, ms)
      return others().map((id) => targets.get(id)?.url ?? id)
    },
    touches: () => [...reports, ...changes.filter(([id]) => foreign.includes(id)).map(([, what]) => what)],
    async cookies() {
      const { cookies } = await send('Storage.getCookies', {})
      return cookies as { name: string; value: string }[]
    },
    async quit() {
      void send('Browser.close', {})
      await ended()
      site.close()
    },
    async close() {
      if (chrome.pid) process.kill(-chrome.pid, 'SIGKILL')
      await ended()
      site.close()
      rmSync(configHome, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function observe(url: string) {
  const socket = new WebSocket(url)
  await new Promise((resolve) => socket.once('open', resolve))
  const targets = new Map<string, Info>()
  const changes: [string, string][] = []
  const answers = new Map<number, (result: Record<string, unknown>) => void>()
  let lastId = 0
  socket.on('message', (data) => {
    const { id, method, params, result } = JSON.parse(String(data))
    if (id !== undefined) return answers.get(id)?.(result)
    const info = params.targetInfo as Info | undefined
    if (info && info.type !== 'page') return
    const before = targets.get(info?.targetId ?? params.targetId)
    if (info && before && method === 'Target.targetInfoChanged') {
      if (info.url !== before.url)
        changes.push([info.targetId, `navigated from ${before.url} to ${info.url}`])
      if (info.attached && !before.attached) changes.push([info.targetId, `attached: ${info.url}`])
    }
    if (method === 'Target.targetDestroyed') changes.push([params.targetId, `closed: ${before?.url}`])
    if (method === 'Target.targetDestroyed') targets.delete(params.targetId)
    else if (info) targets.set(info.targetId, info)
  })
  const send = (method: string, params: object) =>
    new Promise<Record<string, unknown>>((resolve) => {
      lastId += 1
      answers.set(lastId, resolve)
      socket.send(JSON.stringify({ id: lastId, method, params }))
    })
  await send('Target.setDiscoverTargets', { discover: true })
  return { send, targets, changes }
}
