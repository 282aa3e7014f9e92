// An application of a stack in a session of the built binary, and the steps that the runs have in common.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'bun:test'
import { connect, type Answer, type Peer } from '../support/client.ts'
import { until } from '../support/leftovers.ts'
import { place } from './place.ts'
import type { Edit, Stack } from './stack.ts'

/** Ten times what a start takes on a calm machine; the client of these tests waits for 120 s. */
export const START_LIMIT_MS = 110_000
export const SEEN_LIMIT_MS = 60_000

const EDITS = 6
const SERVER_END_LIMIT_MS = 10_000

export interface App {
  readonly stack: Stack
  readonly peer: Peer
  readonly folder: string
  /** A call in the session that was started last. */
  call(tool: string, input?: Record<string, unknown>): Promise<Answer>
  /** Starts a session with the server, and answers its origin. */
  start(): Promise<string>
  /** Closes it, and fails if anything but the browser is left running. */
  stop(): Promise<void>
  /** Opens the page of the counter, or another one, right after which nothing is waited for. */
  open(path?: string): Promise<Answer>
  /** Writes the source of the counter anew; without edits it is as it was. */
  edit(...edits: readonly Edit[]): void
  /** The same, until the page shows the text: tools that watch files miss an edit right after another one. */
  editUntil(text: string, ...edits: readonly Edit[]): Promise<void>
  /** Waits until the page shows the text, or fails with what it shows and what the server printed last. */
  shows(text: string): Promise<void>
  close(): Promise<void>
}

export async function openApp(stack: Stack, options: Record<string, unknown> = {}): Promise<App> {
  const folder = await place(stack.name)
  // A test runner's own NODE_ENV would make frameworks leave out what they do in development.
  const env = { NODE_ENV: 'development', CI: '1' }
  const peer = await connect({ args: ['--headless', '--evidence', 'text'], env })
  // Not within the workspace: Next does not take a folder that contains the home for one.
  const home = mkdtempSync(join(tmpdir(), 'fl-home-'))
  const source = join(folder, stack.source)
  const original = readFileSync(source, 'utf8')
  let sessionId = ''
  let origin = ''
  let opened = 0
  const call: App['call'] = (tool, input = {}) => peer.call(tool, { sessionId, ...input })
  const edit: App['edit'] = (...edits) =>
    writeFileSync(
      source,
      edits.reduce((text, one) => one(text), original),
    )
  const shows: App['shows'] = async (text) => {
    const { data } = await call('wait_for', { text, timeout: SEEN_LIMIT_MS })
    if (data.success) return
    const page = await call('get_content')
    const { data: printed } = await call('read_server_logs', { lines: 30 })
    const told = JSON.stringify([data, page.data]).slice(0, 3000)
    throw new Error(
      `"${text}" is not shown: ${told}; the server printed ${String(printed.text).slice(-2000)}`,
    )
  }
  return {
    stack,
    peer,
    folder,
    call,
    async start() {
      const { data } = await peer.call('create_session', {
        command: stack.command,
        cwd: folder,
        readyTimeout: START_LIMIT_MS,
        // What a tool leaves in the temporary folder or keeps about its user is not ours.
        env: { TMPDIR: folder, HOME: home, ...stack.env },
        ...options,
      })
      if (data.url === undefined) throw new Error(`${stack.name}: ${JSON.stringify(data).slice(0, 3000)}`)
      sessionId = data.sessionId
      origin = new URL(data.url).origin
      return origin
    },
    async stop() {
      const { data } = await call('close_session')
      expect(data).toMatchObject({ success: true })
      await expectServersGone(peer)
    },
    open(path = stack.path ?? '/') {
      const url = new URL(path, origin)
      // Another fragment alone, or the same one, would not load the page.
      if (url.hash) url.searchParams.set('opened', String((opened += 1)))
      return call('navigate', { url: url.href, timeout: SEEN_LIMIT_MS })
    },
    edit,
    async editUntil(text, ...edits) {
      for (let attempt = 0; attempt < EDITS; attempt += 1) {
        edit(...edits)
        if ((await call('wait_for', { text, timeout: SEEN_LIMIT_MS / EDITS })).data.success) return
      }
      await shows(text)
    },
    shows,
    async close() {
      await peer.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Footlight and its browser go on; whatever else it started belongs to the server. */
export async function expectServersGone({ pid, trace }: Peer): Promise<void> {
  const others = () =>
    trace.processes().filter((one) => one.pid !== pid && !/^(\S+ -e )?\S*(chrom|crashpad)/.test(one.command))
  await until(() => others().length === 0, SERVER_END_LIMIT_MS)
  expect(others()).toEqual([])
}
