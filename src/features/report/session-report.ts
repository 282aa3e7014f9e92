// The report of one session: notes of its calls, and its files when it closes or an agent asks.

import type { Outcome } from '../../core/base/failure.ts'
import type { NewSession, SessionFeature } from '../../core/sessions/types/session-feature.ts'
import { createReportNotes, noteAction, noteFailure, renewPicture } from './report-notes.ts'
import { readReport, type ReportFiles, writeReport } from './write-report.ts'

declare module '../../core/sessions/types/open-session.ts' {
  interface OpenSession {
    /** Writes the report of what it did so far: to a path that an agent names, else into its folder, in place of the last one. */
    writeReport(path?: string): Promise<Outcome<ReportFiles>>
  }
}

export function addReport({ request, options, ports, ready }: NewSession): SessionFeature {
  const mode = request.report ?? options.report ?? 'off'
  const notes = createReportNotes(mode !== 'off')
  return {
    members: { notes },
    ...(mode !== 'off' && { beforeClose: () => readReport(ready, mode === 'on', ports) }),
    open: (session) => ({ writeReport: (path) => writeReport(session, ports, path) }),
    onCrash: (failure) =>
      notes.failures.set(failure, { at: ports.clock(), call: 'browser', failure, evidence: undefined }),
    beforeCall({ description }, at) {
      const running = { at, call: description }
      notes.running.add(running)
      return () => notes.running.delete(running)
    },
    async perform(action, next, { session }) {
      const outcome = await next()
      if (action.kind === 'check' && outcome.ok) await renewPicture(session)
      return outcome
    },
    async afterAction({ seq, result }) {
      const session = await ready
      if (session.ok) await noteAction(session.value, seq, result)
    },
    afterFailure: ({ session, ...failed }) => noteFailure(session, { ...failed, at: ports.clock() }),
  }
}
