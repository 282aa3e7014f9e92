// One row of the fault matrix: a fault is caused in a session while another session goes on working, and then everything must be gone.
// The rows of a file wait most of the time, so a few run side by side, each on a server that no other row has meanwhile: what a row leaves
// behind is its own. A row whose server has options, or whose browser is hit, has one of its own.

import { expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answer, closeSessions, connect, type Peer, type Start } from '../support/client.ts'
import { until } from '../support/leftovers.ts'
import { pool } from '../support/pool.ts'
import { type Route, serveSite, type Site } from '../support/site.ts'

export interface Stage {
  readonly peer: Peer
  readonly site: Site
  /** The session that has the fault, on the first page of the site. */
  readonly sessionId: string
  /** The process of its browser. */
  readonly browser: number
  /** A call on that session; answers its data, of a success or a failure. */
  call(tool: string, input?: Record<string, unknown>): Promise<Answer['data']>
}

export interface Setting extends Start {
  readonly routes?: Readonly<Record<string, Route>>
  /** Options of the session that has the fault. */
  readonly session?: Readonly<Record<string, unknown>>
  /** The fault hits the browser that sessions share, so the other session has one of its own. */
  readonly apart?: true
}

// It counts from when a row waits for its turn.
const LIMIT = 300_000

// Whether the other session is answered is asked here, not how fast: the machine may be busy.
const PATIENCE = 60_000
const PAUSE_MS = 100

/** A server, where it works, and the site of the session that goes on there. */
interface Ground {
  readonly peer: Peer
  readonly here: Site
  close(): Promise<void>
}

const HERE = '<!doctype html><title>Here</title><h1>Here</h1>'

async function startGround(start: Start): Promise<Ground> {
  const here = await serveSite({ '/': HERE })
  const cwd = mkdtempSync(join(tmpdir(), 'fl-fault-'))
  const peer = await connect({ cwd, ...start })
  return {
    peer,
    here,
    async close() {
      await peer.close()
      here.close()
      rmSync(cwd, { recursive: true })
    },
  }
}

const lanes: { ground?: Ground | undefined }[] = [{}, {}, {}]
const freeLanes = pool(lanes)

/** For the end of each file with rows. */
export async function closeGrounds(): Promise<void> {
  for (const lane of lanes) {
    await lane.ground?.close()
    lane.ground = undefined
  }
}

/** The row is numbered as in the matrix; `body` causes the fault and checks what the caller sees. */
export function fault(
  row: number,
  title: string,
  { routes = {}, session = {}, apart, ...start }: Setting,
  body: (stage: Stage) => Promise<void>,
): void {
  const isShared = !apart && Object.keys(start).length === 0
  test.concurrent(
    `row ${row}: ${title}`,
    () =>
      freeLanes.with(async (lane) => {
        if (isShared) lane.ground ??= await startGround({})
        const ground = (isShared && lane.ground) || (await startGround(start))
        const { peer, here } = ground
        const site = await serveSite({ '/': HERE, ...routes })
        const sessionId = await openAt(peer, site.url, session)
        const browser = peer.trace.browsers()[0]?.pid ?? -1
        const bystander = await openAt(peer, here.url, apart ? { isolation: 'browser' } : {})
        const descriptors = () => readdirSync(`/proc/${peer.pid}/fd`).length
        const before = descriptors()
        const watch = goOn(peer, bystander)
        await body({
          peer,
          site,
          sessionId,
          browser,
          call: async (tool, input = {}) => (await peer.call(tool, { sessionId, ...input })).data,
        })
        const { answered, wrong } = await watch()
        expect(wrong).toEqual([])
        expect(answered).toBeGreaterThan(0)
        await closeSessions(peer)
        expect((await peer.call('list_sessions')).data.sessions).toEqual([])
        expect(await until(() => descriptors() <= before + 2)).toBe(true)
        site.close()
        if (!isShared) await ground.close()
      }),
    LIMIT,
  )
}

async function openAt(peer: Peer, url: string, options: Readonly<Record<string, unknown>>): Promise<string> {
  const sessionId = await peer.session(options)
  await peer.call('navigate', { sessionId, url })
  return sessionId
}

/** A session that is used all the time; ended, it tells how often it was answered and what was wrong. */
function goOn(peer: Peer, sessionId: string): () => Promise<{ answered: number; wrong: unknown[] }> {
  let done = false
  let answered = 0
  const wrong: unknown[] = []
  const going = (async () => {
    while (!done) {
      const { data } = await peer.call('evaluate', { sessionId, script: 'document.title', timeout: PATIENCE })
      if (data.result === 'Here') answered += 1
      else wrong.push(data)
      await Bun.sleep(PAUSE_MS)
    }
  })()
  return async () => {
    done = true
    await going
    return { answered, wrong }
  }
}

/** A row whose fault is the browser itself: no session can be open before it. */
export function browserFault(
  row: number,
  title: string,
  start: Start,
  body: (peer: Peer) => Promise<void>,
): void {
  test.concurrent(
    `row ${row}: ${title}`,
    () =>
      freeLanes.with(async () => {
        const peer = await connect(start)
        await body(peer)
        await peer.close()
      }),
    LIMIT,
  )
}
