// What must happen even when this process is killed and can do nothing: its dev servers end, and its temporary folder goes. A small
// shell waits on a pipe from here; when the pipe closes, for whatever reason, it ends every process that carries the tag of this run, the
// groups and processes it was told of, and removes the folder, which browsers may still be writing to for a moment. It is started with
// the first browser or server, in a session of its own, detached from us.

import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import process from 'node:process'

export const RUN_TAG_VARIABLE = 'FOOTLIGHT_RUN'

export interface Watchdog {
  /** A process that must not outlive this run although it does not carry its tag; a negative number is a group. */
  guard(pid: number): void
  /** It has ended; the number may mean another process by now. */
  release(pid: number): void
}

// $1 is the tag of the run, $2 the folder to remove. `ps -E` shows the environment where there is no /proc.
const WATCHDOG_SCRIPT = `
trap '' HUP INT TERM
pids=
while read -r word pid; do
  case $word in
    guard) pids="$pids $pid " ;;
    release) pids=$(printf '%s' "$pids" | sed "s/ $pid / /g") ;;
  esac
done
tagged() {
  if [ -d /proc/self ]; then
    for file in /proc/[0-9]*/environ; do
      tr '\\0' '\\n' < "$file" 2>/dev/null | grep -qx "$1" && echo "$file" | cut -d/ -f3
    done
  else
    ps -axEww -o pid=,command= | grep -F "$1" | grep -v grep | awk '{print $1}'
  fi
}
finish() { for pid in $pids $(tagged "${RUN_TAG_VARIABLE}=$1"); do [ "$pid" = $$ ] || kill -s "$2" -- "$pid" 2>/dev/null; done; }
finish "$1" TERM
for wait in 1 2 3 4 5 6 7 8 9 10; do [ -z "$(tagged "${RUN_TAG_VARIABLE}=$1")" ] && break; sleep 0.1; done
finish "$1" KILL
[ -n "$2" ] || exit 0
for wait in 1 2 3 4 5 6 7 8 9 10; do rm -rf -- "$2" 2>/dev/null; [ -e "$2" ] || break; sleep 0.2; done
`

/** Windows has no such shell; there the job object of the executable ends its children. */
export function createWatchdog(run: string, folder: string): Watchdog {
  if (process.platform === 'win32') return { guard: () => {}, release: () => {} }
  // The outer shell ends at once, so that the inner one is no child of ours and does not end with us.
  const args = ['-c', 'sh -c "$0" sh "$@" <&3 3<&- & exit 0', WATCHDOG_SCRIPT, run, folder]
  const child = spawn('/bin/sh', args, {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/bin:/bin` },
  })
  const pipe = child.stdio[3] as NodeJS.WritableStream | null
  pipe?.on('error', () => {})
  child.on('error', () => {})
  child.unref()
  ;(pipe as Socket | null)?.unref()
  const send = (word: string, pid: number) => void pipe?.write(`${word} ${pid}\n`)
  return { guard: (pid) => send('guard', pid), release: (pid) => send('release', pid) }
}
