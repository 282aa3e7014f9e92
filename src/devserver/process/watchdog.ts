// Cleans up even if this process is killed. A small shell script waits on a pipe from this process; when the pipe closes, it ends every
// process with the tag of this run and the guarded processes and groups, and removes the temporary folder, to which browsers may still
// write until they have exited, on a busy machine for seconds and after it was removed. It is started with the first browser or server,
// detached, in its own session.

import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import process from 'node:process'
import { PS_ENVIRONMENT, type ProcessIdentity } from './process-table.ts'

export const RUN_TAG_VARIABLE = 'FOOTLIGHT_RUN'

export interface Watchdog {
  /** Ends this process with the run, although it may not have its tag, or the group that it leads. */
  guard(identity: ProcessIdentity, target?: 'process' | 'group'): void
  /** The process has ended. */
  release(identity: ProcessIdentity): void
}

// $1 is the tag of the run, $2 the folder to remove. A guarded process is `PID:START`, with a minus for its group; it is not signalled if
// its number has been given to another process. `ps -E` shows the environment where there is no /proc.
const WATCHDOG_SCRIPT = `
trap '' HUP INT TERM
guarded=
while read -r word target; do
  case $word in
    guard) guarded="$guarded $target " ;;
    release) guarded=$(printf '%s' "$guarded" | sed "s/ -\\{0,1\\}$target / /g") ;;
  esac
done
started() {
  if [ -d /proc/self ]; then
    sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20
  else
    ps -o lstart= -p "$1" | awk '{ $1 = $1; gsub(" ", "_"); print }'
  fi
}
alive() {
  for target in $guarded; do
    number=\${target%%:*}
    [ "$(started "\${number#-}")" != "\${target#*:}" ] || echo "$number"
  done
}
tagged() {
  if [ -d /proc/self ]; then
    grep -lsF "$1" /proc/[0-9]*/environ | cut -d/ -f3
  else
    ps -axEww -o pid=,command= | grep -F "$1" | grep -v grep | awk '{print $1}'
  fi
}
finish() { for pid in $(alive) $(tagged "${RUN_TAG_VARIABLE}=$1"); do [ "$pid" = $$ ] || kill -s "$2" -- "$pid" 2>/dev/null; done; }
finish "$1" TERM
for wait in 1 2 3 4 5 6 7 8 9 10; do [ -z "$(tagged "${RUN_TAG_VARIABLE}=$1")" ] && break; sleep 0.1; done
finish "$1" KILL
absences=0
for wait in 0.2 0.5 0.2 0.2 0.2 0.5 0.5 1 1 2 3 5 5 5; do
  if [ -e "$2" ]; then absences=0; else absences=$((absences + 1)); fi
  [ $absences -lt 3 ] || break
  rm -rf -- "$2" 2>/dev/null
  sleep $wait
done
`

/** On Windows it does nothing: there the job object of the executable ends its children. */
export function createWatchdog(run: string, folder: string): Watchdog {
  if (process.platform === 'win32') return { guard: () => {}, release: () => {} }
  // The outer shell exits at once, so that the inner one is not a child of this process and does not end with it.
  const args = ['-c', 'sh -c "$0" sh "$@" <&3 3<&- & exit 0', WATCHDOG_SCRIPT, run, folder]
  const child = spawn('/bin/sh', args, {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/bin:/bin`, ...PS_ENVIRONMENT },
  })
  const pipe = child.stdio[3] as NodeJS.WritableStream | null
  pipe?.on('error', () => {})
  child.on('error', () => {})
  child.unref()
  ;(pipe as Socket | null)?.unref()
  const send = (line: string) => void pipe?.write(`${line}\n`)
  return {
    guard: ({ pid, startTime }, target) =>
      send(`guard ${target === 'group' ? '-' : ''}${pid}:${startTime ?? ''}`),
    release: ({ pid, startTime }) => send(`release ${pid}:${startTime ?? ''}`),
  }
}
