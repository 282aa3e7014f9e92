// An unpacked extension under test, loaded again after each change of its files.

import type { Feature } from '../../core/tool/feature.ts'

export const extensionFeature: Feature = {
  name: 'extension',
  load: async () => (await import('./session-extension.ts')).sessionExtension,
}
