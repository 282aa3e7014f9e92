// The file and line of errors and elements, through source maps and what frameworks note.

import type { Feature } from '../../core/tool/feature.ts'

export const sourcesFeature: Feature = {
  name: 'sources',
  after: ['freshness'],
  async load() {
    const { getContent } = await import('./tool.ts')
    const { createOriginReader } = await import('./element-origin.ts')
    return { onPage: createOriginReader, extended: [getContent] }
  },
  documents: async () => [(await import('./parse-map.ts')).sourceMap],
}
