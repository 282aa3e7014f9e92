// Runs a command once this process is gone without having ended it: what it holds on other machines is released then. A small shell waits
// on a pipe from this process, in a session of its own, as the watchdog does.

import { spawn } from 'node:child_process'
import process from 'node:process'
import type { Writable } from 'node:stream'

// A line after the first one is the orderly end.
const SCRIPT = `
trap '' HUP INT TERM
read -r input || exit 0
read -r word && exit 0
printf '%s\\n' "$input" | "$@"
`

/** Starts the wait; `command` gets `input` as the line of its stdin. The function that it returns ends the wait. Without effect on Windows. */
export function runAfterKill(command: readonly string[], input: object): () => void {
  if (process.platform === 'win32') return () => {}
  const args = ['-c', 'sh -c "$0" sh "$@" <&3 3<&- & exit 0', SCRIPT, ...command]
  const child = spawn('/bin/sh', args, {
    detached: true,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const pipe = child.stdio[3] as (Writable & { unref?(): void }) | null
  pipe?.on('error', () => {})
  child.on('error', () => {})
  child.unref()
  pipe?.unref?.()
  pipe?.write(`${JSON.stringify(input)}\n`)
  return () => pipe?.end('done\n')
}
