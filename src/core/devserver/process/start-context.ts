// The context for starting a server, in both modes.

import type { CheckServerAddress } from '../../sessions/types/egress-proxy.ts'
import type { ServerCode } from '../../sessions/types/freshness.ts'
import type { DevServer, OwnedServer } from '../../sessions/types/servers.ts'
import type { FeatureParts } from '../../tool/feature.ts'
import type { FindFreePort } from './free-port.ts'
import { type ProcessTree, SERVER_TAG_VARIABLE } from './process-tree.ts'
import { RUN_TAG_VARIABLE, type Watchdog } from './watchdog.ts'

declare module '../../tool/feature.ts' {
  interface FeatureParts {
    /** Called before a command is started in this folder as a server. */
    readonly watchServer?: (folder: string, context: ServerContext) => Promise<ServerWatch>
  }
}

/** What is known of the files of a server, and of what its processes do with them. */
export interface ServerWatch {
  readonly files: NonNullable<OwnedServer['files']>
  readonly readCode: (server: ServerIdentity, withPrograms: boolean) => Omit<ServerCode, 'readyAt'>
}

interface ServerIdentity {
  readonly child: { readonly tree: ProcessTree }
  readonly server: Pick<DevServer, 'startedAt' | 'port'>
}

/** The run and the tag of the server's processes, the folder of its logs, and the environment before this process changed it. */
export interface ServerContext {
  readonly run: string
  readonly tag: string
  readonly folder: string
  readonly parentEnv: Readonly<Record<string, string | undefined>>
  readonly watchdog: Watchdog
  /** Whether this is a folder that Footlight writes. */
  readonly isOutput?: (path: string) => boolean
  /** The command line of this program as the supervisor of a server, on Windows. */
  readonly supervisor?: readonly string[] | undefined
  readonly findFreePort: FindFreePort
  /** Checks network requests against the host rules; without it all are allowed. */
  readonly checkServerAddress?: CheckServerAddress | undefined
  readonly features?: readonly FeatureParts[]
}

// The environment of child processes: without the settings and tokens of Footlight, and without Bun's control variables.
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
