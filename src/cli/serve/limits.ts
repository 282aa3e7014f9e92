// What clients may do, as the options say.

import type { Settings } from '../options/options.ts'
import type { ProgramLimits } from '../../devserver/process/allowed-programs.ts'
import { createLimiter, type Limiter } from '../../mcp/calls/rate-limiter.ts'
import { machineMemory } from '../../runtime/memory/machine-memory.ts'
import type { MemoryLimit } from '../../runtime/memory/memory-limit.ts'
import { workspaceFolder } from '../../runtime/files/workspace-roots.ts'

/** Whoever starts us over stdio could start anything itself; over HTTP only what is named may be. */
export function serverLimits(
  { serverCommand, serverEnv, outputDir }: Settings,
  http: boolean,
): ProgramLimits | undefined {
  if (serverCommand === undefined && !http) return undefined
  return {
    commands: serverCommand?.split(':') ?? [],
    variables: serverEnv.split(/[\s,]+/).filter(Boolean),
    workspace: workspaceFolder(),
    output: outputDir,
  }
}

/** A quarter of what there is, unless the limit was set. */
export function memoryLimitOf({ memoryLimit }: Settings): MemoryLimit {
  if (memoryLimit !== undefined) return { memoryLimit }
  const memoryTotal = Math.round(machineMemory() / 1e6)
  return { memoryLimit: Math.round(memoryTotal / 4), memoryTotal }
}

/** On stdio the only client is who started us. */
export const limiterOf = ({ rateLimit, sessionRateLimit }: Settings, http: boolean): Limiter =>
  createLimiter(rateLimit ?? (http ? 100 : undefined), sessionRateLimit ?? (http ? 10 : undefined), () =>
    performance.now(),
  )
