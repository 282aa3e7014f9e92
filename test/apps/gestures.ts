// Ten gesture libraries: each notices the gestures that it knows, from trusted events.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { placeCopy } from './place.ts'
import { callOrThrow, connect, type Peer } from '../support/client.ts'

const START_LIMIT_MS = 110_000
const LIMIT_MS = 60_000

const gestures: Readonly<Record<string, Record<string, unknown>>> = {
  tap: { action: 'tap' },
  doubletap: { action: 'tap', count: 2 },
  press: { action: 'tap', hold: 700 },
  swipeleft: { action: 'swipe', deltaX: -150 },
  swipeup: { action: 'swipe', deltaY: -120 },
  pinchout: { action: 'pinch', scale: 2 },
  pinchin: { action: 'pinch', scale: 0.5 },
}

const libraries: readonly (readonly [library: string, target: string, noticed: readonly string[]])[] = [
  ['hammerjs', '#box', ['tap', 'doubletap', 'press', 'swipeleft', 'swipeup', 'pinchout', 'pinchin']],
  ['use-gesture', '#box', ['tap', 'swipeleft', 'pinchout', 'pinchin']],
  ['zingtouch', '#box', ['tap', 'swipeleft', 'pinchin']],
  ['interactjs', '#box', ['tap', 'doubletap', 'press', 'swipeleft', 'pinchout', 'pinchin']],
  ['panzoom', '#box', ['swipeleft', 'pinchout']],
  ['photoswipe', '.pswp', ['swipeleft', 'pinchout']],
  ['swiper', '.swiper', ['tap', 'swipeleft']],
  ['embla', '.embla', ['swipeleft']],
  ['keen-slider', '.keen-slider', ['swipeleft']],
  ['glide', '.glide', ['swipeleft']],
]

let folder: string
let peer: Peer
let sessionId: string
let origin: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fl-gestures-'))
  const app = await placeCopy('gestures', folder)
  peer = await connect({ args: ['--headless', '--browser', 'chromium', '--tools', '+touch'] })
  const created = await callOrThrow(peer, 'create_session', {
    command: 'npm run dev',
    cwd: app,
    readyTimeout: START_LIMIT_MS,
    device: 'iPhone 15',
  })
  sessionId = created.sessionId
  origin = created.url
}, START_LIMIT_MS)
afterAll(async () => {
  await peer.close()
  rmSync(folder, { recursive: true, force: true })
})

test.each([...libraries])(
  '%s notices what fingers do',
  async (library, selector, noticed) => {
    const call = (tool: string, input: Record<string, unknown> = {}) =>
      callOrThrow(peer, tool, { sessionId, ...input })
    const seen: string[] = []
    for (const gesture of noticed) {
      await call('navigate', { url: `${origin}?library=${library}` })
      await call('wait_for', { text: 'ready', timeout: LIMIT_MS })
      await call('touch', { selector, ...gestures[gesture] })
      const result = await peer.call('wait_for', { sessionId, text: gesture })
      if (!result.failed) seen.push(gesture)
      expect((await call('get_content', { selector: '#seen' })).content).not.toContain('untrusted')
    }
    expect(seen).toEqual([...noticed])
  },
  LIMIT_MS * 4,
)
