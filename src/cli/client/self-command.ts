import { existsSync } from 'node:fs'
import process from 'node:process'

/** How to start this program with other arguments: the executable is its own program; else the runtime needs the script too. */
export function selfCommand(args: readonly string[]): { command: string; args: string[] } {
  const [, script = ''] = process.argv
  const runtime = 'deno' in process.versions ? ['run', '-A'] : []
  const runtimeArgs = existsSync(script) && !script.startsWith('/$bunfs') ? [...runtime, script] : []
  return { command: process.execPath, args: [...runtimeArgs, ...args] }
}
