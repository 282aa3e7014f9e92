// Recording a trace. A trace contains what Playwright is asked to do, so while one is recorded nothing bypasses Playwright.

import { randomUUID } from 'node:crypto'
import { copyFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright'
import { watchTransfer } from '../network/transfer-limit.ts'
import type { CdpSession } from '../playwright/cdp-session.ts'
import { attempt, browserError } from '../playwright/errors.ts'
import type { Tab } from './tab.ts'
import { invalidParameter, type Outcome } from '../../base/failure.ts'
import { err } from '../../base/result.ts'
import type { PageHooks } from '../../sessions/types/browsers.ts'

/** Starts recording a trace that Playwright's trace viewer opens: screenshots, DOM snapshots, network. It ends by itself once pages have loaded
 * too much, and is kept until it is written. */
export async function startTrace(
  context: BrowserContext,
  onEntry: PageHooks['onEntry'],
): Promise<Outcome<void>> {
  if (tracedContexts.has(context) || endedTraces.has(context))
    return err(invalidParameter('action', 'stop first', 'start, while a trace is running'))
  const start = context.tracing.start({ screenshots: true, snapshots: true })
  return attempt(
    start.then(() => {
      tracedContexts.add(context)
      watchTransfer(context, TRACE_LIMIT_BYTES, () => endAtLimit(context, onEntry))
    }),
    browserError,
  )
}

/** Writes what was recorded to `path`. */
export async function stopTrace(
  context: BrowserContext,
  path: string,
  then: 'go on' | 'end',
): Promise<Outcome<void>> {
  const finished = endedTraces.get(context)
  if (finished) return attempt(writeEnded(context, finished, path, then), browserError)
  if (!tracedContexts.has(context))
    return err(invalidParameter('action', 'start first', 'stop, while no trace is running'))
  return attempt(then === 'end' ? stopTracing(context, path) : startNextChunk(context, path), browserError)
}

export const isTraced = (context: BrowserContext): boolean => tracedContexts.has(context)

/** The CDP session of a tab, for what bypasses Playwright; undefined while a trace is recorded. */
export const untracedCdpSession = async ({ context, recovery }: Tab): Promise<CdpSession | undefined> =>
  isTraced(context) ? undefined : recovery.cdp

// --- internal ---

const tracedContexts = new WeakSet<BrowserContext>()

/** The files of those that have ended by themselves. */
const endedTraces = new WeakMap<BrowserContext, Promise<string>>()

const TRACE_LIMIT_BYTES = 200_000_000

function endAtLimit(context: BrowserContext, onEntry: PageHooks['onEntry']): void {
  if (!tracedContexts.has(context)) return
  const file = join(tmpdir(), `${randomUUID()}.zip`)
  const ending = stopTracing(context, file).then(() => file)
  ending.catch(() => {})
  endedTraces.set(context, ending)
  context.once('close', () => void ending.finally(() => rm(file, { force: true })).catch(() => {}))
  onEntry({
    kind: 'page',
    level: 'info',
    text: 'The trace has ended, because pages have loaded 200 MB; what it has until then is kept.',
  })
}

async function writeEnded(
  context: BrowserContext,
  finished: Promise<string>,
  path: string,
  then: 'go on' | 'end',
): Promise<void> {
  const file = await finished
  await copyFile(file, path)
  if (then === 'go on') return
  endedTraces.delete(context)
  await rm(file, { force: true })
}

async function stopTracing(context: BrowserContext, path: string): Promise<void> {
  await context.tracing.stop({ path })
  tracedContexts.delete(context)
}

async function startNextChunk({ tracing }: BrowserContext, path: string): Promise<void> {
  await tracing.stopChunk({ path })
  await tracing.startChunk()
}
