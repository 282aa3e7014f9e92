// Build plugins that adapt the bundled packages to a single file, and omit the parts that are not used.

import { join } from 'node:path'
import type { BunPlugin } from 'bun'
import { reducedSdk } from './mcp-sdk.ts'
import { staticPlaywright } from './playwright.ts'

// The Node build of jsonc-parser loads its parts by calls that a bundler cannot resolve; the ESM build has static imports.
const esmJsoncParser: BunPlugin = {
  name: 'esm-jsonc-parser',
  setup(build) {
    build.onResolve({ filter: /^jsonc-parser$/ }, () => ({
      path: join(import.meta.dir, '../../node_modules/jsonc-parser/lib/esm/main.js'),
    }))
  },
}

export const plugins = [staticPlaywright, esmJsoncParser, reducedSdk]
