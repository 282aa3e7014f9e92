// What a page still sends when it comes to its end: as its session is closed or expires, as Footlight exits, as its tab is closed. All
// routes run in one page, and each is first seen to reach the forbidden server without rules, where the engine lets it. The endings of an
// engine run side by side, each with servers of its own to be reached, and those that leave Footlight running share it.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ChildProcess } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import process from 'node:process'
import { connect, type Peer } from '../../support/client.ts'
import { anyBrowser } from '../../support/engines.ts'
import { type Forbidden, forbidden } from '../../support/forbidden.ts'
import { until } from '../../support/leftovers.ts'
import { pool } from '../../support/pool.ts'
import { page, serveSite, type Site } from '../../support/site.ts'

const engines = {
  'headless shell': ['--browser', 'chromium'],
  chromium: ['--browser', 'chromium', '--executable-path', '/usr/bin/chromium'],
  firefox: ['--browser', 'firefox'],
} as const

const loop = (url: string) => `setInterval(() => fetch('${url}', { mode: 'no-cors' }).catch(() => {}), 200)`

const FREE_MS = 8000

/** What is sent on the way out, by the event that sends it, and what goes on sending. */
const leaving = (bad: string) =>
  page(
    `<p>leaving</p><script>
    const keep = (path) => fetch('${bad}' + path, { method: 'POST', body: 'x', keepalive: true, mode: 'no-cors' }).catch(() => {})
    for (const name of ['pagehide', 'unload', 'beforeunload'])
      addEventListener(name, () => {
        navigator.sendBeacon('${bad}/beacon-' + name, 'x')
        keep('/keepalive-' + name)
      })
    document.addEventListener('visibilitychange', () => navigator.sendBeacon('${bad}/beacon-hidden', 'x'))
    keep('/keepalive-before')
    new Worker(URL.createObjectURL(new Blob([${JSON.stringify(loop(`${bad}/worker`))}])))
    new SharedWorker('/shared.js')
    navigator.serviceWorker.register('/service.js')
    </script>`,
    'Leaving',
  )

const script =
  (text: string) =>
  (_: unknown, response: ServerResponse): void =>
    void response.writeHead(200, { 'content-type': 'text/javascript' }).end(text)

const site = (bad: Forbidden): Promise<Site> =>
  serveSite({
    '/': page('<p>other</p>', 'Other'),
    '/leaving': leaving(bad.url),
    '/shared.js': script(loop(`${bad.url}/shared`)),
    '/service.js': script(loop(`${bad.url}/service`)),
  })

/** Each leads the session to its end and comes back when it is there. */
const endings: Record<string, (peer: Peer, sessionId: string) => Promise<unknown>> = {
  close_session: (peer, sessionId) => peer.call('close_session', { sessionId }),
  expiry: (peer, sessionId) =>
    until(async () => !JSON.stringify((await peer.call('list_sessions')).data).includes(sessionId)),
  // Not by the client's own close, which kills what has not ended within seconds.
  'stdin EOF': (peer) => {
    const { _process: server } = peer.client.transport as unknown as { _process?: ChildProcess }
    server?.stdin?.end()
    return until(() => peer.trace.processes().length === 0)
  },
  SIGTERM: (peer) => {
    process.kill(peer.pid, 'SIGTERM')
    return until(() => peer.trace.processes().length === 0)
  },
  'tab close': async (peer, sessionId) => {
    await peer.call('tabs', { sessionId, action: 'close', tabId: 't1' })
  },
}

// A session ends in one way and Footlight exits in one way, whatever the reason; so the reasons are tried in one engine, and in each of the
// others every way that its browser sees.
const endingsOf = (engine: keyof typeof engines): string[] =>
  engine === 'headless shell' ? Object.keys(endings) : ['close_session', 'SIGTERM', 'tab close']

const paths = (bad: Forbidden): string[] =>
  [...new Set(bad.seen.flatMap((line) => / (\/\S+) HTTP/.exec(line)?.[1] ?? []))].sort()

const loops = ['/service', '/shared', '/worker']

/** What reaches the forbidden server without rules, once the end has come. */
function knownAfter(engine: keyof typeof engines, ending: string): readonly string[] {
  return ending !== 'tab close' && engine === 'headless shell'
    ? []
    : ['/beacon-pagehide', '/keepalive-pagehide']
}

/** Footlight stays after these, so one serves them all. A browser that ends itself may not get to send anything, so without rules only
 * these are tried. */
const staying = ['close_session', 'expiry', 'tab close']

async function open(peer: Peer, ending: string, good: Site): Promise<string> {
  const sessionId = await peer.session(ending === 'expiry' ? { sessionTimeout: 4000 } : {})
  const { data } = await peer.call('navigate', { sessionId, url: `${good.url}/leaving`, timeout: 60_000 })
  expect(data.title).toBe('Leaving')
  return sessionId
}

/** Where one ending takes place, and what it may not reach. Without and with rules these are not the same servers: a service worker of a
 * page without rules may go on sending after its session has ended. */
async function placesOf(ending: string): Promise<readonly [string, Record<'free' | 'ruled', Place>]> {
  const [free, ruled] = await Promise.all([forbidden(), forbidden()])
  return [
    ending,
    { free: { bad: free, good: await site(free) }, ruled: { bad: ruled, good: await site(ruled) } },
  ]
}
type Place = { readonly bad: Forbidden; readonly good: Site }

/** Another tab, so that the first one can be closed. */
const beside = (peer: Peer, sessionId: string, good: Site) =>
  peer.call('tabs', { sessionId, action: 'new', url: good.url })

const engineNames = Object.keys(engines) as (keyof typeof engines)[]
describe.each(engineNames.filter((name) => anyBrowser.includes(name === 'firefox' ? name : 'chromium')))(
  'in %s',
  (engine) => {
    const lanes = pool([1, 2])
    let places: ReadonlyMap<string, Record<'free' | 'ruled', Place>>
    let shared: { readonly free: Peer; readonly ruled: Peer }
    const start = (...rules: string[]) => connect({ args: ['--headless', ...engines[engine], ...rules] })
    const rulesFor = (...allowed: string[]) => ['--allowed-hosts', allowed.join(',')]
    beforeAll(async () => {
      places = new Map(await Promise.all(endingsOf(engine).map(placesOf)))
      const hosts = [...places.values()].map(({ ruled }) => new URL(ruled.good.url).host)
      const [free, ruled] = await Promise.all([start(), start(...rulesFor(...hosts))])
      shared = { free, ruled }
    }, 300_000)
    afterAll(async () => {
      await Promise.all([shared.free.close(), shared.ruled.close()])
      for (const { free, ruled } of places.values()) {
        expect(paths(ruled.bad)).toEqual([])
        for (const { bad, good } of [free, ruled]) {
          good.close()
          bad.close()
        }
      }
    }, 300_000)

    // Without rules nothing waits for a page on its way out, so a busy machine may lose what it sends: then it is tried again.
    async function expectKnown({ bad, good }: Place, ending: string): Promise<void> {
      const { free } = shared
      const known = knownAfter(engine, ending)
      const isKnown = () => known.every((path) => paths(bad).includes(path))
      for (let attempt = 0; attempt < 3 && (attempt === 0 || !isKnown()); attempt += 1) {
        const sessionId = await open(free, ending, good)
        // Asking about it keeps the session from its expiry.
        const looping = async () => {
          await free.call('exists', { sessionId, selector: 'p' })
          return loops.every((path) => paths(bad).includes(path))
        }
        await until(looping)
        expect(paths(bad)).toEqual(expect.arrayContaining(loops))
        if (ending === 'tab close') await beside(free, sessionId, good)
        bad.seen.length = 0
        await endings[ending]?.(free, sessionId)
        await until(isKnown, FREE_MS)
        await free.call('close_session', { sessionId })
      }
      expect(paths(bad)).toEqual(expect.arrayContaining([...known]))
    }

    test.concurrent.each(endingsOf(engine))(
      '%s',
      (ending) =>
        lanes.with(async () => {
          const here = places.get(ending)
          if (!here) throw new Error(ending)
          const stays = staying.includes(ending)
          if (stays) await expectKnown(here.free, ending)
          const own = here.ruled
          const ruled = stays ? shared.ruled : await start(...rulesFor(new URL(own.good.url).host))
          const sessionId = await open(ruled, ending, own.good)
          if (ending === 'tab close') await beside(ruled, sessionId, own.good)
          await endings[ending]?.(ruled, sessionId)
          // That it was sent, and met the proxy, is told as long as there is a session to tell it.
          if (ending === 'tab close') {
            const refused = async () =>
              JSON.stringify((await ruled.call('network_requests', { sessionId, limit: 1000 })).data)
            expect(await until(async () => (await refused()).includes('/beacon-pagehide'))).toBe(true)
          }
          // What would come late has this long; without rules it came at once. The shared one is looked at again once it has ended.
          await Bun.sleep(300)
          if (!stays) await ruled.close()
          await own.bad.quiet()
          expect(paths(own.bad)).toEqual([])
        }),
      240_000,
    )

    test('a page that hangs is not waited for', async () => {
      const { ruled: peer } = shared
      const url = places.get('close_session')?.ruled.good.url
      const sessionId = await peer.session()
      await peer.call('navigate', { sessionId, url })
      const looping = peer.call('evaluate', { sessionId, script: 'for (;;);', timeout: 60_000 })
      await peer.call('list_sessions')
      expect((await peer.call('close_session', { sessionId })).data.success).toBe(true)
      expect((await looping).data.errorCode).toBe('SESSION_CLOSED')
    }, 300_000)
  },
)
