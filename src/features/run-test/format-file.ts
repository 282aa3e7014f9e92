// The formatter of the user's project, for a file that was written into it.

import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { readRegularFile } from '../../core/base/files/read-regular-file.ts'
import { isBelow } from '../../core/base/files/workspace-roots.ts'
import { isRecord, parseJson } from '../../core/base/text/json.ts'
import { isFile } from '../../core/devserver/process/spawn-command.ts'
import { foldersUpwards, type NodeRuntime } from './find-project.ts'

/** Formats a file with the formatter that a package.json from there up to the workspace names. Does nothing where none does, and leaves the
 * file as it is where the formatter fails. */
export async function formatFile(
  path: string,
  workspace: string,
  runtime: NodeRuntime,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const folders = foldersUpwards(dirname(path)).filter((folder) => isBelow(folder, workspace))
  const formatter = folders.flatMap((folder) => findFormatters(folder)).at(0)
  if (!formatter) return
  const { program, args, folder } = formatter
  const options = { cwd: folder, env, timeout: TIMEOUT_MS, windowsHide: true }
  await new Promise<void>((resolve) =>
    execFile(runtime.path, [program, ...args, path], options, () => resolve()),
  )
}

// --- internal ---

const TIMEOUT_MS = 15_000

/** The packages of formatters, with their programs and arguments. */
const FORMATTERS = [
  { name: 'prettier', program: 'bin/prettier.cjs', args: ['--write'] },
  { name: '@biomejs/biome', program: 'bin/biome', args: ['format', '--write'] },
] as const

const findFormatters = (folder: string) =>
  FORMATTERS.filter(({ name }) => packagesOf(folder).includes(name))
    .map(({ name, program, args }) => ({ program: findProgram(folder, `${name}/${program}`), args, folder }))
    .flatMap(({ program, ...others }) => (program === undefined ? [] : [{ program, ...others }]))

// npm puts the packages of a workspace into the folder above.
const findProgram = (folder: string, program: string): string | undefined =>
  foldersUpwards(folder)
    .map((parent) => join(parent, 'node_modules', program))
    .find(isFile)

function packagesOf(folder: string): readonly string[] {
  const project = parseJson(String(readRegularFile(join(folder, 'package.json')) ?? ''))
  if (!isRecord(project)) return []
  return [project['dependencies'], project['devDependencies']].flatMap((packages) =>
    isRecord(packages) ? Object.keys(packages) : [],
  )
}
