// The process that holds the only connection to the user's own browser. It outlives Footlight for a moment: when Footlight ends, however
// that happens, its pipe closes and the relay closes the tabs that it has opened.

import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { Readable, Writable } from 'node:stream'
import { WebSocket } from 'ws'
import { createDeferred, settleWithin } from '../../core/base/system/settle-within.ts'
import {
  formatRelayLine,
  type ProtocolMessage,
  readRelayLines,
  RELAY_COMMAND,
  RELAY_LINE_LIMIT_BYTES,
  type RelayLine,
  type RelayStart,
  type TargetInfo,
} from './relay-lines.ts'
import {
  formatChange,
  formatRecordName,
  openingUrlOf,
  parseRecordName,
  type RecordName,
  selectLeftTargets,
} from './target-records.ts'
import { createTargetRelay, type TargetRelay } from './target-relay.ts'

/** A page that hangs is closed by the browser after some seconds. */
const CLOSE_TIMEOUT_MS = 10_000

/** Runs until the input ends and the tabs are closed, or until the browser ends. */
export async function runRelay(input: Readable, output: Writable): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  output.on('error', () => {})
  const inputEnd = createDeferred()
  const start = createDeferred<RelayStart | undefined>()
  let onLine = (line: RelayLine): void => start.resolve(line.data as RelayStart)
  readRelayLines(input, (line) => onLine(line))
  for (const event of ['end', 'close', 'error'])
    input.once(event, () => {
      start.resolve(undefined)
      inputEnd.resolve()
    })
  const request = await start.promise
  if (!request) return
  const socket = await connectToFirst(request, inputEnd.promise)
  if (typeof socket === 'string') return void output.write(formatRelayLine('failed', '-', socket))
  const record = createRecordFile(request.folder)
  const clientClosings = new Map<string, () => void>()
  const relay = createTargetRelay({
    openingUrl: record.openingUrl,
    endpoint: socket.url,
    sendToBrowser: (message) => socket.send(JSON.stringify(message)),
    sendToClient: (client, message) => void output.write(formatRelayLine('message', client, message)),
    onTarget: record.add,
    onClientClosed(client) {
      output.write(formatRelayLine('closed', client))
      clientClosings.get(client)?.()
    },
  })
  const socketEnd = createDeferred()
  socket.on('close', () => socketEnd.resolve())
  socket.on('message', (data) => relay.handleBrowserMessage(JSON.parse(String(data)) as ProtocolMessage))
  onLine = ({ kind, client, data }) => {
    if (kind === 'close') relay.closeClient(client)
    else relay.handleCommand(client, data as ProtocolMessage)
  }
  await relay.request('Target.setDiscoverTargets', { discover: true })
  await closeLeftTargets(relay, request.folder)
  output.write(formatRelayLine('ready'))
  await Promise.race([inputEnd.promise, socketEnd.promise])
  const isClosed = await settleWithin(
    CLOSE_TIMEOUT_MS,
    Promise.race([closeClients(relay, clientClosings), socketEnd.promise]),
  )
  if (isClosed !== undefined && relay.clients().length === 0) record.remove()
  socket.close()
}

// --- internal ---

async function closeClients(relay: TargetRelay, closings: Map<string, () => void>): Promise<true> {
  await Promise.all(
    relay.clients().map((client) => {
      const closing = createDeferred()
      closings.set(client, closing.resolve)
      relay.closeClient(client)
      return closing.promise
    }),
  )
  return true
}

// Closes the tabs that killed relays have left.
async function closeLeftTargets(relay: TargetRelay, folder: string): Promise<void> {
  const records = findLeftRecords(folder)
  if (records.length === 0) return
  const { result } = await relay.request('Target.getTargets', {})
  const targets = (result?.['targetInfos'] ?? []) as readonly TargetInfo[]
  for (const record of records) {
    const left = selectLeftTargets(targets, record.text, record.tag)
    await Promise.all(left.map((targetId) => relay.request('Target.closeTarget', { targetId })))
    if (left.length > 0) removeRecord(record)
  }
}

/** The connection to the first browser that accepts one, or why none does. */
async function connectToFirst(
  { endpoints, timeoutMs }: RelayStart,
  inputEnd: Promise<void>,
): Promise<WebSocket | string> {
  let reason = 'no browser was found'
  for (const endpoint of endpoints) {
    const socket = await connect(endpoint, timeoutMs, inputEnd)
    if (typeof socket !== 'string') return socket
    reason = socket
  }
  return reason
}

async function connect(
  endpoint: string,
  timeoutMs: number,
  inputEnd: Promise<void>,
): Promise<WebSocket | string> {
  const url = await findSocketUrl(endpoint, timeoutMs)
  if (url instanceof Error) return url.message
  const socket = new WebSocket(url, { maxPayload: RELAY_LINE_LIMIT_BYTES, perMessageDeflate: false })
  const opening = createDeferred<true | string>()
  socket.once('open', () => opening.resolve(true))
  socket.on('error', (error) => opening.resolve(error.message))
  // Chrome asks its user first, and answers when the user has decided.
  const result = await settleWithin(timeoutMs, Promise.race([opening.promise, inputEnd]))
  if (result === true) return socket
  socket.terminate()
  return typeof result === 'string' ? result : `no answer within ${timeoutMs} ms`
}

// An HTTP address has the address of the connection at /json/version.
async function findSocketUrl(endpoint: string, timeoutMs: number): Promise<string | Error> {
  if (/^wss?:/.test(endpoint)) return endpoint
  const read = async () => {
    const url = new URL('json/version', endpoint.endsWith('/') ? endpoint : `${endpoint}/`)
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
    const { webSocketDebuggerUrl } = (await response.json()) as { webSocketDebuggerUrl?: string }
    if (webSocketDebuggerUrl === undefined) throw new Error(`${url} has no webSocketDebuggerUrl`)
    return webSocketDebuggerUrl
  }
  return read().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
}

// The records of the tabs that relays have opened, one file per relay, in a folder of the user.
/** The record of a relay that has ended without closing its tabs. */
interface LeftRecord extends RecordName {
  readonly path: string
  readonly text: string
}

interface RecordFile {
  readonly openingUrl: string
  /** Notes a tab before anything is done with it. */
  add(change: 'opened' | 'gone', targetId: string): void
  remove(): void
}

/** The tabs of a browser that has ended are never found again. */
const RECORD_AGE_LIMIT_MS = 30 * 86_400_000

/** The record of this process, created at once so that a tab can be recognized by its URL. */
function createRecordFile(folder: string): RecordFile {
  const tag = crypto.randomUUID()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, formatRecordName({ pid: process.pid, tag }))
  appendFileSync(path, '', { mode: 0o600 })
  return {
    openingUrl: openingUrlOf(tag),
    add: (change, targetId) => appendFileSync(path, formatChange(change, targetId)),
    remove: () => rmSync(path, { force: true }),
  }
}

/** The records of relays that have ended. Those of browsers that ended long ago are removed. */
function findLeftRecords(folder: string): LeftRecord[] {
  return readdirSync(folder).flatMap((name) => {
    const recordName = parseRecordName(name)
    const path = join(folder, name)
    if (!recordName || isRelay(recordName.pid)) return []
    if (Date.now() - statSync(path).mtimeMs > RECORD_AGE_LIMIT_MS) {
      rmSync(path, { force: true })
      return []
    }
    return [{ ...recordName, path, text: readFileSync(path, 'utf8') }]
  })
}

const removeRecord = ({ path }: LeftRecord): void => rmSync(path, { force: true })

/** Whether a process is a relay. Its pid may have been reused; only Linux shows the command of another process. */
function isRelay(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(RELAY_COMMAND)
  } catch {
    return true
  }
}
