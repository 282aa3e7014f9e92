// The source files that a page was loaded from, found in the URLs of its requests: dev servers without bundles serve them at their path.

import { decodePart } from '../../core/base/redaction/encodings.ts'
import { parseUrl } from '../../core/base/text/parse-url.ts'
import type { NetworkRequest, WebSocketFrame } from '../../core/sessions/journal/network-log.ts'

export interface PageFile {
  /** The number of its request in the network log. */
  readonly seq: number
  /** Where the file may be, relative to the folder of the dev server; the most probable path first. */
  readonly paths: readonly string[]
  /** When the request for it began, in Unix milliseconds. */
  readonly loadedAt: number
  /** When it was complete; undefined while it is not. */
  readonly doneAt: number | undefined
  /** The time stamp in its URL: the dev server noticed a change of it at that time. */
  readonly version?: number
  readonly isDocument: boolean
  /** Whether it may be older than its request: a service worker answered, or the server said that nothing has changed. */
  readonly isStored?: boolean
  /** Whether the server had nothing at this address. */
  readonly isMissing?: boolean
  /** How what the page received compares with the file: its present content, an earlier one, or neither; undefined if that is unknown. */
  readonly received?: 'same' | 'earlier' | 'other'
}

export interface PageContent {
  readonly files: readonly PageFile[]
  /** When requests that change data began and ended, in Unix milliseconds. */
  readonly writes: readonly { readonly from: number; readonly to: number }[]
  /** Whether the page has a connection over which it may learn of changes. */
  readonly isConnected: boolean
  /** Whether a WebSocket to the server is open, over which it announces changes. */
  readonly hasOpenSocket: boolean
  /** Whether Vite serves it, which caches what it transformed until it notices a change. */
  readonly hasVersions: boolean
  /** When the last document, script, stylesheet or update was requested, or came over a WebSocket, in Unix milliseconds; 0 if none was. */
  readonly lastLoadAt: number
  /** The same without WebSockets. */
  readonly lastCodeAt: number
  /** The same for the document alone. */
  readonly lastDocumentAt: number
  /** The same for all that the server itself was asked for and answered. */
  readonly lastAnswerAt: number
  /** Whether the server has answered a request of the page with an error, or not at all. */
  readonly hasErrors: boolean
}

/** The absolute path of the folder of a dev server, and that of the process that serves the pages, relative to it. */
interface ServerFolders {
  readonly folder: string
  readonly pageFolder: string
}

// Some module requests are reported without a type.
const CODE_TYPES = new Set(['document', 'script', 'stylesheet', 'other'])
const UPDATE_PATTERN = /[.]hot-update[.]|[?&]_rsc=|__data[.]json/
// Folders that dev servers serve as their root.
const ROOTS = ['', 'public/', 'static/', 'src/', 'app/']
// Others serve these. What lies there is a file of the page only if it is what the page received: elsewhere they are built, and not served.
const OTHER_ROOTS = [
  'dist/',
  'build/',
  'out/',
  '_site/',
  'www/',
  'web/',
  'site/',
  'client/',
  'html/',
  'docs/',
]
// What a page shows beside code.
const DATA_TYPES = new Set(['fetch', 'xhr', 'image', 'font', 'media', 'manifest', 'texttrack'])
const ERROR_STATUS = 400
const WRITE_LIMIT_MS = 10_000
// Below these paths are packages and the dev server's own modules.
const FOREIGN_PATTERN = /^\/(@id|@vite|@react-refresh|__vite|__nuxt|_next|webpack)|\/node_modules\//

/** The first of the paths of a file that is one of these, and is known to be what the page received where others would be guessed. */
export function findPath(
  { paths, received }: PageFile,
  pageFolder: string,
  has: (path: string) => boolean,
): string | undefined {
  const path = paths.find(has)
  const below = pageFolder === '' ? path : path?.slice(pageFolder.length + 1)
  const isGuessed = OTHER_ROOTS.some((root) => below?.startsWith(root))
  return isGuessed && received !== 'same' && received !== 'earlier' ? undefined : path
}

/** What a page of `origin` has loaded: `requests` are those from its document on, `frames` the last ones of its WebSockets. */
export function pageContentOf(
  requests: readonly NetworkRequest[],
  frames: readonly WebSocketFrame[],
  origin: string,
  { folder, pageFolder }: ServerFolders,
): PageContent {
  const own = requests.filter(({ url }) => url.startsWith(`${origin}/`))
  const loads = own.filter(({ state }) => state !== 'failed')
  const fileLoads = loads.filter((load) => CODE_TYPES.has(load.type) || isData(load))
  const updates = loads.filter(
    ({ url, type, isStored }) => !isStored && (CODE_TYPES.has(type) || UPDATE_PATTERN.test(url)),
  )
  const answers = loads.filter(({ isStored, status }) => !isStored && status !== undefined)
  return {
    files: newestOf(fileLoads.flatMap((load) => fileOf(load, { folder, pageFolder }) ?? [])),
    writes: own.flatMap(({ method, at, duration = WRITE_LIMIT_MS }) =>
      method === 'GET' || method === 'HEAD'
        ? []
        : [{ from: at, to: at + Math.min(duration, WRITE_LIMIT_MS) }],
    ),
    hasOpenSocket: requests.some((request) => isOpenSocketOf(origin, request)),
    isConnected: requests.some(
      (request) => isOpenSocket(request) || (request.type === 'eventsource' && request.state === 'pending'),
    ),
    lastCodeAt: Math.max(0, ...updates.map(({ at }) => at)),
    lastAnswerAt: Math.max(0, ...answers.map(({ at }) => at)),
    hasVersions: loads.some(({ url }) => VITE_PATTERN.test(url.slice(origin.length))),
    hasErrors: own.some(({ state, status = 0 }) => state === 'failed' || status >= 500),
    lastDocumentAt: Math.max(0, ...loads.filter(({ type }) => type === 'document').map(({ at }) => at)),
    lastLoadAt: Math.max(0, ...updates.map(({ at }) => at), ...frames.map(({ at }) => at)),
  }
}

// --- internal ---

// What it was asked for was not there: an icon that no page names.
const isData = ({ type, method, status = 0 }: NetworkRequest): boolean =>
  DATA_TYPES.has(type) && method === 'GET' && status < ERROR_STATUS

// Where frames are not reported the handshake alone is a request.
const isOpenSocket = ({ type, state, framesSent }: NetworkRequest): boolean =>
  type === 'websocket' && (state === 'pending' || (state === 'done' && framesSent === undefined))

const isOpenSocketOf = (origin: string, request: NetworkRequest): boolean =>
  isOpenSocket(request) && request.url.startsWith(`${origin.replace(/^http/, 'ws')}/`)

// Without its client too it serves modules from a cache.
const VITE_PATTERN = /^\/(@vite\/|@fs\/|@id\/|node_modules\/\.vite\/)/

function fileOf(
  { seq, url, type, at, duration, isStored, status = 0 }: NetworkRequest,
  folders: ServerFolders,
): PageFile | undefined {
  const parsedUrl = parseUrl(url)
  if (!parsedUrl) return undefined
  const { pathname, searchParams } = parsedUrl
  // A script of the document is in its file.
  if (FOREIGN_PATTERN.test(pathname) || searchParams.has('html-proxy')) return undefined
  const paths = pathsOf(decodePart(pathname).replace(/^\/_nuxt\//, '/'), type === 'document', folders)
  const version = Number(searchParams.get('t') ?? Number.NaN)
  return {
    seq,
    paths,
    loadedAt: at,
    doneAt: duration === undefined ? undefined : at + duration,
    isDocument: type === 'document',
    ...(version > 1e12 && { version }),
    ...(isStored && { isStored }),
    ...(status >= ERROR_STATUS && { isMissing: true }),
  }
}

function pathsOf(path: string, isDocument: boolean, { folder, pageFolder }: ServerFolders): string[] {
  const prefix = pageFolder === '' ? '' : `${pageFolder}/`
  if (path.startsWith('/@fs/')) {
    return [relativeTo(folder, path.slice('/@fs'.length))]
  }
  const relativePath = path.slice(1)
  const roots = [...ROOTS, ...OTHER_ROOTS].map((root) => prefix + root)
  if (!isDocument) return roots.map((root) => root + relativePath)
  const names =
    relativePath === '' || relativePath.endsWith('/')
      ? ['index.html', 'index.php']
      : ['', '.html', '/index.html', '/index.php']
  return roots.flatMap((root) => names.map((name) => root + relativePath + name))
}

/** The path of a file relative to a folder. Both are absolute. */
function relativeTo(folder: string, path: string): string {
  const [from, to] = [folder.split('/'), path.split('/')]
  const shared = from.findIndex((name, index) => name !== to[index])
  const common = shared < 0 ? from.length : shared
  return [...from.slice(common).map(() => '..'), ...to.slice(common)].join('/')
}

// One file may be loaded in parts and again after changes.
function newestOf(files: readonly PageFile[]): readonly PageFile[] {
  const newest = new Map<string, PageFile>()
  for (const file of files) {
    const [key] = file.paths
    if (key === undefined) continue
    const known = newest.get(key)
    const version = Math.max(known?.version ?? 0, file.version ?? 0)
    newest.set(key, { ...file, ...(version > 0 && { version }) })
  }
  return [...newest.values()]
}
