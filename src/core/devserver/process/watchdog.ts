// Cleans up even if this process is killed. A small shell script waits on a pipe from this process; when the pipe closes, it ends every
// process with the tag of this run and the guarded processes and groups, and removes the temporary folder, to which browsers may still
// write until they have exited, on a busy machine for seconds and after it was removed. It is started with the first browser or server.

import { resolve } from 'node:path'
import process from 'node:process'
import { startDetachedScript } from './detached-script.ts'
import { runMarkOf } from './inherited-mark.ts'
import { type ProcessIdentity, PS_ENVIRONMENT } from './process-table.ts'

export const RUN_TAG_VARIABLE = 'FOOTLIGHT_RUN'

export interface Watchdog {
  /** Ends this process with the run, although it may not have its tag, or the group that it leads. */
  guard(identity: ProcessIdentity, target?: 'process' | 'group'): void
  release(identity: ProcessIdentity): void
  /** Removes this socket too. */
  guardSocket(path: string): void
  /** Removes this folder too, what git notes about a work tree of ours, and the one that it is in if nothing else is there. A folder of another
   * name stays. Resolves once that is certain. */
  guardFolder(path: string): Promise<void>
}

// $1 is the tag of the run, $2 the folder to remove, $3 the mark of the run. A guarded process is `PID:START`, with a minus for its group; it is not signalled if
// its number has been given to another process. `look` writes number, parent, group and start of each process: the last line of a `stat`
// counts, because a name may contain line ends. `ours` writes what was guarded and is running, has the tag, or descends from these, as
// `PID:START`. `ps -E` shows the environment where there is no /proc.
const WATCHDOG_SCRIPT = `
trap '' HUP INT TERM PIPE
mark=$3
guarded=
socket=
folders=
while read -r word target; do
  case $word in
    socket) socket=$target ;;
    folder) folders="$folders$target
"; echo 2>/dev/null ;;
    guard) guarded="$guarded $target " ;;
    release) guarded=$(printf '%s' "$guarded" | sed "s/ -\\{0,1\\}$target / /g") ;;
  esac
done
look() {
  if [ -d /proc/self ]; then
    grep -s '' /proc/[0-9]*/stat | awk '{ pid = substr($0, 7); sub(/\\/.*/, "", pid); sub(/.*\\) /, ""); row[pid] = $0 }
      END { for (pid in row) { split(row[pid], field, " "); if (field[1] != "Z") print pid, field[2], field[3], field[20] } }'
  else
    ps -axo pid=,ppid=,pgid=,lstart= | awk '{ print $1, $2, $3, $4 "_" $5 "_" $6 "_" $7 "_" $8 }'
  fi
}
tagged() {
  if [ -d /proc/self ]; then
    { grep -lsF "$1" /proc/[0-9]*/environ; grep -lsE "^Max file locks +[0-9]+ +$2 " /proc/[0-9]*/limits; } | cut -d/ -f3
  else
    ps -axEww -o pid=,command= | grep -F "$1" | grep -v grep | awk '{print $1}'
  fi
}
ours() {
  look | awk -v targets="$guarded" -v tagged="$(tagged "${RUN_TAG_VARIABLE}=$1" "$mark" | tr '\\n' ' ')" -v self=$$ '
    { parent[$1] = $2; group[$1] = $3; start[$1] = $4 }
    END {
      for (i = split(tagged, word, " "); i > 0; i--) own[word[i]]
      for (i = split(targets, word, " "); i > 0; i--) {
        isGroup = sub(/^-/, "", word[i]); at = index(word[i], ":"); pid = substr(word[i], 1, at - 1)
        if (start[pid] != substr(word[i], at + 1)) continue
        own[pid]
        if (isGroup) groups[pid]
      }
      for (pid in start) if (group[pid] in groups) own[pid]
      do {
        found = 0
        for (pid in start) if (!(pid in own) && parent[pid] in own) { own[pid]; found = 1 }
      } while (found)
      for (pid in own) if (pid != self && start[pid] != "") print pid ":" start[pid]
    }'
}
# What descended from a process that has ended meanwhile was found before.
finish() {
  found=$(ours "$1" | tr '\\n' ' ')
  guarded="$guarded $found"
  for target in $found; do kill -s "$2" -- "\${target%%:*}" 2>/dev/null; done
}
if [ -n "$socket" ]; then socket=$(printf '%b' "$socket"); rm -f -- "$socket" "$socket~"; fi
finish "$1" TERM
for wait in 1 2 3 4 5 6 7 8 9 10; do
  found=$(ours "$1" | tr '\\n' ' ')
  [ -n "$found" ] || break
  guarded="$guarded $found"
  sleep 0.1
done
for wait in 1 2 3 4 5 6 7 8 9 10; do
  finish "$1" KILL
  [ -n "$found" ] || break
  sleep 0.1
done
absences=0
for wait in 0.2 0.5 0.2 0.2 0.2 0.5 0.5 1 1 2 3 5 5 5; do
  if [ -e "$2" ]; then absences=0; else absences=$((absences + 1)); fi
  [ $absences -lt 3 ] || break
  rm -rf -- "$2" 2>/dev/null
  printf '%s' "$folders" | while read -r target; do
    target=$(printf '%b' "$target")
    case $target in
      */worktrees/footlight-base-[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f])
        rm -rf -- "$target"
        rmdir -- "\${target%/*}" ;;
    esac
  done 2>/dev/null
  sleep $wait
done
`

// A line break would begin another command of the script, which undoes this with `printf %b`.
const escapePath = (path: string): string =>
  path.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')

/** On Windows it does nothing: there the job object of the executable ends its children. */
export function createWatchdog(run: string, folder: string): Watchdog {
  const ignore = () => {}
  if (process.platform === 'win32')
    return { guard: ignore, release: ignore, guardSocket: ignore, guardFolder: async () => {} }
  const env = { PATH: `${process.env['PATH'] ?? ''}:/usr/bin:/bin`, ...PS_ENVIRONMENT }
  const [pipe, output] = startDetachedScript(
    WATCHDOG_SCRIPT,
    [run, resolve(folder), String(runMarkOf(run))],
    {
      env,
      hasOutput: true,
    },
  )
  pipe?.unref()
  output?.unref()
  const send = (line: string) => void pipe?.write(`${line}\n`)
  return {
    guard: ({ pid, startTime }, target) =>
      send(`guard ${target === 'group' ? '-' : ''}${pid}:${startTime ?? ''}`),
    release: ({ pid, startTime }) => send(`release ${pid}:${startTime ?? ''}`),
    guardSocket: (path) => send(`socket ${escapePath(path)}`),
    guardFolder: (path) =>
      new Promise((confirm) => {
        send(`folder ${escapePath(path)}`)
        if (!output?.readable) return confirm()
        output.once('data', () => confirm()).once('close', () => confirm())
      }),
  }
}
