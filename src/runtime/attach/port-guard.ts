// Keeps the tabs of clients away from the debugging port of the user's own browser: with it a page would read and close all of its tabs. Each
// tab has a CDP session of the relay itself, in which requests to the port fail.

import type { RelayRequests } from './relay-requests.ts'
import { debuggingPortOf } from '../../core/attach/debugging-port.ts'
import type { ProtocolMessage, TargetInfo } from '../../core/attach/protocol-message.ts'

export interface PortGuard {
  /** Settles when requests of the tab to the port fail. */
  guardTab(targetId: string): Promise<void>
  /** The same for a tab that a page has opened, perhaps with a URL at the port: such a tab is closed. */
  guardPopup(targetId: string): Promise<void>
  /** Takes the event of an attachment by the guard itself, and its other events; false for the events of others. */
  handleEvent(event: ProtocolMessage): boolean
}

/** `endpoint` is the URL of the connection to the browser. */
export function createPortGuard({ request }: RelayRequests, endpoint: string): PortGuard {
  const { urlPattern, covers } = debuggingPortOf(endpoint)
  const openings = new Set<string>()
  const sessions = new Set<string>()
  // Popups whose first page has not come yet. Its request may have been sent before they were guarded.
  const popups = new Set<string>()
  async function guardTab(targetId: string): Promise<void> {
    openings.add(targetId)
    const { result } = await request('Target.attachToTarget', { targetId, flatten: true })
    openings.delete(targetId)
    const sessionId = String(result?.['sessionId'])
    if (sessions.has(sessionId)) await request('Fetch.enable', { patterns: [{ urlPattern }] }, sessionId)
  }
  function handlePopup({ targetId, url }: TargetInfo): void {
    if (isBlank(url) || !popups.delete(targetId)) return
    if (covers(url)) void request('Target.closeTarget', { targetId })
  }
  return {
    guardTab,
    guardPopup(targetId) {
      popups.add(targetId)
      return guardTab(targetId)
    },
    handleEvent({ method, params = {}, sessionId = '' }) {
      if (method === 'Target.targetInfoChanged') handlePopup(params['targetInfo'] as TargetInfo)
      if (method === 'Target.targetDestroyed') popups.delete(String(params['targetId']))
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
  }
}

// --- internal ---

const isBlank = (url: string): boolean => url === '' || url === 'about:blank'

const targetIdOf = (params: NonNullable<ProtocolMessage['params']>): string =>
  String((params['targetInfo'] as { readonly targetId?: string } | undefined)?.targetId)
