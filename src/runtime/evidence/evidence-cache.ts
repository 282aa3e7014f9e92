// The evidence of a failed call is gathered in its turn, before the next call can change the page, and cached until the failure is
// returned.

import type { Clock } from '../clock.ts'
import { gatherEvidence } from './failure-evidence.ts'
import type { EvidenceMode } from './page-view.ts'
import type { Evidence } from '../ports/session-manager.ts'
import type { SessionResources } from '../resources/session-resources.ts'
import type { ToolCall } from '../ports/tool-call.ts'
import { leavesEvidence } from '../../core/failures/failure-categories.ts'
import type { Failure } from '../../core/failure.ts'

export interface EvidenceCache {
  /** Returns a copy of the failure, because several calls may return the same record, and caches its evidence. */
  explain(
    resources: SessionResources,
    failure: Failure,
    call: Pick<ToolCall, 'maximumPixels' | 'changesPage' | 'omitsChanges'>,
  ): Promise<Failure>
  /** The cached evidence of a failure, or else the evidence as of now. */
  get(
    resources: SessionResources | undefined,
    failure: Failure,
    maximumPixels: number,
  ): Promise<Evidence | undefined>
}

export function createEvidenceCache(mode: EvidenceMode | undefined, clock: Clock): EvidenceCache {
  const evidenceByFailure = new WeakMap<Failure, Evidence>()
  return {
    async explain(resources, failure, { maximumPixels = Infinity, changesPage, omitsChanges = false }) {
      const copy = { ...failure }
      if (!leavesEvidence(copy)) return copy
      const request = { mode, maximumPixels, changesPage, omitsChanges }
      const evidence = await gatherEvidence(resources, copy, request, clock).catch(() => undefined)
      if (evidence) evidenceByFailure.set(copy, evidence)
      return copy
    },
    get: async (resources, failure, maximumPixels) =>
      evidenceByFailure.get(failure) ??
      (resources && gatherEvidence(resources, failure, { mode, maximumPixels, changesPage: false }, clock)),
  }
}
