import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { captureOutput } from '../../core/devserver/start/run-command.ts'

const VERSION_TIMEOUT_MS = 10_000

/** The version that a browser tells, as in 156.0.8078.4; undefined where it tells none. */
export async function findBrowserVersion(executable: string): Promise<string | undefined> {
  const reportedVersion = process.platform === 'win32' ? undefined : await askVersion(executable)
  return (
    reportedVersion ?? /\d+(\.\d+){2,}/.exec(dirname(executable))?.[0] ?? readIniVersion(dirname(executable))
  )
}

async function askVersion(path: string): Promise<string | undefined> {
  const env = { ...process.env } as Record<string, string>
  const run = { path, args: ['--version'], timeout: VERSION_TIMEOUT_MS, cwd: undefined, env }
  const output = await captureOutput(run, new AbortController().signal)
  return output.ok ? /\d+\.\d[\w.]*/.exec(output.value.text)?.[0] : undefined
}

// Firefox on Windows says it in a file.
function readIniVersion(folder: string): string | undefined {
  try {
    return /^Version=(.+)$/m.exec(readFileSync(join(folder, 'application.ini'), 'utf8'))?.[1]?.trim()
  } catch {
    return undefined
  }
}
