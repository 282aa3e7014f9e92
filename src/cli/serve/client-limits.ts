// What clients may start and how much, from the options.

import { delimiter } from 'node:path'
import type { Settings } from '../options/options.ts'
import type { ProgramLimits } from '../../devserver/process/allowed-programs.ts'
import { createRateLimiter, type RateLimiter } from '../../mcp/calls/rate-limiter.ts'
import { readMachineMemory, type MemoryLimit } from '../../runtime/system/memory-limit.ts'
import { findWorkspaceFolder } from '../../runtime/files/workspace-roots.ts'

const DEFAULT_HTTP_CALLS_PER_MINUTE = 100
const DEFAULT_HTTP_SESSIONS_PER_MINUTE = 10

/** The commands that may be started. A stdio client can start any program itself; an HTTP client only those that are named. */
export function serverLimits(
  { serverCommand, serverEnv, outputDir }: Settings,
  isHttp: boolean,
): ProgramLimits | undefined {
  if (serverCommand === undefined && !isHttp) return undefined
  return {
    commands: serverCommand?.split(delimiter) ?? [],
    variables: serverEnv.split(/[\s,]+/).filter(Boolean),
    workspace: findWorkspaceFolder(),
    outputFolder: outputDir,
  }
}

/** In megabytes; a quarter of the machine's memory by default. */
export function memoryLimitOf({ memoryLimit }: Settings): MemoryLimit {
  if (memoryLimit !== undefined) return { memoryLimit }
  const memoryTotal = Math.round(readMachineMemory() / 1e6)
  return { memoryLimit: Math.round(memoryTotal / 4), memoryTotal }
}

/** Rate limits per client; by default there are none on stdio, whose only client started this process. */
export const createCallLimiter = ({ rateLimit, sessionRateLimit }: Settings, isHttp: boolean): RateLimiter =>
  createRateLimiter(
    rateLimit ?? (isHttp ? DEFAULT_HTTP_CALLS_PER_MINUTE : undefined),
    sessionRateLimit ?? (isHttp ? DEFAULT_HTTP_SESSIONS_PER_MINUTE : undefined),
    () => performance.now(),
  )
