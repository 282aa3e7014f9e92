import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { settleWithin } from '../../base/system/settle-within.ts'
import { RUN_TAG_VARIABLE } from './watchdog.ts'

const OUTPUT_LIMIT_BYTES = 100_000

/** The headers that a program of the user prints as JSON for an address, such as ones that are signed and expire. Throws without its output,
 * which may hold keys. One that does not end is ended with what it has started, also after the end of this process, by `runTag`. */
export async function runHeaderCommand(
  program: string,
  address: string,
  timeoutMs: number,
  runTag: string,
): Promise<Readonly<Record<string, string>>> {
  const fail = (reason: string): never => {
    throw new Error(`the program of --endpoint-header-command ${reason}`)
  }
  const child = spawn(program, {
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
    // An argument could be read by others on this machine.
    env: { ...process.env, FOOTLIGHT_ENDPOINT: address, [RUN_TAG_VARIABLE]: runTag },
  })
  const output = await settleWithin(timeoutMs, readOutput(child))
  if (output === undefined) endGroup(child)
  if (output === undefined) return fail(`did not end within ${timeoutMs} ms`)
  if (output instanceof Error) return fail(`failed (${output.message})`)
  return parseHeaders(output) ?? fail('printed no JSON object of texts')
}

function readOutput(child: ChildProcess): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= OUTPUT_LIMIT_BYTES) return void chunks.push(chunk)
      endGroup(child)
      reject(new Error(`more than ${OUTPUT_LIMIT_BYTES} bytes`))
    })
    child.once('error', (error: NodeJS.ErrnoException) => reject(new Error(String(error.code))))
    child.once('close', (code, signal) =>
      code === 0
        ? resolve(Buffer.concat(chunks).toString('utf8'))
        : reject(new Error(String(code ?? signal))),
    )
  })
}

// It has not been reaped, or what it started is still in its group: the number is its own.
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

function parseHeaders(text: string): Readonly<Record<string, string>> | undefined {
  try {
    const headers = JSON.parse(text) as Record<string, string>
    return Object.values(headers).every((value) => typeof value === 'string') ? headers : undefined
  } catch {
    return undefined
  }
}
