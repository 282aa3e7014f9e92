// Lists, installs, packs and unpacks browsers.

import type { Feature } from '../../core/tool/feature.ts'

export const browsersFeature: Feature = {
  name: 'browsers',
  commands: { browsers: async () => (await import('./command.ts')).browsersCommand },
}
