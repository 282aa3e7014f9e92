// Runs one flow in two versions of an application and names each difference with the line that made it.

import type { Feature } from '../../core/tool/feature.ts'
import { verb } from '../../core/tool/verb.ts'

export const compareFeature: Feature = {
  name: 'compare',
  after: ['audit', 'baseline', 'mock', 'sources', 'states'],
  async load() {
    const [{ compare }, { createRevisions }] = await Promise.all([
      import('./tool.ts'),
      import('./revisions/git-revisions.ts'),
    ])
    return {
      start: (start) => ({ context: { revisions: createRevisions(start) } }),
      groups: { compare: [compare] },
      verbs: [
        verb('compare', compare, '[FLOW...]', '--base main / /cart', 'session --ci', {
          about:
            'What the change does for a user, against --base or where the branch began. FLOW: paths, session, or a saved test. --ci prints Markdown, and exits 1 unless it proves that what differs is in the diff.',
          flags: { ci: { ci: true } },
        }),
      ],
    }
  },
}
