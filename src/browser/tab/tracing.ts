// Recording a trace. A trace contains what Playwright is asked to do, so while one is recorded nothing bypasses Playwright.

import type { BrowserContext } from 'playwright'
import type { CdpSession } from '../playwright/cdp-session.ts'
import { attempt, browserError } from '../playwright/errors.ts'
import type { Tab } from './tab.ts'
import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { err } from '../../core/result.ts'

/** Starts recording a trace that Playwright's trace viewer opens: screenshots, DOM snapshots, network. */
export async function startTrace(context: BrowserContext): Promise<Outcome<void>> {
  if (tracedContexts.has(context))
    return err(invalidParameter('action', 'stop first', 'start, while a trace is running'))
  const start = context.tracing.start({ screenshots: true, snapshots: true })
  return attempt(
    start.then(() => void tracedContexts.add(context)),
    browserError,
  )
}

/** Writes what was recorded to `path`. */
export async function stopTrace(
  context: BrowserContext,
  path: string,
  then: 'go on' | 'end',
): Promise<Outcome<void>> {
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

async function stopTracing(context: BrowserContext, path: string): Promise<void> {
  await context.tracing.stop({ path })
  tracedContexts.delete(context)
}

async function startNextChunk({ tracing }: BrowserContext, path: string): Promise<void> {
  await tracing.stopChunk({ path })
  await tracing.startChunk()
}
