// The trace of a session from its first page on: one for all, or one up to each failure.

import type { NewSession, SessionFeature } from '../../core/sessions/types/session-feature.ts'
import { saveTrace } from './tracing.ts'

/** `on`: one trace of the whole session; `on-failure`: one trace per failure. */
export function addTrace({ request, options, folder }: NewSession): SessionFeature {
  const mode = request.trace ?? options.trace ?? 'off'
  if (mode === 'off') return {}
  return {
    startPage: (page) => page.startTrace(),
    async beforeRelease(page) {
      const file = mode === 'on' ? await saveTrace(page, folder, 'end') : undefined
      return file?.ok ? `Its trace is ${file.value.path}.` : ''
    },
    async traceFailure(page, timeoutMs) {
      if (mode === 'on') return undefined
      const file = await saveTrace(page, folder, 'go on', timeoutMs)
      return file.ok ? file.value : file.error.code === 'CANCELLED' ? 'late' : undefined
    },
  }
}
