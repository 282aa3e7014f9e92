// An unpacked extension under test, loaded again after each change of its files.

import type { Feature } from '../../core/tool/feature.ts'

export const extensionFeature: Feature = {
  name: 'extension',
  async load() {
    const [{ extensionFields }, { sessionExtension }] = await Promise.all([
      import('./read-extension.ts'),
      import('./session-extension.ts'),
    ])
    return { ...sessionExtension, sessionFields: extensionFields }
  },
}
