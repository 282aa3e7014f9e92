// The trace of a session from its first page on: one for all, or one up to each failure.

import type { Artifact, Folder } from '../../core/base/files/files.ts'
import { race } from '../../core/base/system/race-deadline.ts'
import type { OwnedPage } from '../../core/sessions/types/browsers.ts'
import type { NewSession, SessionFeature } from '../../core/sessions/types/session-feature.ts'

/** `on`: one trace of the whole session; `on-failure`: one trace per failure. */
type TraceMode = 'off' | 'on' | 'on-failure'

declare module '../../core/sessions/types/open-session.ts' {
  interface SessionRequest {
    readonly trace?: TraceMode
  }
}

declare module '../../core/sessions/types/session-options.ts' {
  interface SessionManagerOptions {
    readonly trace?: TraceMode
  }
}

export function addTrace({ request, options, folder }: NewSession): SessionFeature {
  const mode = request.trace ?? options.trace ?? 'off'
  if (mode === 'off') return {}
  return {
    startPage: (page) => page.startTrace(),
    async beforeRelease(page) {
      const file = mode === 'on' ? await saveTrace(page, folder, 'end') : undefined
      return file && file !== 'late' ? `Its trace is ${file.path}.` : ''
    },
    traceFailure: async (page, timeoutMs) =>
      mode === 'on-failure' ? saveTrace(page, folder, 'go on', timeoutMs) : undefined,
  }
}

// --- internal ---

async function saveTrace(
  page: OwnedPage,
  folder: Folder,
  then: 'go on' | 'end',
  timeoutMs?: number,
): Promise<Artifact | 'late' | undefined> {
  const path = await folder.reserve('trace.zip')
  if (!path.ok) return undefined
  const stopResult = await race(timeoutMs, [], () => page.stopTrace(path.value, then))
  if ('stopReason' in stopResult) return 'late'
  if (stopResult.value.ok) return folder.finish(path.value)
  await folder.remove(path.value)
  return undefined
}
