// The evidence of a failed call on a page is gathered in its turn, while the page is as the call left it, and kept with its failure until
// that is answered: the next call may already be changing the page by then.

import type { Clock } from '../clock.ts'
import { gatherEvidence } from './failure-evidence.ts'
import type { EvidenceMode } from './page-view.ts'
import type { Evidence } from '../ports/session-manager.ts'
import type { SessionResources } from '../resources/session-resources.ts'
import { leavesEvidence, type Failure } from '../../core/failure.ts'

export interface EvidenceCache {
  /** The failure as a record of its own, because several calls may answer one record, with its evidence kept beside it. */
  explain(resources: SessionResources, failure: Failure, maximumPixels?: number): Promise<Failure>
  /** What was kept of it, else what there is to look at now. */
  of(
    resources: SessionResources | undefined,
    failure: Failure,
    maximumPixels: number,
  ): Promise<Evidence | undefined>
}

export function createEvidenceCache(mode: EvidenceMode | undefined, clock: Clock): EvidenceCache {
  const kept = new WeakMap<Failure, Evidence>()
  return {
    async explain(resources, failure, maximumPixels = Infinity) {
      const own = { ...failure }
      if (!leavesEvidence(own)) return own
      const evidence = await gatherEvidence(resources, own, { mode, maximumPixels }, clock()).catch(
        () => undefined,
      )
      if (evidence) kept.set(own, evidence)
      return own
    },
    of: async (resources, failure, maximumPixels) =>
      kept.get(failure) ??
      (resources && gatherEvidence(resources, failure, { mode, maximumPixels }, clock())),
  }
}
