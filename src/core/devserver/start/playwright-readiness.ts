// Whether Playwright's `webServer` would take a URL as ready: by its own rule, which is another one than that of a session.

import type { ReadyUrl } from '../../sessions/types/servers.ts'
import { type ProbeOptions, probeUrl } from './http-probe.ts'

const REDIRECT_LIMIT = 10

/** The first of these URLs at which it would; undefined if there is none. */
export async function findReadyUrl(
  urls: readonly string[],
  options: Omit<ProbeOptions, 'accept' | 'checksCertificate'>,
): Promise<ReadyUrl | undefined> {
  for (const url of urls) {
    if (!(await isReady(url, options))) continue
    const isTrusted =
      !url.startsWith('https:') || (await isReady(url, { ...options, checksCertificate: true }))
    return { url, isTrusted }
  }
  return undefined
}

// --- internal ---

async function isReady(url: string, options: ProbeOptions): Promise<boolean> {
  const status = await followUrl(url, options)
  if (status !== 404 || new URL(url).pathname !== '/') return isReadyStatus(status)
  return isReadyStatus(await followUrl(new URL('/index.html', url).href, options))
}

const isReadyStatus = (status = 0): boolean => status >= 200 && status < 404

async function followUrl(url: string, options: ProbeOptions): Promise<number | undefined> {
  let current = url
  for (let count = 0; count <= REDIRECT_LIMIT; count += 1) {
    const answer = await probeUrl(current, { ...options, accept: '*/*' })
    const { status = 0, location } = answer ?? {}
    if (status < 300 || status >= 400 || location === undefined) return answer?.status
    if (!URL.canParse(location, current)) return undefined
    current = new URL(location, current).href
  }
  return undefined
}
