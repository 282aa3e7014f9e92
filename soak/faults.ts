// What goes wrong on purpose during a soak. A fault that hits the browser which all share touches every session there is then; the
// others happen in a session of their own and must be felt by nobody.

import process from 'node:process'
import { arrive, type Visitor } from './visitor.ts'
import type { Peer } from '../test/support/client.ts'
import { until, type Process } from '../test/support/leftovers.ts'

export interface Fault {
  readonly name: string
  readonly touches: 'all' | 'none'
  cause(world: World): Promise<void>
}

export interface World {
  readonly peer: Peer
  readonly site: string
  nextSign(): string
}

function end(name: string, found: Process | undefined, signal: NodeJS.Signals): void {
  if (!found) throw new Error(`there is no ${name} to end`)
  process.kill(found.pid, signal)
}

const works = async ({ peer }: World): Promise<void> => {
  const answers = await until(async () => {
    const { failed, data } = await peer.call('create_session')
    if (failed) return false
    return !(await peer.call('close_session', { sessionId: data.sessionId })).failed
  }, 20_000)
  if (!answers) throw new Error('no session could be had within 20 s of the fault')
}

/** A session that has its fault and is closed, whatever came of it. */
const alone =
  (fault: (visitor: Visitor, world: World) => Promise<unknown>, options: Record<string, unknown> = {}) =>
  async (world: World): Promise<void> => {
    const visitor = await arrive(world.peer.call, world.nextSign(), world.site, options)
    await fault(visitor, world)
    const { failed, data } = await visitor.call('close_session')
    if (failed && !/^(SESSION_NOT_FOUND|BROWSER_CRASHED)$/.test(data.errorCode)) throw new Error(data.message)
  }

export const faults: readonly Fault[] = [
  {
    name: 'browser killed',
    touches: 'all',
    async cause(world) {
      end('browser', world.peer.trace.browsers()[0], 'SIGKILL')
      await works(world)
    },
  },
  {
    name: 'endless loop',
    touches: 'none',
    cause: alone(({ call }) => call('evaluate', { script: 'for (;;);', timeout: 1000 })),
  },
  {
    name: 'a browser of its own killed',
    touches: 'none',
    async cause(world) {
      const pids = () => world.peer.trace.browsers().map(({ pid }) => pid)
      const before = pids()
      const own = alone(
        async ({ call }, { peer }) => {
          end(
            'own browser',
            peer.trace.browsers().find(({ pid }) => !before.includes(pid)),
            'SIGKILL',
          )
          await call('exists', { selector: 'h1' })
        },
        { isolation: 'browser' },
      )
      await own(world)
    },
  },
  {
    name: 'dialog left open',
    touches: 'none',
    cause: alone(({ call }) => call('evaluate', { script: 'alert(1)', timeout: 1000 })),
  },
  {
    name: '20,000 console lines',
    touches: 'none',
    cause: alone(({ call }) =>
      call('evaluate', { script: 'for (let i = 0; i < 20000; i++) console.log(i)' }),
    ),
  },
  {
    name: 'browser stopped',
    touches: 'all',
    async cause(world) {
      end('browser', world.peer.trace.browsers()[0], 'SIGSTOP')
      await works(world)
    },
  },
  {
    name: '10,000 links',
    touches: 'none',
    cause: alone(async ({ call }) => {
      await call('evaluate', {
        script: 'list.innerHTML = \'<li><a href="#">Link</a></li>\'.repeat(10000); 1',
      })
      await call('snapshot')
    }),
  },
  {
    name: 'a million elements answered',
    touches: 'none',
    cause: alone(({ call }) => call('evaluate', { script: 'Array.from({ length: 1e6 }, (_, i) => i)' })),
  },
  {
    name: 'dev server killed',
    touches: 'none',
    cause: alone(
      async ({ call }, { peer }) => {
        const isServer = ({ command }: Process) => command.includes('createServer')
        end('dev server', peer.trace.processes().find(isServer), 'SIGKILL')
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
    cause: alone(({ call }) =>
      call('evaluate', { script: "for (let i = 0; i < 30; i++) open('about:blank'); 1" }),
    ),
  },
  {
    name: 'a navigation that never ends, and is cancelled',
    touches: 'none',
    cause: alone(async ({ sessionId }, { peer, site }) => {
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
