// Whether browsers have windows: by default where there is a display.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from '../support/client.ts'
import { type Display, startDisplay } from '../support/display.ts'

let display: Display
beforeAll(async () => void (display = await startDisplay('800x600')), 300_000)
afterAll(() => display.stop())

/** The command line of the browser that a session starts, and what the server wrote to stderr. */
async function start(args: readonly string[], displayName: string) {
  const peer = await connect({ args, env: { DISPLAY: displayName, WAYLAND_DISPLAY: '' } })
  await peer.session()
  const [browser] = peer.trace.browsers()
  await peer.close()
  return { command: browser?.command ?? '', stderr: peer.stderr() }
}

test('on a display there is a window, and none with --headless', async () => {
  const shown = await start([], display.name)
  expect(shown.command).toMatch(/chrom/)
  expect(shown.command).not.toMatch(/headless/)
  expect(shown.stderr).not.toContain('no display')
  expect((await start(['--headless'], display.name)).command).toMatch(/headless/)
}, 120_000)

test('without a display there is none, and the server says so once', async () => {
  const { command, stderr } = await start([], '')
  expect(command).toMatch(/headless/)
  expect(stderr.match(/no display/g)).toHaveLength(1)
}, 120_000)
