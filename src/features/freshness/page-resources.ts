// What a page has loaded from the processes of its dev server, and which files of the project that may be: by the address alone, or, where
// folders are served at another address, only together with the content.

import { decodePart } from '../../core/base/redaction/encodings.ts'
import { parseUrl } from '../../core/base/text/parse-url.ts'
import type { NetworkRequest } from '../../core/sessions/journal/network-log.ts'

export interface PageResource {
  /** The number of its request in the network log. */
  readonly seq: number
  readonly url: string
  /** The decoded path of its URL, without the slash in front. */
  readonly path: string
  /** When its request began, in Unix milliseconds. */
  readonly loadedAt: number
  /** Whether it is complete. */
  readonly isDone: boolean
  /** The time in its URL: the server noticed a change of the file, or of what it imports, then. */
  readonly version: number
  readonly isDocument: boolean
  readonly isCode: boolean
  readonly isStored: boolean
}

export interface PageContent {
  /** The newest of each path. */
  readonly resources: readonly PageResource[]
  readonly documentAt: number
  readonly lastLoadAt: number
  readonly isConnected: boolean
  readonly hasErrors: boolean
  /** Whether code that was requested since then has not arrived. */
  isLoading(since: number): boolean
}

// Some module requests are reported without a type.
const CODE_TYPES = new Set(['document', 'script', 'stylesheet', 'other'])
// What a page shows beside code.
const DATA_TYPES = new Set(['fetch', 'xhr', 'image', 'font', 'media', 'manifest', 'texttrack'])
const ERROR_STATUS = 400

/** What a page has loaded: `requests` are those from its document on; `isOwn` tells the URLs of the server. */
export function pageContentOf(
  requests: readonly NetworkRequest[],
  isOwn: (url: string) => boolean,
): PageContent {
  const own = requests.filter(({ url }) => isOwn(url))
  const isCode = ({ type }: NetworkRequest) => CODE_TYPES.has(type)
  const code = own.filter((request) => request.state !== 'failed' && isCode(request))
  const isData = ({ type, method }: NetworkRequest) => DATA_TYPES.has(type) && method === 'GET'
  const loads = own.filter(
    (request) =>
      request.state !== 'failed' &&
      (request.status ?? 0) < ERROR_STATUS &&
      (isCode(request) || isData(request)),
  )
  const newestOf = (times: readonly number[]) => Math.max(0, ...times)
  return {
    resources: newestOfEach(loads.flatMap((load) => resourceOf(load, isCode(load)) ?? [])),
    documentAt: newestOf(code.flatMap(({ isPageLoad, isStored, at }) => (isPageLoad && !isStored ? at : []))),
    lastLoadAt: newestOf(code.map(({ at }) => at)),
    isConnected: requests.some((request) => isOpen(request) && isOwn(request.url.replace(/^ws/, 'http'))),
    hasErrors: own.some(({ state, status = 0 }) => state === 'failed' || status >= 500),
    isLoading: (since) => code.some(({ state, at }) => state === 'pending' && at >= since),
  }
}

/** Whether a resource may be a file: by its address, which is enough if the server serves its folder as it is, or by the end of its address.
 * `pageFolder` is that of the process that serves the pages. Paths are relative to `folder`. */
export function matchFile(
  { path, isDocument }: PageResource,
  file: string,
  { folder, pageFolder }: { readonly folder: string; readonly pageFolder: string },
): 'address' | 'end' | undefined {
  if (path.startsWith('@fs/'))
    return relativeTo(folder, path.slice('@fs'.length)) === file ? 'address' : undefined
  const prefix = pageFolder === '' ? '' : `${pageFolder}/`
  const names = isDocument ? documentNamesOf(path) : [path]
  if (names.some((name) => prefix + name === file)) return 'address'
  const isEnd = names.some((name) => file.endsWith(`/${name}`) || name.endsWith(`/${file}`))
  // An application of one page has its document at each address.
  return isEnd || (isDocument && file === `${prefix}index.html`) ? 'end' : undefined
}

// --- internal ---

// Where frames are not reported the handshake alone is a request.
const isOpen = ({ type, state, framesSent }: NetworkRequest): boolean =>
  (type === 'websocket' && (state === 'pending' || (state === 'done' && framesSent === undefined))) ||
  (type === 'eventsource' && state === 'pending')

const documentNamesOf = (path: string): readonly string[] =>
  path === '' || path.endsWith('/')
    ? ['index.html', 'index.php'].map((name) => path + name)
    : ['', '.html', '/index.html', '/index.php'].map((end) => path + end)

function resourceOf(request: NetworkRequest, isCode: boolean): PageResource | undefined {
  const { seq, url, type, at, state, isStored = false } = request
  const parsedUrl = parseUrl(url)
  // A script of the document is in its file.
  if (!parsedUrl || parsedUrl.searchParams.has('html-proxy')) return undefined
  const version = Number(parsedUrl.searchParams.get('t') ?? 0)
  return {
    ...{ seq, url, isCode, isStored, loadedAt: at },
    // Nuxt serves its source folder below this path.
    path: decodePart(parsedUrl.pathname)
      .slice(1)
      .replace(/^_nuxt\//, ''),
    isDone: state === 'done',
    version: Number.isFinite(version) ? version : 0,
    isDocument: type === 'document',
  }
}

/** The path of a file relative to a folder. Both are absolute. */
function relativeTo(folder: string, path: string): string {
  const [from, to] = [folder.split('/'), path.split('/')]
  const shared = from.findIndex((name, index) => name !== to[index])
  const common = shared < 0 ? from.length : shared
  return [...from.slice(common).map(() => '..'), ...to.slice(common)].join('/')
}

// One file may be loaded in parts, and again after changes; as data it is not what runs.
function newestOfEach(resources: readonly PageResource[]): readonly PageResource[] {
  const newest = new Map<string, PageResource>()
  for (const resource of resources) {
    const key = `${parseUrl(resource.url)?.origin}/${resource.path}`
    const known = newest.get(key)
    if (known?.isCode && !resource.isCode) continue
    newest.set(key, { ...resource, version: Math.max(known?.version ?? 0, resource.version) })
  }
  return [...newest.values()]
}
