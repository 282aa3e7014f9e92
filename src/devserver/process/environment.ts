// The environment of child processes: without the settings and tokens of Footlight, without Bun's control variables, and without the
// temporary folder that is removed at the end of this process.

import { RUN_TAG_VARIABLE } from './watchdog.ts'
import { SERVER_TAG_VARIABLE } from './process-tree.ts'

const withheldVariable = /^(FOOTLIGHT_|BUN_)/

export function createChildEnvironment(
  tags: { readonly run: string; readonly tag: string } | undefined,
  ownVariables: Readonly<Record<string, string>>,
  parentEnv: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const inherited = Object.entries(parentEnv).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && !withheldVariable.test(pair[0]),
  )
  return {
    ...Object.fromEntries(inherited),
    ...ownVariables,
    ...(tags && { [RUN_TAG_VARIABLE]: tags.run, [SERVER_TAG_VARIABLE]: tags.tag }),
  }
}
