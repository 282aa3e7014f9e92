// The faults that a soak injects. A fault of the shared browser affects every open session; the others happen in a session of their own
// and must affect no other.

import process from 'node:process'
import type { Peer } from '../../test/support/client.ts'
import { type Process, until } from '../../test/support/leftovers.ts'
import { openTestSession, type TestSession } from './test-session.ts'

export interface Fault {
  readonly name: string
  readonly touches: 'all' | 'none'
  cause(world: World): Promise<void>
}

export interface World {
  readonly peer: Peer
  readonly site: string
  nextMarker(): string
}

function killProcess(name: string, target: Process | undefined, signal: NodeJS.Signals): void {
  if (!target) throw new Error(`there is no ${name} to end`)
  process.kill(target.pid, signal)
}

const requireWorkingBrowser = async ({ peer }: World): Promise<void> => {
  const isWorking = await until(async () => {
    const { failed, data } = await peer.call('create_session')
    if (failed) return false
    return !(await peer.call('close_session', { sessionId: data.sessionId })).failed
  }, 20_000)
  if (!isWorking) throw new Error('no session could be had within 20 s of the fault')
}

/** Opens a session, injects a fault into it and closes it, whatever the result of the fault is. */
const inOwnSession =
  (
    fault: (testSession: TestSession, world: World) => Promise<unknown>,
    options: Record<string, unknown> = {},
  ) =>
  async (world: World): Promise<void> => {
    const testSession = await openTestSession(world.peer.call, world.nextMarker(), world.site, options)
    await fault(testSession, world)
    const { failed, data } = await testSession.call('close_session')
    if (failed && !/^(SESSION_NOT_FOUND|BROWSER_CRASHED)$/.test(data.errorCode)) throw new Error(data.message)
  }

export const faults: readonly Fault[] = [
  {
    name: 'browser killed',
    touches: 'all',
    async cause(world) {
      killProcess('browser', world.peer.trace.browsers()[0], 'SIGKILL')
      await requireWorkingBrowser(world)
    },
  },
  {
    name: 'endless loop',
    touches: 'none',
    cause: inOwnSession(({ call }) => call('evaluate', { script: 'for (;;);', timeout: 1000 })),
  },
  {
    name: 'a browser of its own killed',
    touches: 'none',
    async cause(world) {
      const pids = () => world.peer.trace.browsers().map(({ pid }) => pid)
      const pidsBefore = pids()
      const injectFault = inOwnSession(
        async ({ call }, { peer }) => {
          killProcess(
            'own browser',
            peer.trace.browsers().find(({ pid }) => !pidsBefore.includes(pid)),
            'SIGKILL',
          )
          await call('exists', { selector: 'h1' })
        },
        { isolation: 'browser' },
      )
      await injectFault(world)
    },
  },
  {
    name: 'dialog left open',
    touches: 'none',
    cause: inOwnSession(({ call }) => call('evaluate', { script: 'alert(1)', timeout: 1000 })),
  },
  {
    name: '20,000 console lines',
    touches: 'none',
    cause: inOwnSession(({ call }) =>
      call('evaluate', { script: 'for (let i = 0; i < 20000; i++) console.log(i)' }),
    ),
  },
  {
    name: 'browser stopped',
    touches: 'all',
    async cause(world) {
      killProcess('browser', world.peer.trace.browsers()[0], 'SIGSTOP')
      await requireWorkingBrowser(world)
    },
  },
  {
    name: '10,000 links',
    touches: 'none',
    cause: inOwnSession(async ({ call }) => {
      await call('evaluate', {
        script: 'list.innerHTML = \'<li><a href="#">Link</a></li>\'.repeat(10000); 1',
      })
      await call('snapshot')
    }),
  },
  {
    name: 'a million elements answered',
    touches: 'none',
    cause: inOwnSession(({ call }) =>
      call('evaluate', { script: 'Array.from({ length: 1e6 }, (_, i) => i)' }),
    ),
  },
  {
    name: 'dev server killed',
    touches: 'none',
    cause: inOwnSession(
      async ({ call }, { peer }) => {
        const isServer = ({ command }: Process) => command.includes('createServer')
        killProcess('dev server', peer.trace.processes().find(isServer), 'SIGKILL')
        await call('exists', { selector: 'h1' })
      },
      {
        command: [
          'node',
          '-e',
          "require('http').createServer((q, r) => r.end('up')).listen(process.env.PORT, '127.0.0.1')",
        ],
      },
    ),
  },
  {
    name: '30 windows',
    touches: 'none',
    cause: inOwnSession(({ call }) =>
      call('evaluate', { script: "for (let i = 0; i < 30; i++) open('about:blank'); 1" }),
    ),
  },
  {
    name: 'a navigation that never ends, and is cancelled',
    touches: 'none',
    cause: inOwnSession(async ({ sessionId }, { peer, site }) => {
      const cancel = new AbortController()
      const pending = peer.client.callTool(
        { name: 'navigate', arguments: { sessionId, url: `${site}/never` } },
        undefined,
        { signal: cancel.signal },
      )
      await peer.call('list_sessions')
      cancel.abort()
      await pending.catch(() => {})
    }),
  },
]
