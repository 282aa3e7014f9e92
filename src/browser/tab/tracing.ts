// Recording a trace. A trace contains what Playwright is asked to do, so while one is recorded nothing bypasses Playwright.

import type { BrowserContext } from 'playwright'
import type { CdpSession } from '../playwright/cdp-session.ts'
import { attempt, browserError, messageOf } from '../playwright/errors.ts'
import type { Tab } from './tab.ts'
import { invalidParameter, type Failure, type Outcome } from '../../core/failure.ts'

/** Starts recording a trace that Playwright's trace viewer opens: screenshots, DOM snapshots, network. */
export const startTrace = (context: BrowserContext): Promise<Outcome<void>> =>
  attempt(
    context.tracing
      .start({ screenshots: true, snapshots: true })
      .then(() => void tracedContexts.add(context)),
    traceFailure,
  )

/** Writes what was recorded to `path`. */
export const stopTrace = (
  context: BrowserContext,
  path: string,
  then: 'go on' | 'end',
): Promise<Outcome<void>> =>
  attempt(then === 'end' ? stopTracing(context, path) : startNextChunk(context, path), traceFailure)

/** The CDP session of a tab, for what bypasses Playwright; undefined while a trace is recorded. */
export const untracedCdpSession = async ({ context, recovery }: Tab): Promise<CdpSession | undefined> =>
  tracedContexts.has(context) ? undefined : recovery.cdp

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

function traceFailure(error: Error): Failure {
  const text = messageOf(error)
  const isMisuse = /already started|been already|already been|Must start tracing/i.test(text)
  if (!isMisuse) return browserError(error)
  const isRunning = /already/.test(text)
  return isRunning
    ? invalidParameter('action', 'stop first', 'start, while a trace is running')
    : invalidParameter('action', 'start first', 'stop, while no trace is running')
}
