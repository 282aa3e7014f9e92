// The requests of scripts by URL, so that a position can be attributed to the script that had its URL at that time.

import { createBoundedMap } from '../limits/bounded-map.ts'

/** `seq` is that of the network log, `at` is in Unix milliseconds. */
export interface ScriptRequest {
  readonly seq: number
  readonly url: string
  readonly at: number
}

export interface ScriptIndex {
  add(request: ScriptRequest): void
  /** The newest request of a URL at a time. */
  find(url: string, at: number): ScriptRequest | undefined
  /** The newest requests at a time, the newest first. */
  findNewest(at: number): readonly ScriptRequest[]
}

const URL_LIMIT = 2000
const REQUESTS_PER_URL_LIMIT = 5
const NEWEST_LIMIT = 20

export function createScriptIndex(): ScriptIndex {
  const requestsByUrl = createBoundedMap<string, readonly ScriptRequest[]>(URL_LIMIT)
  let newest: readonly ScriptRequest[] = []
  return {
    add(request) {
      const { url } = request
      requestsByUrl.set(url, [request, ...(requestsByUrl.get(url) ?? [])].slice(0, REQUESTS_PER_URL_LIMIT))
      newest = [request, ...newest].slice(0, NEWEST_LIMIT)
    },
    find: (url, at) => requestsByUrl.get(url)?.find((request) => request.at <= at),
    findNewest: (at) => newest.filter((request) => request.at <= at),
  }
}
