// Shell scripts that outlive this process: each runs in a session of its own and is no child of this one.

import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import process from 'node:process'

interface ScriptOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly hasOutput?: boolean
}

/** Starts a script. Returns the pipe to its stdin, which closes when this process ends, however it does, and with `hasOutput` the pipe
 * from its stdout. There are none on a machine without a shell. */
export function startDetachedScript(
  script: string,
  args: readonly string[],
  { env = process.env, hasOutput = false }: ScriptOptions = {},
): readonly (Socket | undefined)[] {
  const redirections = hasOutput ? '<&3 >&4 3<&- 4>&-' : '<&3 3<&-'
  // The outer shell exits at once, so that the inner one is not a child of this process.
  const child = spawn('/bin/sh', ['-c', `sh -c "$0" sh "$@" ${redirections} & exit 0`, script, ...args], {
    detached: true,
    cwd: '/',
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', ...(hasOutput ? (['pipe'] as const) : [])],
  })
  child.on('error', () => {})
  child.unref()
  const [input, output] = child.stdio.slice(3) as unknown as (Socket | undefined)[]
  input?.on('error', () => {})
  return [input, output]
}

// A line after the first one is the orderly end.
const RUN_AFTER_KILL_SCRIPT = `
trap '' HUP INT TERM
read -r input || exit 0
read -r word && exit 0
printf '%s\\n' "$input" | "$@"
`

/** Runs a command once this process is gone without having ended it: what it holds on other machines is released then. The command gets
 * `input` as the line of its stdin. The function that is returned ends the wait. Without effect on Windows. */
export function runAfterKill(command: readonly string[], input: object): () => void {
  if (process.platform === 'win32') return () => {}
  const [pipe] = startDetachedScript(RUN_AFTER_KILL_SCRIPT, command)
  pipe?.unref()
  pipe?.write(`${JSON.stringify(input)}\n`)
  return () => void pipe?.end('done\n')
}
