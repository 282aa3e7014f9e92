// What a child of ours gets to see of our environment: not our own settings and tokens, not Bun's control variables, and not the
// temporary folder that is removed with us.

import { RUN_TAG_VARIABLE } from './watchdog.ts'
import { SERVER_TAG_VARIABLE } from './process-tree.ts'

const withheldVariable = /^(FOOTLIGHT_|BUN_)/

export function createChildEnvironment(
  marks: { readonly run: string; readonly tag: string } | undefined,
  own: Readonly<Record<string, string>>,
  outer: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept = Object.entries(outer).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && !withheldVariable.test(pair[0]),
  )
  return {
    ...Object.fromEntries(kept),
    ...own,
    ...(marks && { [RUN_TAG_VARIABLE]: marks.run, [SERVER_TAG_VARIABLE]: marks.tag }),
  }
}
