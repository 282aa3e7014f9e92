// The servers of the user that one view shows: its own, which is called directly, and the others, each over one connection to its private
// socket that stays open while somebody looks.

import { connect } from 'node:net'
import { basename } from 'node:path'
import { formatJsonLine, readJsonLines } from '../../core/base/system/json-lines.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { startTimer, type Timer } from '../../core/base/system/timer.ts'
import { isRecord } from '../../core/base/text/json.ts'
import { VERSION } from '../../core/cli/options/version.ts'
import { helloOf, VIEW_METHOD } from '../lib/socket/shell-message.ts'
import { listAllSockets, openSocketFolder } from '../lib/socket/socket-folder.ts'
import type { ServedSession, ViewAnswer } from './in-page/view-answers.ts'
import { answerViewCall } from './view-calls.ts'
import type { SessionViews } from './viewing.ts'

type AskServer = (message: object, signal: AbortSignal) => Promise<ViewAnswer>

export interface ViewedServers {
  list(viewer: string): Promise<readonly ServedSession[]>
  call(server: string, message: object, signal: AbortSignal): Promise<ViewAnswer>
  close(): void
}

interface ViewedServer {
  readonly ask: AskServer
  /** What it listed last; shown while it is too busy to answer. */
  sessions: readonly ServedSession[]
  close(): void
}

const OWN = 'own'
const LIST_TIMEOUT_MS = 1000
/** Longer than the time after which a viewer is gone. */
const IDLE_LIMIT_MS = 15_000
/** More than the pictures of a page. */
const ANSWER_LIMIT_BYTES = 32_000_000
const NO_SERVER: ViewAnswer = { ok: false, text: 'The server of this session has ended.' }

/** `ownSocket` is the path of the socket of this process, once it has one. */
export function createViewedServers(views: SessionViews, ownSocket: () => string | undefined): ViewedServers {
  const servers = new Map<string, ViewedServer>()
  const own: AskServer = (message, signal) => answerViewCall(views, message, signal)
  servers.set(OWN, { ask: own, sessions: [], close: () => {} })
  let idleTimer: Timer | undefined
  const close = () => {
    idleTimer?.stop()
    for (const server of servers.values()) server.close()
  }
  function connectToNew(): void {
    const folder = openSocketFolder()
    for (const path of typeof folder === 'string' ? [] : listAllSockets(folder.folder)) {
      const name = basename(path)
      if (path === ownSocket() || servers.has(name)) continue
      const server = connectToServer(path, () => servers.delete(name))
      servers.set(name, server)
    }
  }
  return {
    async list(viewer) {
      idleTimer?.stop()
      idleTimer = startTimer(IDLE_LIMIT_MS, close)
      connectToNew()
      await Promise.all(
        [...servers].map(async ([name, server]) => {
          const abort = new AbortController()
          const listing = listSessions(server.ask, name, viewer, abort.signal)
          const list = await settleWithin(LIST_TIMEOUT_MS, listing)
          abort.abort()
          if (Array.isArray(list)) server.sessions = list
        }),
      )
      return [...servers.values()].flatMap(({ sessions }) => sessions)
    },
    call: async (server, message, signal) => servers.get(server)?.ask(message, signal) ?? NO_SERVER,
    close,
  }
}

/** The sessions of this process alone. */
export const listOwnSessions = (views: SessionViews, viewer: string): Promise<readonly ServedSession[]> =>
  listSessions(
    (message, signal) => answerViewCall(views, message, signal),
    OWN,
    viewer,
    new AbortController().signal,
  )

// --- internal ---

async function listSessions(
  ask: AskServer,
  server: string,
  viewer: string,
  signal: AbortSignal,
): Promise<ServedSession[]> {
  const answer = await ask({ method: 'list', params: { viewer } }, signal)
  const sessions = answer.ok ? (answer.value as Omit<ServedSession, 'server'>[]) : []
  return sessions.map((session) => ({ ...session, server }))
}

function connectToServer(path: string, onClose: () => void): ViewedServer {
  const pending = new Map<number, (answer: ViewAnswer) => void>()
  let lastId = 0
  const socket = connect(path)
  const send = (message: object) => void socket.write(formatJsonLine({ jsonrpc: '2.0', ...message }))
  const settle = (id: number, answer: ViewAnswer) => {
    pending.get(id)?.(answer)
    return pending.delete(id)
  }
  readJsonLines(socket, { bytes: ANSWER_LIMIT_BYTES }, (line) => {
    const message = 'value' in line ? line.value : undefined
    // It is not known which question it would answer.
    if (!isRecord(message)) return void socket.destroy()
    // A server of an older version answers with an error.
    settle(Number(message['id']), (message['result'] as ViewAnswer | undefined) ?? NO_SERVER)
  })
  socket.on('error', () => {})
  socket.once('close', () => {
    onClose()
    for (const id of [...pending.keys()]) settle(id, NO_SERVER)
  })
  socket.write(helloOf(VERSION))
  return {
    sessions: [],
    close: () => socket.destroy(),
    async ask(params, signal) {
      if (signal.aborted) return NO_SERVER
      const id = (lastId += 1)
      send({ id, method: VIEW_METHOD, params })
      signal.addEventListener('abort', () => {
        if (settle(id, NO_SERVER)) send({ method: 'notifications/cancelled', params: { requestId: id } })
      })
      return new Promise((resolve) => void pending.set(id, resolve))
    },
  }
}
