// The listed tools in the converters of the SDKs of model APIs, without network.

import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { everyTool } from '../../src/core/cli/tools/catalogue.ts'
import { createToolNames } from '../../src/core/mcp/calls/tool-names.ts'
import type { Tool } from '../../src/core/tool/tool.ts'
import { binary } from '../support/client.ts'
import { fetched } from './install.ts'
import manifest from './manifest.json' with { type: 'json' }

const SCHEMAS_TIMEOUT_MS = 120_000
const looseTools = ['create_session', 'emulate', 'list_sessions', 'mock', 'steps']
// The session is optional in the first style and required in the second.
const styles = ['footlight', 'e2e'] as const

/** What a converter refuses, of every tool that there is. */
export async function checkSchemas(): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'fl-schemas-'))
  try {
    symlinkSync(join(fetched(manifest.schemas), 'node_modules'), join(folder, 'node_modules'))
    const program = join(folder, 'schemas.mjs')
    copyFileSync(join(import.meta.dir, 'programs/schemas.mjs'), program)
    return styles.flatMap((style) => convertTools(program, style))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

// --- internal ---

function convertTools(program: string, style: (typeof styles)[number]): string[] {
  const { spell } = createToolNames(everyTool, style)
  const namesOf = (tools: readonly Tool[]) => tools.map(spell).toSorted().join(',')
  const { status, stdout, stderr } = spawnSync('node', [program], {
    env: {
      ...process.env,
      FOOTLIGHT: binary,
      ARGS: JSON.stringify([
        '--headless',
        '--tools',
        '+mouse,+touch,+trace,+pdf,+compare,+video,+audit,+page_tools',
        '--names',
        style,
      ]),
      TOOLS: namesOf(everyTool),
      LOOSE_TOOLS: namesOf(everyTool.filter(({ name }) => looseTools.includes(name))),
    },
    encoding: 'utf8',
    timeout: SCHEMAS_TIMEOUT_MS,
  })
  console.log(`schemas, ${style}: ${stdout.trim()}`)
  return status === 0 ? [] : [stderr.slice(-3000)]
}
