// server.json: the entry in the MCP registry. It stores no files but refers to the npm package and the bundles.

import { BROWSER_NAMES } from '../../src/core/base/browser-names.ts'
import { assetUrl, description, repository, serverName, title, version } from './project.ts'

export interface BundleFile {
  readonly file: string
  readonly sha256: string
}

export function serverJson(bundles: readonly BundleFile[]): Record<string, unknown> {
  const transport = { type: 'stdio' }
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: serverName,
    title,
    description,
    version,
    repository: { url: repository, source: 'github' },
    websiteUrl: repository,
    packages: [
      { registryType: 'npm', identifier: 'footlight', version, transport, environmentVariables },
      ...bundles.map(({ file, sha256 }) => ({
        registryType: 'mcpb',
        identifier: assetUrl(file),
        version,
        fileSha256: sha256,
        transport,
      })),
    ],
  }
}

const environmentVariables = [
  {
    name: 'FOOTLIGHT_BROWSER',
    description: 'The browser to drive; it must be installed',
    default: 'chromium',
    choices: [...BROWSER_NAMES],
  },
  {
    name: 'FOOTLIGHT_HEADLESS',
    description: 'Run the browser without a window',
    format: 'boolean',
    default: 'false',
  },
]
