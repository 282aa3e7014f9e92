// The command line of release.ts.

import { parseArgs } from 'node:util'
import { err, ok, type Result } from '../../src/core/base/result.ts'
import type { Effort } from './archive.ts'

export interface Options {
  /** Which targets: the built ones, all (fails if one is missing), or that of this machine from dist/footlight. */
  readonly which: 'built' | 'all' | 'host'
  readonly dist: string
  readonly out: string
  readonly effort: Effort
}

export const usage = `Usage: bun run release [options]    packs what build.ts --all has built

  --all        fail when a target is missing
  --host-only  this machine's target only, from dist/footlight
  --fast       compress little, for tests
  --dist DIR   where the executables are (dist)
  --out DIR    where the release goes; emptied first (dist/release)
`

/** Parses the options in `args`. Errors are sentences. */
export function readOptions(args: readonly string[]): Result<Options, string> {
  const flag = { type: 'boolean', default: false } as const
  const text = (value: string) => ({ type: 'string', default: value }) as const
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { all: flag, 'host-only': flag, fast: flag, dist: text('dist'), out: text('dist/release') },
    })
    if (values.all && values['host-only']) return err('--all and --host-only exclude each other')
    const which = values.all ? 'all' : values['host-only'] ? 'host' : 'built'
    return ok({ which, dist: values.dist, out: values.out, effort: values.fast ? 'fast' : 'best' })
  } catch (error) {
    return err((error as Error).message)
  }
}
