// What a failing call brings: the page, console, requests, server lines, picture, the closest elements.

import type { Feature } from '../../core/tool/feature.ts'

export const evidenceFeature: Feature = {
  name: 'evidence',
  after: ['freshness', 'sources'],
  async load() {
    const [{ createFailureView }, { gatherEvidence }, { createEvidenceImages }] = await Promise.all([
      import('./failure-view.ts'),
      import('./failure-evidence.ts'),
      import('./page-view.ts'),
    ])
    return {
      onPage: createFailureView,
      session: ({ folder, options, ports: { clock } }) => ({
        members: { images: createEvidenceImages(folder) },
        afterFailure: ({ session, failure, call }) =>
          gatherEvidence(
            session,
            failure,
            { ...call, maximumPixels: call.maximumPixels ?? Infinity, mode: options.evidence },
            clock,
          ).catch(() => undefined),
      }),
    }
  },
}
