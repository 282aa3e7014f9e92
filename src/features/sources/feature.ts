// The file and line of errors and elements, through source maps and what frameworks note.

import type { Feature } from '../../core/tool/feature.ts'

export const sourcesFeature: Feature = {
  name: 'sources',
  async load() {
    const [{ getContent }, { addSources }] = await Promise.all([
      import('./tool.ts'),
      import('./session-sources.ts'),
    ])
    return { session: addSources, extended: [getContent] }
  },
  documents: async () => [(await import('./parse-map.ts')).sourceMap],
}
