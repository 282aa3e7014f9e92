import { dirname, join } from 'node:path'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { captureOutput } from '../../devserver/start/run-command.ts'

const LONGEST = 10_000

/** The version that a browser tells, as in 156.0.8078.4; undefined where it tells none. */
export async function versionOf(executable: string): Promise<string | undefined> {
  const said = process.platform === 'win32' ? undefined : await asked(executable)
  return said ?? /\d+(\.\d+){2,}/.exec(dirname(executable))?.[0] ?? iniVersion(dirname(executable))
}

async function asked(path: string): Promise<string | undefined> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
  const run = { path, args: ['--version'], timeout: LONGEST, cwd: undefined, env }
  const ran = await captureOutput(run, new AbortController().signal)
  return ran.ok ? /\d+\.\d[\w.]*/.exec(ran.value.text)?.[0] : undefined
}

// Firefox on Windows says it in a file.
function iniVersion(folder: string): string | undefined {
  try {
    return /^Version=(.+)$/m.exec(readFileSync(join(folder, 'application.ini'), 'utf8'))?.[1]?.trim()
  } catch {
    return undefined
  }
}
