// Thins out what the workers of a Chromium print, where they print it, as in pages. No init script runs in a worker, so the script goes
// before Playwright's command that lets a new one begin.

import type { Browser } from 'playwright'
import { WORKER_THROTTLE } from '../console/console-throttle.ts'
import { withTextArgument } from '../console/page-events.ts'
import { internalsOf } from '../playwright/internals.ts'

interface ServerBrowser {
  readonly _connection: { readonly _transport: Partial<Transport> }
}

interface Transport {
  send(message: Message): void
  onmessage?: (message: Message) => void
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly sessionId?: string
  readonly params?: object
}

/** The number of which Playwright expects no answer: its own of the command that closes a browser. */
const UNAWAITED_ID = -9999

export function throttleWorkers(browser: Browser): void {
  const transport = internalsOf<Partial<ServerBrowser>>(browser)?._connection?._transport
  if (!transport?.send || !transport.onmessage) return
  const workers = new Set<string>()
  const [send, receive] = [transport.send.bind(transport), transport.onmessage]
  transport.send = (message) => {
    const { method, sessionId = '' } = message
    if (method === 'Runtime.runIfWaitingForDebugger' && workers.has(sessionId))
      send({
        id: UNAWAITED_ID,
        method: 'Runtime.evaluate',
        params: { expression: WORKER_THROTTLE },
        sessionId,
      })
    send(message)
  }
  transport.onmessage = (message) => {
    noteWorker(message, workers)
    receive(isLine(message) && workers.has(message.sessionId ?? '') ? withText(message) : message)
  }
}

// --- internal ---

interface TargetParams {
  readonly sessionId: string
  readonly targetInfo?: { readonly type: string }
}

function noteWorker({ method, params }: Message, workers: Set<string>): void {
  const { sessionId, targetInfo } = (params ?? {}) as TargetParams
  if (method === 'Target.attachedToTarget' && /worker$/.test(targetInfo?.type ?? '')) workers.add(sessionId)
  if (method === 'Target.detachedFromTarget') workers.delete(sessionId)
}

type Line = Message & { readonly params: Parameters<typeof withTextArgument>[0] }

const isLine = (message: Message): message is Line => message.method === 'Runtime.consoleAPICalled'

const withText = (message: Line): Line => ({ ...message, params: withTextArgument(message.params) })
