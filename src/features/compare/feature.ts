// Runs one flow in two versions of an application and names each difference, with the line that made it where evidence tells.

import type { Feature } from '../../core/tool/feature.ts'
import { type Fields, verb } from '../../core/tool/verb.ts'

export const compareFeature: Feature = {
  name: 'compare',
  after: ['audit', 'baseline', 'mock', 'recording', 'sources', 'states'],
  async load() {
    const [{ compare }, { createRevisions }] = await Promise.all([
      import('./tool.ts'),
      import('./revisions/git-revisions.ts'),
    ])
    return {
      start: (start) => ({ context: { revisions: createRevisions(start) } }),
      tools: [compare],
      verbs: [
        verb('compare', compare, '[FLOW...]', '--base main / /cart', 'session --ci', {
          about:
            'What the change does for a user, against --base or where the branch began. FLOW: paths, session, or a saved test. --ci prints Markdown, and exits 1 where something differs that is not in the diff, or a step or an expectation fails.',
          flags: { ci: { ci: true } },
          judge: judgeComparison,
        }),
      ],
    }
  },
}

// --- internal ---

/** What a verdict reads of a comparison. */
interface JudgedComparison {
  readonly files?: { readonly md: string }
  readonly unexplained?: number
  readonly unproven?: number
  readonly expect?: readonly { readonly current: boolean }[]
}

/** It fails where something differs that is not in the diff or not meant to, where a step or an expectation fails, and where it did not see
 * enough. A cause that is not known is no fault of the change: server code has none that could be named. */
function judgeComparison(data: Fields) {
  const { files, unexplained, unproven, expect } = data as JudgedComparison
  const holds = unexplained === 0 && unproven === 0 && expect?.every(({ current }) => current)
  return files && { markdown: files.md, exitCode: holds ? 0 : 1 }
}
