// Which programs may be started, where that is limited: by their real path, so that neither a link nor a folder changes what runs. A
// command for the shell must be named word for word.

import { realpathSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import process from 'node:process'
import type { Failure } from '../core/failure.ts'
import type { ServerRequest } from '../core/server.ts'

/** Why this may not be started, or undefined where it may. */
export function notAllowed(
  { command, commandPath, cwd }: ServerRequest,
  commands: readonly string[] | undefined,
): Failure | undefined {
  if (commands === undefined) return undefined
  const refused = (given: string): Failure => ({
    code: 'COMMAND_NOT_ALLOWED',
    command: given.slice(0, 200),
    allowed: commands,
  })
  if (typeof command === 'string') return commands.includes(command) ? undefined : refused(command)
  const program = commandPath ?? command?.[0] ?? ''
  const real = realOf(program, cwd)
  const known = commands.map((one) => realOf(one, undefined)).filter((one) => one !== undefined)
  return real !== undefined && known.includes(real) ? undefined : refused(program)
}

function realOf(path: string, cwd: string | undefined): string | undefined {
  if (!isAbsolute(path) && !path.includes('/')) return undefined
  try {
    return realpathSync(resolve(cwd ?? process.cwd(), path))
  } catch {
    return undefined
  }
}
