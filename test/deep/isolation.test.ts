// Twenty sessions side by side, each with a sign of its own in all that a session keeps. A whole run takes 20,000 steps
// (bench/soak/figures.ts); this is a part of it.

import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runTestSessions } from '../../bench/soak/run-test-sessions.ts'
import { app } from '../../bench/soak/test-session.ts'
import { connect } from '../support/client.ts'
import { serveSite } from '../support/site.ts'

test('no cookie, storage, log line, file or reply crosses', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'fl-crowd-'))
  const site = await serveSite({}, app)
  const peer = await connect({
    args: ['--headless', '--max-sessions', '20', '--action-timeout', '60000'],
    cwd,
  })
  expect(await runTestSessions(peer, site.url, 20, 10)).toBe(200)
  await peer.close()
  site.close()
  rmSync(cwd, { recursive: true })
}, 300_000)
