// Compares a screenshot with an earlier picture.

import type { Feature } from '../../core/tool/feature.ts'

export const baselineFeature: Feature = {
  name: 'baseline',
  load: async () => ({ extended: [(await import('./tool.ts')).screenshot] }),
  documents: async () => [(await import('./picture-difference.ts')).pictureDifference],
}
