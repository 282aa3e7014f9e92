import process from 'node:process'
import { isCompiled } from './launch.ts'

interface OwnProcess {
  readonly execPath: string
  readonly argv: readonly string[]
  readonly versions: Readonly<Record<string, string | undefined>>
}

/** How to start this program with other arguments: the executable is its own program; else the runtime needs the script too. */
export function selfCommand(
  args: readonly string[],
  { execPath, argv, versions }: OwnProcess = process,
): { command: string; args: string[] } {
  const [, script = ''] = argv
  if (isCompiled({ script })) return { command: execPath, args: [...args] }
  const runtime = 'deno' in versions ? ['run', '-A'] : []
  return { command: execPath, args: [...runtime, script, ...args] }
}
