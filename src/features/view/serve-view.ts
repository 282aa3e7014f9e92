// The listener of the view, on loopback. Only who has its random path and a token that was made for this use gets a cookie, and only with
// the cookie anything of a session; requests for another host or from another origin get nothing.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import * as v from 'valibot'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import type { Clock } from '../../core/base/system/timer.ts'
import { readBody } from '../lib/request-body.ts'
import type { FrameAnswer, FrameRequest, ServedFrame, ViewAnswer } from './in-page/view-answers.ts'
import { createViewedServers, type ViewedServers } from './other-servers.ts'
import { after, session, viewer } from './view-calls.ts'
import { viewPage } from './view-page.ts'
import type { SessionViews } from './viewing.ts'

export interface ViewOptions {
  readonly views: SessionViews
  /** The path of the private socket of this process, once it has one. */
  readonly ownSocket: () => string | undefined
  readonly clock: Clock
  readonly onBug: (error: unknown) => void
}

export interface View {
  readonly port: number
  /** The address of the page, with a token that works once. */
  createAddress(): string
  /** Whether a page has asked for something lately. */
  isInUse(): boolean
  close(): void
}

const HOST = '127.0.0.1'
const SECRET_BYTES = 24
const TOKEN_LIFETIME_MS = 10 * 60_000
/** Of tokens, and of cookies: the oldest goes first. */
const SECRETS_LIMIT = 20
const USE_LIMIT_MS = 15_000
const BODY_LIMIT_BYTES = 500_000
const SOCKETS_LIMIT = 100
const RECEIVE_TIMEOUT_MS = 10_000
const HEADERS_TIMEOUT_MS = 2000

export async function serveView({ views, ownSocket, clock, onBug }: ViewOptions): Promise<View> {
  const secrets = createSecrets(clock)
  const servers = createViewedServers(views, ownSocket)
  const callView = createCallView(servers)
  let [lastUseAt, origin] = [-Infinity, '']
  const limits = {
    maxHeaderSize: 16_384,
    requestTimeout: RECEIVE_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
  }
  const known = new WeakSet<Socket>()
  const listener = createServer(limits, (request, response) => {
    void answer(request, response).catch((error: unknown) => {
      onBug(error)
      response.destroy()
    })
  })
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    const refusal = findRefusal(request, origin)
    if (refusal !== undefined) return refuse(response, refusal)
    const [, path = '', action = '', ...rest] = (request.url ?? '').split('/')
    if (!isSameSecret(path, secrets.path) || rest.length > 0) return refuse(response, 404)
    if (request.method === 'GET')
      return request.url === `/${path}` ? sendPage(response) : refuse(response, 404)
    if (action !== 'enter' && action !== 'api') return refuse(response, 404)
    if (action === 'api' && !secrets.hasCookie(request.headers.cookie)) return refuse(response, 401)
    if (action === 'api') known.add(request.socket)
    const body = await readBody(request, BODY_LIMIT_BYTES)
    if (typeof body === 'string') return refuse(response, body === 'too large' ? 413 : 400)
    if (action === 'enter') {
      const cookie = secrets.enter(body.value)
      if (cookie !== undefined) response.setHeader('Set-Cookie', cookie)
      return refuse(response, cookie === undefined ? 403 : 204)
    }
    lastUseAt = clock()
    const abort = new AbortController()
    response.once('close', () => abort.abort())
    const viewAnswer = await callView(body.value, abort.signal)
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(viewAnswer))
  }
  limitSockets(listener, known)
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(0, HOST, resolve)
  })
  const { port } = listener.address() as AddressInfo
  origin = `http://${HOST}:${port}`
  return {
    port,
    createAddress: () => `${origin}/${secrets.path}#${secrets.createToken()}`,
    isInUse: () => clock() - lastUseAt < USE_LIMIT_MS,
    close() {
      servers.close()
      listener.close()
      listener.closeAllConnections()
    },
  }
}

/** Where there are too many connections, the oldest that has shown no cookie is closed: it may have nothing to say. */
function limitSockets(listener: Server, known: WeakSet<Socket>): void {
  const sockets = new Set<Socket>()
  listener.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    if (sockets.size <= SOCKETS_LIMIT) return
    const [oldest = socket] = [...sockets].filter((one) => !known.has(one))
    sockets.delete(oldest)
    oldest.destroy()
  })
}

const headers = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

const refuse = (response: ServerResponse, status: number): void => void response.writeHead(status).end()

function sendPage(response: ServerResponse): void {
  const { html, policy } = viewPage()
  response.setHeader('Content-Security-Policy', policy)
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  response.end(html)
}

/** The status for a request that no page of the view sends; undefined for others. */
function findRefusal({ method, headers }: IncomingMessage, origin: string): number | undefined {
  if (`http://${headers.host}` !== origin) return 403
  if (method !== 'GET' && method !== 'POST') return 405
  if (method === 'GET' && headers.origin === undefined) return undefined
  if (headers.origin !== origin) return 403
  return method === 'GET' || headers['content-type'] === 'application/json' ? undefined : 415
}

const COOKIE_NAME = 'footlight_view'
const enterBody = v.strictObject({ token: v.pipe(v.string(), v.maxLength(100)) })

/** The path, the tokens and the cookies. */
function createSecrets(clock: Clock) {
  let [tokens, cookies]: [{ text: string; until: number }[], string[]] = [[], []]
  const path = createSecret()
  return {
    path,
    createToken(): string {
      const text = createSecret()
      tokens = [...tokens, { text, until: clock() + TOKEN_LIFETIME_MS }].slice(-SECRETS_LIMIT)
      return text
    },
    /** The cookie for a token, which then works no more. */
    enter(body: unknown): string | undefined {
      if (!v.is(enterBody, body)) return undefined
      tokens = tokens.filter(({ until }) => until > clock())
      const rest = tokens.filter(({ text }) => !isSameSecret(text, body.token))
      if (rest.length === tokens.length) return undefined
      tokens = rest
      const cookie = createSecret()
      cookies = [...cookies, cookie].slice(-SECRETS_LIMIT)
      return `${COOKIE_NAME}=${cookie}; Path=/${path}; HttpOnly; SameSite=Strict`
    },
    hasCookie: (header = ''): boolean =>
      header.split(/; */).some((pair) => {
        const [name, value = ''] = pair.split('=')
        return name === COOKIE_NAME && cookies.some((cookie) => isSameSecret(cookie, value))
      }),
  }
}

const createSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()

const isSameSecret = (a: string, b: string): boolean => timingSafeEqual(digestOf(a), digestOf(b))

const serverCall = v.strictObject({ server: v.string(), method: v.string(), params: v.unknown() })
const listParams = v.strictObject({ viewer })
const framesParams = v.strictObject({
  requests: v.pipe(
    v.array(v.strictObject({ server: v.string(), session, after })),
    v.minLength(1),
    v.maxLength(100),
  ),
})
const UNKNOWN: ViewAnswer = { ok: false, text: 'This call is not known.' }

type CallView = (body: unknown, signal: AbortSignal) => Promise<ViewAnswer>

/** What concerns several servers is answered here, everything else by the server of the session. */
export function createCallView(servers: Pick<ViewedServers, 'list' | 'call'>): CallView {
  return async (body, signal) => {
    if (!v.is(serverCall, body)) return UNKNOWN
    const { server, method, params } = body
    if (server !== '') return servers.call(server, { method, params }, signal)
    if (method === 'list' && v.is(listParams, params))
      return { ok: true, value: await servers.list(params.viewer) }
    if (method === 'frames' && v.is(framesParams, params))
      return { ok: true, value: await waitForFrames(servers, params.requests, signal) }
    return UNKNOWN
  }
}

/** For the pictures of other sessions, once there is one. */
const MORE_FRAMES_TIMEOUT_MS = 50

/** A page asks with one request for the pictures of all the sessions that it shows, because a browser opens few connections to a server. */
async function waitForFrames(
  servers: Pick<ViewedServers, 'call'>,
  requests: readonly FrameRequest[],
  signal: AbortSignal,
): Promise<readonly FrameAnswer[]> {
  const abort = new AbortController()
  signal.addEventListener('abort', () => abort.abort())
  if (signal.aborted) abort.abort()
  const frames: FrameAnswer[] = []
  const waits = requests.map(async ({ server, session, after }) => {
    const message = { method: 'nextFrame', params: { session, after } }
    const answer = await servers.call(server, message, abort.signal)
    if (answer.ok && answer.value) frames.push({ server, session, frame: answer.value as ServedFrame })
  })
  await Promise.race(waits)
  await settleWithin(MORE_FRAMES_TIMEOUT_MS, Promise.all(waits))
  abort.abort()
  return frames
}
