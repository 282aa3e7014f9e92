// Finds the response of a HAR file for a request. The responses to the same request are given in the order of their recording, and the last
// one from then on. Redirects are followed within the file.

import type { HarEntry, HarHeader } from './har-entry.ts'
import type { FindHarResponse, HarRequest, HarResponse } from '../mock/mock.ts'

const REDIRECT_LIMIT = 20

/** `redact` hides the secrets of a URL or a body, as they are hidden in the file. */
export function createHarReplay(
  entries: readonly HarEntry[],
  redact: (text: string) => string,
): FindHarResponse {
  const entriesByKey = new Map<string, HarEntry[]>()
  const readCounts = new Map<string, number>()
  for (const entry of entries) {
    const key = keyOf(entry.request.method, entry.request.url)
    entriesByKey.set(key, [...(entriesByKey.get(key) ?? []), entry])
  }

  function take(request: HarRequest): HarEntry | undefined {
    const { method, url, postData } = request
    const keys = [keyOf(method, url), keyOf(method, redact(url))]
    const candidates = keys.map((key) => entriesByKey.get(key)).find((list) => list !== undefined) ?? []
    const bodies = new Set([postData, redact(postData)])
    const sameBody = candidates.filter((entry) => bodies.has(entry.request.postData?.text ?? ''))
    const matching = sameBody.length > 0 ? sameBody : candidates
    const countKey = `${keys[0]} ${sameBody.length > 0 ? postData : ''}`
    const count = readCounts.get(countKey) ?? 0
    readCounts.set(countKey, count + 1)
    return matching[Math.min(count, matching.length - 1)]
  }

  function find(request: HarRequest, redirectCount: number): HarResponse | undefined {
    const entry = take(request)
    if (!entry) return undefined
    const location = redirectUrlOf(entry)
    if (location === undefined || redirectCount >= REDIRECT_LIMIT) return responseOf(entry)
    const keepsMethod = [307, 308].includes(entry.response.status)
    const method = keepsMethod || request.method === 'HEAD' ? request.method : 'GET'
    const next = { ...request, method, url: location, postData: keepsMethod ? request.postData : '' }
    // The page itself must get another URL, so the browser requests it.
    return request.isNavigation
      ? { ...responseOf(entry), redirectUrl: location }
      : find(next, redirectCount + 1)
  }

  return (request) => find(request, 0)
}

// --- internal ---

const keyOf = (method: string, url: string): string => `${method.toUpperCase()} ${url.split('#', 1)[0] ?? ''}`

const headerOf = (headers: readonly HarHeader[] = [], wantedName: string): string | undefined =>
  headers.find(({ name }) => name.toLowerCase() === wantedName)?.value

function redirectUrlOf({ request, response }: HarEntry): string | undefined {
  if (![301, 302, 303, 307, 308].includes(response.status)) return undefined
  const location = headerOf(response.headers, 'location')
  if (location === undefined || !URL.canParse(location, request.url)) return undefined
  const url = new URL(location, request.url)
  return /^https?:$/.test(url.protocol) ? url.href : undefined
}

function responseOf({ response }: HarEntry): HarResponse {
  const { content = {} } = response
  const headers: Record<string, string> = {}
  for (const { name, value } of response.headers ?? []) {
    const key = name.toLowerCase()
    if (/^(:.*|content-length|content-encoding|transfer-encoding|connection|keep-alive)$/.test(key)) continue
    const separator = key === 'set-cookie' ? '\n' : ', '
    headers[key] = headers[key] === undefined ? value : `${headers[key]}${separator}${value}`
  }
  return {
    status: response.status,
    headers,
    body: content.text ?? '',
    isBase64: content.encoding === 'base64',
  }
}
