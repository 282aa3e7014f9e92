// An MCP bundle (.mcpb): a zip of the executable and a manifest, which a client installs with a double click.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultTools } from '../../src/core/cli/tools/catalogue.ts'
import type { Entry } from './archive.ts'
import { json } from './archive.ts'
import { description, license, repository, title, version } from './project.ts'
import { program, type Target } from './targets.ts'

const ICON = 'icon.png'

/** manifest.json for one target. A bundle is for one platform, so it has no platform overrides. */
export function manifest(target: Target): Record<string, unknown> {
  const entry = `server/${program(target)}`
  return {
    manifest_version: '0.3',
    name: 'footlight',
    display_name: title,
    version,
    description,
    author: { name: title, url: repository },
    repository: { type: 'git', url: `${repository}.git` },
    homepage: repository,
    support: `${repository}/issues`,
    license,
    icon: ICON,
    privacy_policies: [`${repository}/blob/main/SECURITY.md#privacy`],
    keywords: ['browser', 'automation', 'testing', 'playwright', 'dev-server'],
    server: {
      type: 'binary',
      entry_point: entry,
      mcp_config: {
        command: `\${__dirname}/${entry}`,
        args: [
          '--browser=${user_config.browser}',
          '--headless=${user_config.headless}',
          '--output-dir=${user_config.output_dir}',
        ],
        env: {},
      },
    },
    tools: defaultTools.map((tool) => ({ name: tool.name, description: tool.description })),
    compatibility: { platforms: [target.platform] },
    user_config: {
      browser: {
        type: 'string',
        title: 'Browser',
        description: 'chromium, firefox, webkit, chrome or msedge; it must be installed',
        default: 'chromium',
      },
      headless: {
        type: 'boolean',
        title: 'Headless',
        description: 'Run the browser without a window',
        default: false,
      },
      // The working directory in which a desktop application starts its servers is not always writable.
      output_dir: {
        type: 'directory',
        title: 'Output folder',
        description: 'Where large pictures, downloads and traces go',
        default: '${HOME}/.footlight',
      },
    },
  }
}

/** The entries of the bundle. */
export function bundle(target: Target, executable: Uint8Array, documents: readonly Entry[]): Entry[] {
  return [
    { name: 'manifest.json', bytes: json(manifest(target)) },
    { name: ICON, bytes: readFileSync(join(import.meta.dir, ICON)) },
    { name: `server/${program(target)}`, bytes: executable, runs: true },
    ...documents,
  ]
}
