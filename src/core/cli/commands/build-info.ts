// What this program is and what it runs on, for a bug report. Nothing heavy is loaded for it.

import { readdirSync } from 'node:fs'
import process from 'node:process'
import { PLAYWRIGHT_VERSION } from '../../browser/playwright/engine.ts'
import { VERSION } from '../options/version.ts'
import { isCompiled } from '../terminal/start-command.ts'

export interface BuildInfo {
  readonly version: string
  readonly runtime: { readonly name: 'bun' | 'deno' | 'node'; readonly version: string }
  readonly platform: string
  readonly arch: string
  /** On Linux, where it is known: "glibc 2.36" or "musl". */
  readonly libc?: string
  readonly playwright: string
  /** The executable, or the script that a runtime runs. */
  readonly executable: string
  readonly compiled: boolean
}

export function readBuildInfo(): BuildInfo {
  const { platform, arch, execPath, argv } = process
  const [, script = ''] = argv
  const isExecutable = isCompiled({ script })
  const libc = platform === 'linux' ? findLibc() : undefined
  return {
    version: VERSION,
    runtime: runtimeOf(process.versions),
    platform,
    arch,
    libc,
    playwright: PLAYWRIGHT_VERSION,
    executable: isExecutable ? execPath : script,
    compiled: isExecutable,
  }
}

/** Deno and Bun also say which Node they stand in for, so that is asked last. */
export function runtimeOf(versions: Readonly<Record<string, string | undefined>>): BuildInfo['runtime'] {
  for (const name of ['deno', 'bun'] as const) {
    const version = versions[name]
    if (version !== undefined) return { name, version }
  }
  return { name: 'node', version: versions['node'] ?? '' }
}

function findLibc(): string | undefined {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined
  const glibc = report?.header?.glibcVersionRuntime
  if (glibc) return `glibc ${glibc}`
  try {
    return readdirSync('/lib').some((name) => name.startsWith('ld-musl-')) ? 'musl' : undefined
  } catch {
    return undefined
  }
}
