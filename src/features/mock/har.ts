// Finds the response of a HAR file for a request. The responses to the same request are given in the order of their recording, and the last
// one from then on. Redirects are followed within the file.

import { groupBy } from '../../core/base/group-by.ts'
import type { Redactor } from '../../core/base/redaction/redactor.ts'
import type { HarRequest, HarResponse } from './mock-rule.ts'

/** A request as it was sent, and as it is written in a file, without its secrets. */
export interface HarQuestion {
  readonly method: string
  readonly urls: readonly [string, string]
  readonly bodies: readonly [string, string]
}

/** Where an entry leads: to a response, or to another request by its redirect. */
type HarStep = { readonly response: HarResponse } | { readonly next: HarRequest }

/** Returns a function that takes the next entry for a request. */
export function createHarIndex(
  entries: readonly HarEntry[],
): (question: HarQuestion) => HarEntry | undefined {
  const entriesByUrl = groupBy(entries, ({ request }) => urlKeyOf(request.method, request.url))
  const entriesByBody = groupBy(entries, ({ request }) =>
    bodyKeyOf(request.method, request.url, request.postData?.text ?? ''),
  )
  const readCounts = new Map<string, number>()
  return ({ method, urls, bodies }) => {
    const url = urls.find((candidate) => entriesByUrl.has(urlKeyOf(method, candidate)))
    if (url === undefined) return undefined
    // A question copies no long list: a page asks thousands of them.
    const sameBody = [...new Set(bodies)].flatMap((body) => {
      const group = entriesByBody.get(bodyKeyOf(method, url, body))
      return group ? [group] : []
    })
    const [first = [], ...others] = sameBody
    const hasBody = sameBody.length > 0
    const matching = hasBody
      ? others.length > 0
        ? sameBody.flat()
        : first
      : (entriesByUrl.get(urlKeyOf(method, url)) ?? [])
    const countKey = bodyKeyOf(method, urls[0], hasBody ? bodies[0] : '')
    const count = readCounts.get(countKey) ?? 0
    readCounts.set(countKey, count + 1)
    return matching[Math.min(count, matching.length - 1)]
  }
}

/** Where the entry for a request leads, after `redirectCount` others. */
export function followEntry(entry: HarEntry, request: HarRequest, redirectCount: number): HarStep {
  const response = responseOf(entry)
  const location = redirectUrlOf(entry)
  if (location === undefined || redirectCount >= REDIRECT_LIMIT) return { response }
  // The page itself must get another URL, so the browser requests it.
  if (request.isNavigation) return { response: { ...response, redirectUrl: location } }
  const keepsMethod = [307, 308].includes(entry.response.status)
  const method = keepsMethod || request.method === 'HEAD' ? request.method : 'GET'
  return { next: { ...request, method, url: location, postData: keepsMethod ? request.postData : '' } }
}

const REDIRECT_LIMIT = 20

const urlKeyOf = (method: string, url: string): string =>
  `${method.toUpperCase()} ${url.split('#', 1)[0] ?? ''}`

const bodyKeyOf = (method: string, url: string, body: string): string => `${urlKeyOf(method, url)} ${body}`

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

// The parts of a HAR file (HTTP Archive 1.2) that are used here.
interface HarHeader {
  readonly name: string
  readonly value: string
}

interface HarContent {
  readonly mimeType?: string | undefined
  readonly text?: string | undefined
  readonly encoding?: string | undefined
}

export interface HarEntry {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers?: readonly HarHeader[] | undefined
    readonly postData?: { readonly text?: string | undefined } | undefined
  }
  readonly response: {
    readonly status: number
    readonly headers?: readonly HarHeader[] | undefined
    readonly content?: HarContent | undefined
  }
}

export interface HarLog {
  readonly log: { readonly entries: readonly HarEntry[] }
}

type HarRedactor = Pick<Redactor, 'redactData' | 'redactBase64' | 'containsDeclared'>

/** A HAR with all its texts redacted. Bodies of scripts, style sheets, images and fonts stay as they are unless they contain a value that
 * the user declared as a secret: a page does not run with a script that was changed. */
export function redactHar({ log, ...rest }: HarLog, redactor: HarRedactor): HarLog {
  const { entries, ...otherFields } = log
  return {
    ...redactor.redactData(rest),
    log: {
      ...redactor.redactData(otherFields),
      entries: entries.map((entry) => redactEntry(entry, redactor)),
    },
  }
}

const CODE_TYPES = /javascript|ecmascript|text\/css|wasm|^image\/(?!svg)|^font\/|font-woff|^audio\/|^video\//

function redactEntry({ request, response, ...rest }: HarEntry, redactor: HarRedactor): HarEntry {
  const { postData, ...otherRequestFields } = request
  const { text: body = '', ...otherPostFields } = postData ?? {}
  const { content, ...otherResponseFields } = response
  const { redactData } = redactor
  return {
    ...redactData(rest),
    request: {
      ...redactData(otherRequestFields),
      // They repeat parts of the URL and of the headers.
      ...{ cookies: [], queryString: [] },
      ...(postData && {
        postData: { ...redactData(otherPostFields), ...{ params: [] }, text: redactData({ body }).body },
      }),
    },
    response: {
      ...redactData(otherResponseFields),
      ...{ cookies: [] },
      content: content && redactContent(content, redactor),
    },
  }
}

function redactContent(
  content: HarContent,
  { redactData, redactBase64, containsDeclared }: HarRedactor,
): HarContent {
  const { text, ...rest } = content
  const isCode = CODE_TYPES.test(content.mimeType ?? '') && !containsDeclared(text ?? '')
  const redactBody = (body: string) =>
    content.encoding === 'base64' ? redactBase64(body) : redactData({ body }).body
  return { ...redactData(rest), ...(text !== undefined && { text: isCode ? text : redactBody(text) }) }
}
