// The Chrome of the other side: that of Windows from its Linux subsystem, that of the host from a container.

import { lookup } from 'node:dns/promises'
import { existsSync, readFileSync } from 'node:fs'
import { release } from 'node:os'
import { isRecord, parseJson } from '../../core/base/text/json.ts'

export interface HostBrowser {
  readonly side: 'wsl' | 'container'
  /** The addresses at which it was looked for. */
  readonly addresses: readonly string[]
  /** Where one answers, and what it calls itself. */
  readonly answer?: { readonly url: string; readonly version: string }
}

/** Looks for a Chrome with an open debugging port on the other side; undefined on a machine that has none. */
export async function findHostBrowser(): Promise<HostBrowser | undefined> {
  const side = findSide()
  if (side === undefined) return undefined
  const docker =
    side === 'container' ? await lookup(DOCKER_HOST, { family: 4 }).catch(() => undefined) : undefined
  const candidates = ['127.0.0.1', gatewayOf(readText('/proc/net/route')), docker?.address]
  const addresses = [...new Set(candidates.flatMap((address) => address ?? []))]
  const answers = await Promise.all(addresses.map(ask))
  const answer = answers.find((one) => one !== undefined)
  return { side, addresses, answer }
}

/** The address of the default gateway in `/proc/net/route`, whose numbers are in reverse order. */
export function gatewayOf(routes: string): string | undefined {
  for (const line of routes.split('\n')) {
    const [, destination, gateway = ''] = line.split('\t')
    if (destination !== '00000000' || !/^[\dA-F]{8}$/.test(gateway)) continue
    const bytes = gateway.match(/../g) ?? []
    return bytes
      .toReversed()
      .map((byte) => Number.parseInt(byte, 16))
      .join('.')
  }
  return undefined
}

// --- internal ---

const PORT = 9222
const ASK_TIMEOUT_MS = 700
const VERSION_LIMIT_CHARS = 80
const DOCKER_HOST = 'host.docker.internal'

function findSide(): HostBrowser['side'] | undefined {
  if (/microsoft/i.test(release())) return 'wsl'
  return existsSync('/.dockerenv') || existsSync('/run/.containerenv') ? 'container' : undefined
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** By its number: Chrome refuses requests that name it. */
async function ask(address: string): Promise<HostBrowser['answer']> {
  const url = `http://${address}:${PORT}`
  try {
    const response = await fetch(`${url}/json/version`, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) })
    const data = parseJson(await response.text())
    const version = isRecord(data) ? data['Browser'] : undefined
    return typeof version === 'string' && /^[\w./ -]+$/.test(version)
      ? { url, version: version.slice(0, VERSION_LIMIT_CHARS) }
      : undefined
  } catch {
    return undefined
  }
}
