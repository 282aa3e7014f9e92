// Restricts which programs may be started, and their environment and folder. A program is checked by its real path, and that path is
// spawned, so that no link or folder changes what runs. A shell command must be listed exactly.

import { realpathSync } from 'node:fs'
import { dirname, isAbsolute, resolve, sep } from 'node:path'
import process from 'node:process'
import type { Failure, Outcome } from '../../base/failure.ts'
import { isBelow, resolveRealPath } from '../../base/files/workspace-roots.ts'
import { err, ok } from '../../base/result.ts'
import type { ServerRequest } from '../../sessions/types/servers.ts'

declare module '../../tool/tool.ts' {
  interface CallContext {
    /** Undefined where clients may start any program. */
    readonly programLimits: ProgramLimits | undefined
  }
}

export interface ProgramLimits {
  /** The allowed programs, by path, and the allowed shell commands. */
  readonly commands: readonly string[]
  /** The names of the variables that a caller may set. */
  readonly variables: readonly string[]
  /** The real path of the folder that `cwd` must be in; without one it must be the folder of the program. */
  readonly workspace: string | undefined
  /** The output directory; no `cwd` may be in it, because callers can write files there that programs read. */
  readonly outputFolder: string
}

/** An allowed program, by real path. The path must not have become a link when it is spawned. */
export interface Program {
  /** Undefined for a shell command. */
  readonly path: string | undefined
  /** The listed name, passed as argv[0], because a program with many names acts by the name it is called with. */
  readonly name: string
  readonly cwd: string | undefined
}

/** Why nothing may run that a path names; undefined if it may. */
export function findOutputDenial(path: string, outputFolder: string): Failure | undefined {
  if (!isBelow(resolveRealPath(path), resolveRealPath(outputFolder))) return undefined
  return {
    code: 'ACCESS_DENIED',
    subject: path.slice(0, 200),
    rule: 'nothing in the output directory runs, because pages choose what is in it',
    allowed: 'what is elsewhere, such as a copy that a person has read',
  }
}

/** The same of the words of a command and its folder. */
export function findCommandDenial(
  { command, commandPath, args = [], cwd }: ServerRequest,
  outputFolder: string,
): Failure | undefined {
  const words = [command ?? commandPath ?? ''].flat().flatMap((text) => text.split(/[\s"'`;&|()<>=]+/))
  const paths = [...words, ...args].filter(Boolean).map((word) => resolve(cwd ?? process.cwd(), word))
  const path = [...(cwd === undefined ? [] : [cwd]), ...paths].find((one) =>
    findOutputDenial(one, outputFolder),
  )
  return path === undefined ? undefined : findOutputDenial(path, outputFolder)
}

/** The program of a request if it may be started, else the failure. */
export function resolveAllowedProgram(request: ServerRequest, limits: ProgramLimits): Outcome<Program> {
  const program = findListedProgram(request, limits.commands)
  if (!program.ok) return program
  const allowed = limits.variables.filter((name) => !isExpanded(name, request.command))
  const variable = Object.keys(request.env ?? {}).find((name) => !allowed.includes(name))
  if (variable !== undefined) return err(variableDenialOf(variable, allowed))
  if (request.cwd === undefined) return program
  const cwd = resolveRealPath(request.cwd)
  const denial = checkFolder(request.cwd, cwd, program.value.path, limits)
  return denial ? err(denial) : ok({ ...program.value, cwd })
}

/** Why an allowed program may no longer be spawned; undefined if it may. */
export function describeMovedProgram(program: Program | undefined): string | undefined {
  const movedPath = [program?.path, program?.cwd].find(
    (path) => path !== undefined && resolveRealPath(path) !== path,
  )
  return movedPath === undefined
    ? undefined
    : `${movedPath} resolves to another file than when it was allowed`
}

// --- internal ---

function findListedProgram(
  { command, commandPath, cwd }: ServerRequest,
  commands: readonly string[],
): Outcome<Program> {
  const refuse = (requestedName: string): Outcome<never> =>
    err({ code: 'COMMAND_NOT_ALLOWED', command: requestedName.slice(0, 200), allowed: commands })
  if (typeof command === 'string')
    return commands.includes(command)
      ? ok({ path: undefined, name: command, cwd: undefined })
      : refuse(command)
  const requestedName = commandPath ?? command?.[0] ?? ''
  const path = resolveProgramPath(requestedName, cwd)
  const matches = commands.filter(
    (candidate) => path !== undefined && resolveProgramPath(candidate, undefined) === path,
  )
  const name = matches.find((candidate) => candidate === requestedName) ?? matches[0]
  return path === undefined || name === undefined ? refuse(requestedName) : ok({ path, name, cwd: undefined })
}

// A name without a separator would be searched on PATH, so it identifies no program.
function resolveProgramPath(path: string, cwd: string | undefined): string | undefined {
  if (!isAbsolute(path) && !path.includes('/') && !path.includes(sep)) return undefined
  try {
    return realpathSync(resolve(cwd ?? process.cwd(), path))
  } catch {
    return undefined
  }
}

/** Whether the shell puts the value of a variable into the command, where it can become several arguments. That of PORT is a number. */
const isExpanded = (name: string, command: ServerRequest['command']): boolean =>
  name !== 'PORT' && typeof command === 'string' && /[$%]/.test(command) && command.includes(name)

const variableDenialOf = (name: string, allowed: readonly string[]): Failure => ({
  code: 'ACCESS_DENIED',
  subject: `env ${name.slice(0, 100)}`,
  rule: 'with --server-command only the variables of --server-env may be set, and none that the command contains',
  allowed: allowed.join(', ') || 'none',
})

function checkFolder(
  requestedCwd: string,
  cwd: string,
  program: string | undefined,
  { workspace, outputFolder }: ProgramLimits,
): Failure | undefined {
  const deny = (rule: string, allowed: string): Failure => ({
    code: 'ACCESS_DENIED',
    subject: `cwd ${requestedCwd.slice(0, 200)}`,
    rule: `with --server-command ${rule}`,
    allowed,
  })
  if (isBelow(cwd, resolveRealPath(outputFolder)))
    return deny('no program may run in the output directory', 'a folder outside of it, or no cwd')
  if (workspace !== undefined)
    return isBelow(cwd, workspace)
      ? undefined
      : deny('programs run only in the workspace', `${workspace} and the folders in it`)
  const programFolder = program === undefined ? undefined : dirname(program)
  return cwd === programFolder
    ? undefined
    : deny('and without a workspace programs run only in their own folder', programFolder ?? 'no cwd')
}
