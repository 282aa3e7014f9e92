// Recording a trace. It shows what Playwright is asked to do, so while one is recorded nothing is done by a shorter way.

import type { BrowserContext } from 'playwright'
import type { CdpSession } from '../playwright/cdp-session.ts'
import { attempt, browserError, messageOf } from '../playwright/errors.ts'
import type { Tab } from './tabs.ts'
import { invalidParameter, type Failure, type Outcome } from '../../core/failure.ts'

/** Begins to record a trace that Playwright's viewer opens: screenshots, DOM snapshots, network. */
export const startTrace = (context: BrowserContext): Promise<Outcome<void>> =>
  attempt(
    context.tracing.start({ screenshots: true, snapshots: true }).then(() => void traced.add(context)),
    told,
  )

/** Writes what was recorded to `path`. */
export const stopTrace = (
  context: BrowserContext,
  path: string,
  then: 'go on' | 'end',
): Promise<Outcome<void>> => attempt(then === 'end' ? end(context, path) : nextChunk(context, path), told)

/** The channel, for what is done without Playwright; none while a trace is recorded. */
export const shortcut = async ({ context, recovery }: Tab): Promise<CdpSession | undefined> =>
  traced.has(context) ? undefined : recovery.cdp

const traced = new WeakSet<BrowserContext>()

async function end(context: BrowserContext, path: string): Promise<void> {
  await context.tracing.stop({ path })
  traced.delete(context)
}

async function nextChunk({ tracing }: BrowserContext, path: string): Promise<void> {
  await tracing.stopChunk({ path })
  await tracing.startChunk()
}

function told(error: Error): Failure {
  const text = messageOf(error)
  const misused = /already started|been already|already been|Must start tracing/i.test(text)
  if (!misused) return browserError(error)
  const running = /already/.test(text)
  return invalidParameter(
    'action',
    running ? 'stop first' : 'start first',
    running ? 'start, while a trace is running' : 'stop, while no trace is running',
  )
}
