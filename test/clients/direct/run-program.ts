import { spawn } from 'node:child_process'
import { newerNode, type Stage } from '../stage.ts'

const PROCESS_TIMEOUT_MS = 60_000

export interface Ending {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a script with Node in the project of the client, while the servers of this process go on. */
export function runProgram(
  { env, project }: Stage,
  script: string,
  args: readonly string[],
): Promise<Ending> {
  return new Promise((resolve, reject) => {
    const child = spawn(newerNode(), [script, ...args], {
      cwd: project,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: PROCESS_TIMEOUT_MS,
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk) => (stdout += String(chunk)))
    child.stderr.on('data', (chunk) => (stderr += String(chunk)))
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, stdout, stderr }))
  })
}
