import { randomUUID } from 'node:crypto'
import { copyFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { invalidParameter, type Outcome } from '../../core/base/failure.ts'
import type { Artifact, Folder } from '../../core/base/files/files.ts'
import { err, ok } from '../../core/base/result.ts'
import { race } from '../../core/base/system/race-deadline.ts'
import { watchTransfer } from '../../core/browser/network/transfer-limit.ts'
import type { PageParts } from '../../core/browser/page/page-parts.ts'
import type { PageFeature } from '../../core/browser/page/performers.ts'
import { attempt, browserError } from '../../core/browser/playwright/errors.ts'
import { tracedContexts } from '../../core/browser/tab/tracing.ts'
import type { PageHooks } from '../../core/sessions/types/browsers.ts'
import type { FeaturePage } from '../../core/sessions/types/page.ts'

declare module '../../core/sessions/types/page.ts' {
  interface FeaturePage {
    /** Starts recording a trace that Playwright's trace viewer opens: screenshots, DOM snapshots, network. It ends by itself once pages have
     * loaded too much, and is kept until it is written. */
    startTrace(): Promise<Outcome<void>>
    /** Stops the trace and saves it at `path`; with `go on` a new one is started. */
    stopTrace(path: string, then: 'go on' | 'end'): Promise<Outcome<void>>
  }
}

export const createTracedPage = ({ context, hooks: { onEntry } }: PageParts): PageFeature => ({
  members: {
    startTrace: () => startTrace(context, onEntry),
    stopTrace: (path, then) => stopTrace(context, path, then),
  },
})

/** Stops the trace and saves it in the folder of the session. Where that takes longer than `timeoutMs` it fails with CANCELLED. */
export async function saveTrace(
  page: FeaturePage,
  folder: Folder,
  then: 'go on' | 'end',
  timeoutMs?: number,
): Promise<Outcome<Artifact>> {
  const path = await folder.reserve('trace.zip')
  if (!path.ok) return path
  const stopResult = await race(timeoutMs, [], () => page.stopTrace(path.value, then))
  if ('stopReason' in stopResult) return err({ code: 'CANCELLED' })
  if (stopResult.value.ok) return ok(await folder.finish(path.value, { holdsPages: true }))
  await folder.remove(path.value)
  return stopResult.value
}

// --- internal ---

type Context = PageParts['context']

async function startTrace(context: Context, onEntry: PageHooks['onEntry']): Promise<Outcome<void>> {
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

async function stopTrace(context: Context, path: string, then: 'go on' | 'end'): Promise<Outcome<void>> {
  const finished = endedTraces.get(context)
  if (finished) return attempt(writeEnded(context, finished, path, then), browserError)
  if (!tracedContexts.has(context))
    return err(invalidParameter('action', 'start first', 'stop, while no trace is running'))
  return attempt(then === 'end' ? stopTracing(context, path) : startNextChunk(context, path), browserError)
}

/** The files of those that have ended by themselves. */
const endedTraces = new WeakMap<Context, Promise<string>>()

const TRACE_LIMIT_BYTES = 200_000_000

function endAtLimit(context: Context, onEntry: PageHooks['onEntry']): void {
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
  context: Context,
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

async function stopTracing(context: Context, path: string): Promise<void> {
  await context.tracing.stop({ path })
  tracedContexts.delete(context)
}

async function startNextChunk({ tracing }: Context, path: string): Promise<void> {
  await tracing.stopChunk({ path })
  await tracing.startChunk()
}
