// The trace of a failed call, of a page that takes longer to write it than other evidence may take.

import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Failure } from '../../../src/core/base/failure.ts'
import { createFiles } from '../../../src/core/base/files/session-files.ts'
import { err, ok } from '../../../src/core/base/result.ts'
import { startTimer } from '../../../src/core/base/system/timer.ts'
import type { OwnedPage } from '../../../src/core/sessions/types/browsers.ts'
import type { Evidence } from '../../../src/core/tool/evidence.ts'
import { stillBrowsers, stillSessionManager } from '../../support/pages.ts'

const output = realpathSync(mkdtempSync(join(tmpdir(), 'fl-trace-')))
afterAll(() => rmSync(output, { recursive: true }))

const OTHER_EVIDENCE_TIMEOUT_MS = 1000
const { signal } = new AbortController()
const failure: Failure = { code: 'TIMEOUT', waitedFor: 'something', waited: 1 }

/** The evidence of a failed call on this page. */
async function failOn(page: Partial<OwnedPage>): Promise<Evidence | undefined> {
  const manager = stillSessionManager(
    stillBrowsers(page),
    { evidence: 'full', trace: 'on-failure' },
    () => Math.floor(performance.now()),
    createFiles(output),
  )
  const call = {
    owner: 'me',
    maximumPixels: 0,
    sessionKey: undefined,
    signal,
    progress: () => {},
    ask: undefined,
  }
  const settings = { description: 'test', timeoutKind: 'action', changesPage: false, graceMs: 0 } as const
  const outcome = await manager.runOnPage({ ...call, ...settings }, async () => err(failure))
  if (outcome.ok) throw new Error('no failure')
  await manager.end(1000)
  return outcome.evidence
}

test('is waited for longer than other evidence, if the page answers', async () => {
  const stopTrace = async (path: string) => {
    await new Promise<void>((resolve) => startTimer(OTHER_EVIDENCE_TIMEOUT_MS * 2, resolve))
    writeFileSync(path, 'PK')
    return ok(undefined)
  }
  const evidence = await failOn({ stopTrace })
  expect(evidence?.missing).toBeUndefined()
  expect(readFileSync(evidence?.trace?.path ?? '', 'utf8')).toBe('PK')
})

test('is not waited for longer than other evidence, if the page does not answer', async () => {
  const evidence = await failOn({
    isReported: async () => false,
    stopTrace: () => new Promise<never>(() => {}),
  })
  expect(evidence?.trace).toBeUndefined()
  expect(evidence?.missing?.['trace']).toBe('not written within 900 ms')
})
