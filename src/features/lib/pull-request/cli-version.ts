// The versions of the command lines of GitHub and GitLab on PATH, asked for once a process.

import { execFile } from 'node:child_process'
import process from 'node:process'
import { findOnPath } from '../../../core/devserver/process/spawn-command.ts'

type Cli = 'gh' | 'glab'

const TIMEOUT_MS = 3000
const versions = new Map<Cli, Promise<string | undefined>>()

/** Such as `2.99.0`; undefined where there is none. */
export function readCliVersion(cli: Cli): Promise<string | undefined> {
  const version = versions.get(cli) ?? askVersion(cli)
  versions.set(cli, version)
  return version
}

// --- internal ---

function askVersion(cli: Cli): Promise<string | undefined> {
  return new Promise((resolve) => {
    const env = { ...process.env, GH_NO_UPDATE_NOTIFIER: '1', GLAB_CHECK_UPDATE: 'false' }
    const options = { env, timeout: TIMEOUT_MS, killSignal: 'SIGKILL', windowsHide: true } as const
    const program = findOnPath(cli, env)
    if (program === undefined) return resolve(undefined)
    const child = execFile(program, ['--version'], options, (error, stdout) => {
      process.off('exit', kill)
      resolve(error === null ? /\d+\.\d+(?:\.\d+)?/.exec(stdout)?.[0] : undefined)
    })
    const kill = () => void child.kill('SIGKILL')
    process.once('exit', kill)
  })
}
