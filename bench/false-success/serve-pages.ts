// The server of the pages. Each run of a page has a folder of its own, so that links of the page stay in it, and a socket by which the page
// sends its record, and is told to go on.

import type { ServerWebSocket } from 'bun'
import type { PageRecord } from './judge.ts'
import type { Page } from './page.ts'

interface Run {
  readonly url: string
  /** Resolves once a document of the page has loaded, or after a while. */
  loaded(): Promise<void>
  /** Lets the page do what happens between the snapshot and the action. */
  goOn(needsLoad: boolean): Promise<void>
  /** What the page has recorded so far. */
  read(): Promise<PageRecord>
}

export interface PageServer {
  open(page: Page): Run
  stop(): void
}

const REPLY_TIMEOUT_MS = 2000
const LOAD_TIMEOUT_MS = 10_000

interface RunState {
  readonly page: Page
  readonly done: string[]
  readonly sockets: Set<Socket>
  onMessage: (message: string) => void
  loadCount: number
}
type Socket = ServerWebSocket<{ readonly run: string; readonly isTop: boolean }>

export function servePages(): PageServer {
  const runs = new Map<string, RunState>()
  const server = Bun.serve<{ run: string; isTop: boolean }>({
    port: 0,
    idleTimeout: 60,
    async fetch(request, own) {
      const { pathname, searchParams } = new URL(request.url)
      const [, run = '', path = ''] = /^\/(\d+)\/(.*)$/.exec(pathname) ?? []
      const state = runs.get(run)
      if (!state) return new Response('', { status: 404 })
      if (path.startsWith('socket')) {
        const data = { run, isTop: path === 'socket-top' }
        return own.upgrade(request, { data }) ? undefined : new Response('', { status: 400 })
      }
      await Bun.sleep(Number(searchParams.get('ms') ?? 0))
      return answerPath(path, searchParams, state)
    },
    websocket: {
      open: (socket) => void runs.get(socket.data.run)?.sockets.add(socket),
      close: (socket) => void runs.get(socket.data.run)?.sockets.delete(socket),
      message(socket, message) {
        const state = runs.get(socket.data.run)
        if (state) receive(state, String(message))
      },
    },
  })
  return {
    open(page) {
      const name = `${runs.size + 1}`
      const state: RunState = { page, done: [], sockets: new Set(), onMessage: () => {}, loadCount: 0 }
      runs.set(name, state)
      return createRun(state, `http://127.0.0.1:${server.port}/${name}/`)
    },
    stop: () => void server.stop(true),
  }
}

// --- internal ---

function createRun(state: RunState, url: string): Run {
  const waitFor = (isIt: (message: string) => boolean, limitMs: number) =>
    new Promise<string | undefined>((resolve) => {
      const timer = setTimeout(() => resolve(undefined), limitMs)
      state.onMessage = (message) => {
        if (!isIt(message)) return
        clearTimeout(timer)
        resolve(message)
      }
    })
  const ask = (question: string) => {
    for (const socket of state.sockets) if (socket.data.isTop) socket.send(question)
  }
  return {
    url,
    async loaded() {
      if (state.loadCount === 0) await waitFor((message) => message === 'loaded', LOAD_TIMEOUT_MS)
    },
    async goOn(needsLoad) {
      const end = waitFor((message) => message === (needsLoad ? 'loaded' : 'went'), LOAD_TIMEOUT_MS)
      ask('go')
      await end
    },
    async read() {
      const reply = waitFor((message) => message.startsWith('is '), REPLY_TIMEOUT_MS)
      ask('end')
      return { done: [...state.done], final: (await reply)?.slice('is '.length) ?? '' }
    },
  }
}

function receive(state: RunState, message: string): void {
  if (message.startsWith('did ')) state.done.push(message.slice('did '.length))
  if (message.startsWith('undo ')) {
    const index = state.done.lastIndexOf(message.slice('undo '.length))
    if (index >= 0) state.done.splice(index, 1)
  }
  if (message === 'loaded') state.loadCount += 1
  state.onMessage(message)
}

const html = (body: string, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(
    `<!doctype html><meta charset="utf-8"><title>${/<h1>(.*?)<\/h1>/.exec(body)?.[1] ?? 'Page'}</title><script>${SCRIPT}</script>${body}<p id="out" role="status"></p>`,
    { status, headers: { 'content-type': 'text/html; charset=utf-8', ...headers } },
  )

/** `body`: a document with this body; `answer`: a text; `code`: a script. Each with `ms` and `status`. The rest is the page. */
function answerPath(path: string, search: URLSearchParams, { page }: RunState): Response {
  const status = Number(search.get('status') ?? 200)
  if (path === 'document') return html(search.get('body') ?? '', status)
  if (path === 'moved')
    return new Response('', { status: 302, headers: { location: search.get('to') ?? '' } })
  if (path === 'code')
    return new Response(search.get('text'), { headers: { 'content-type': 'text/javascript' } })
  if (path === 'answer') return new Response(status === 204 ? null : (search.get('text') ?? '{}'), { status })
  return path === '' ? html(page.body) : new Response('', { status: 404 })
}

const SCRIPT = `
const isTop = top === window || !!window.opener
const socket = new WebSocket(location.href.replace(/^http/, 'ws').replace(/(\\/\\d+\\/).*/, '$1socket' + (isTop ? '-top' : '')))
const send = (text) => socket.readyState ? socket.send(text) : socket.addEventListener('open', () => socket.send(text))
const show = (text) => document.getElementById('out').textContent = text
const did = (text) => { send('did ' + text); show(text) }
const undo = (text) => { send('undo ' + text); show('Not saved') }
const wait = (ms) => new Promise((done) => setTimeout(done, ms))
socket.onmessage = ({ data }) => {
  if (data === 'end') return send('is ' + (window.final ? final() : ''))
  if (window.between) between()
  send('went')
}
if (isTop) addEventListener('load', () => send('loaded'))
`
