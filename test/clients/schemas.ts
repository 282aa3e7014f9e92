// The listed tools in the converters of the SDKs of model APIs, without network.

import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fetched } from './install.ts'
import manifest from './manifest.json' with { type: 'json' }
import { binary } from '../support/client.ts'

const SCHEMAS_TIMEOUT_MS = 120_000

/** Prints what a converter refuses; false if one does. */
export function checkSchemas(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'fl-schemas-'))
  try {
    symlinkSync(join(fetched(manifest.schemas), 'node_modules'), join(folder, 'node_modules'))
    const program = join(folder, 'schemas.mjs')
    copyFileSync(join(import.meta.dir, 'programs/schemas.mjs'), program)
    const { status, stdout, stderr } = spawnSync('node', [program], {
      env: { ...process.env, FOOTLIGHT: binary },
      encoding: 'utf8',
      timeout: SCHEMAS_TIMEOUT_MS,
    })
    console.log(`${status === 0 ? 'passed' : 'FAILED'}: schemas, ${stdout.trim()}`)
    if (status !== 0) console.log(stderr.slice(-3000))
    return status === 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
