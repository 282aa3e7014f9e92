import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'

const OUTPUT_LIMIT_BYTES = 100_000

/** The headers that a program of the user prints as JSON for an address, such as ones that are signed and expire. Throws without its output,
 * which may hold keys. */
export async function runHeaderCommand(
  program: string,
  address: string,
  timeoutMs: number,
): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await promisify(execFile)(program, {
    timeout: timeoutMs,
    maxBuffer: OUTPUT_LIMIT_BYTES,
    // An argument could be read by others on this machine.
    env: { ...process.env, FOOTLIGHT_ENDPOINT: address },
  }).catch(({ code, killed }: { code?: unknown; killed?: boolean }) => {
    const reason = killed ? `did not end within ${timeoutMs} ms` : `failed (${String(code)})`
    throw new Error(`the program of --endpoint-header-command ${reason}`)
  })
  const headers = parseHeaders(stdout)
  if (!headers) throw new Error('the program of --endpoint-header-command printed no JSON object of texts')
  return headers
}

function parseHeaders(text: string): Readonly<Record<string, string>> | undefined {
  try {
    const headers = JSON.parse(text) as Record<string, string>
    return Object.values(headers).every((value) => typeof value === 'string') ? headers : undefined
  } catch {
    return undefined
  }
}
