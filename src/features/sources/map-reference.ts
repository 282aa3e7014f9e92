// Where the source map of a script is: in a comment at its end, or, for a module that webpack evaluates, in the string of that module.

import { createBoundedMap } from '../../core/base/bounded-collections.ts'
import type { ScriptRequest } from '../../core/sessions/types/sources.ts'

/** A source map in base64 or percent-encoded, or the URL of one. */
export type MapReference =
  { readonly base64: string } | { readonly encoded: string } | { readonly url: string }

/** The source map that a script names, by its last comment; `header` is that of its response. Undefined if there is none or if it has more
 * than `limit` characters. */
export function findMapReference(
  script: string,
  header: string | undefined,
  limit: number,
): MapReference | undefined {
  const start = Math.max(
    script.lastIndexOf('//# sourceMappingURL='),
    script.lastIndexOf('//@ sourceMappingURL='),
  )
  if (start < 0) return header === undefined ? undefined : { url: header }
  const valueStart = start + COMMENT_LENGTH_CHARS
  const end = script.indexOf('\n', valueStart)
  const valueEnd = end < 0 ? script.length : end
  // With code after it, the comment is part of a string in the script.
  if (!isEndOfScript(script.slice(valueEnd))) return undefined
  return valueEnd - valueStart > limit ? undefined : readReference(script.slice(valueStart, valueEnd).trim())
}

/** The source map of a module that webpack evaluates from a string of `bundle`; `url` is the name that the module has in stacks. */
export function findModuleMap(bundle: string, url: string, limit: number): MapReference | undefined {
  const nameStart = bundle.indexOf(`//# sourceURL=${url}\\n`)
  if (nameStart < 0) return undefined
  const start = bundle.lastIndexOf('//# sourceMappingURL=', nameStart)
  if (start < 0) return undefined
  const end = bundle.indexOf('\\n', start)
  // The comment must belong to the same module.
  if (end + 2 !== nameStart || end - start > limit) return undefined
  return readReference(bundle.slice(start + COMMENT_LENGTH_CHARS, end))
}

const COMMENT_LENGTH_CHARS = '//# sourceMappingURL='.length
const REST_LIMIT_CHARS = 500

// What follows the comment of a script: nothing but comments and empty lines.
const isEndOfScript = (rest: string): boolean =>
  rest.length <= REST_LIMIT_CHARS &&
  rest.split('\n').every((line) => /^\s*(\/\/.*|\/?\*\/?|;)?\s*$/.test(line))

function readReference(value: string): MapReference | undefined {
  if (!value.startsWith('data:')) return value === '' ? undefined : { url: value }
  const comma = value.indexOf(',')
  const type = value.slice(0, comma)
  if (comma < 0 || !type.startsWith('data:application/json')) return undefined
  const data = value.slice(comma + 1)
  return type.endsWith(';base64') ? { base64: data } : { encoded: data }
}

export interface ScriptIndex {
  add(request: ScriptRequest): void
  /** The newest request of a URL at a time. */
  find(url: string, at: number): ScriptRequest | undefined
  /** The newest request at a time of each URL whose path ends as the path of a file does, the newest first. */
  findOfFile(file: string, at: number): readonly ScriptRequest[]
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
    findOfFile(file, at) {
      const path = `/${encodeURI(file)}`
      const isOfFile = (url: string) => {
        const own = /^\w+:\/\/[^/]+(\/[^?#]*)/.exec(url)?.[1]
        return own !== undefined && own.length > 1 && (own.endsWith(path) || path.endsWith(own))
      }
      const requests = requestsByUrl
        .keys()
        .filter(isOfFile)
        .flatMap((url) => requestsByUrl.get(url)?.find((request) => request.at <= at) ?? [])
      return requests.toSorted((a, b) => b.seq - a.seq).slice(0, REQUESTS_PER_URL_LIMIT)
    },
    findNewest: (at) => newest.filter((request) => request.at <= at),
  }
}
