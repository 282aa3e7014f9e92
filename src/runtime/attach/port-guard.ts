// Keeps the tabs of clients away from the debugging port of the user's own browser: with it a page would read and close all of its tabs. Each
// tab has a CDP session of the relay itself, in which requests to the port fail.

import type { RelayRequests } from './relay-requests.ts'
import type { ProtocolMessage } from '../../core/attach/protocol-message.ts'

export interface PortGuard {
  /** Settles when requests of the tab to the port fail. */
  guardTab(targetId: string): Promise<void>
  /** Takes the event of an attachment by the guard itself, and its other events; false for the events of others. */
  handleEvent(event: ProtocolMessage): boolean
  /** Whether a page of this URL has the port. */
  isAtPort(url: string): boolean
}

/** `endpoint` is the URL of the connection to the browser. Where it is on this machine the port is closed at every host name. */
export function createPortGuard({ request }: RelayRequests, endpoint: string): PortGuard {
  const { host, port, hostname } = new URL(endpoint)
  const isLocal = LOOPBACK_PATTERN.test(hostname)
  const openings = new Set<string>()
  const sessions = new Set<string>()
  return {
    async guardTab(targetId) {
      openings.add(targetId)
      const { result } = await request('Target.attachToTarget', { targetId, flatten: true })
      openings.delete(targetId)
      const sessionId = String(result?.['sessionId'])
      const patterns = [{ urlPattern: `*://${isLocal ? `*:${port}` : host}/*` }]
      if (sessions.has(sessionId)) await request('Fetch.enable', { patterns }, sessionId)
    },
    handleEvent({ method, params = {}, sessionId = '' }) {
      const attached = String(params['sessionId'])
      if (method === 'Target.attachedToTarget' && openings.has(targetIdOf(params))) {
        sessions.add(attached)
        return true
      }
      if (method === 'Target.detachedFromTarget' && sessions.delete(attached)) return true
      if (!sessions.has(sessionId)) return false
      const { requestId } = params
      if (method === 'Fetch.requestPaused')
        void request('Fetch.failRequest', { requestId, errorReason: 'AccessDenied' }, sessionId)
      return true
    },
    isAtPort(url) {
      const page = URL.parse(url)
      return page !== null && (isLocal ? page.port === port && port !== '' : page.host === host)
    },
  }
}

// --- internal ---

const LOOPBACK_PATTERN = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/

const targetIdOf = (params: NonNullable<ProtocolMessage['params']>): string =>
  String((params['targetInfo'] as { readonly targetId?: string } | undefined)?.targetId)
