// Opens a tab for a client. It gets a window of its own in the background: the user keeps the focus, and a tab that another one hides is
// painted only after seconds.

import type { ClientTargets } from './client-targets.ts'
import type { PortGuard } from './port-guard.ts'
import type { RelayRequests } from './relay-requests.ts'
import { commandDenial } from '../../core/attach/command-policy.ts'
import type { ProtocolMessage, TargetInfo } from '../../core/attach/protocol-message.ts'

export interface TargetOpener {
  /** Opens a tab; the messages for the client are the event by which it learns of the tab, then the answer. */
  open(client: string): Promise<readonly ProtocolMessage[]>
  /** Takes the event of an attachment to a tab that is being opened; false for others. */
  handleAttached(event: ProtocolMessage, targetId: string): boolean
}

const BLANK_URL = 'about:blank'
const RESET_URL_SCRIPT = `history.replaceState(null, '', '${BLANK_URL}')`

/** `openingUrl` is the URL by which a tab can be recognized whose id is not known yet. */
export function createTargetOpener(
  clientTargets: ClientTargets,
  { request }: RelayRequests,
  { guardTab }: PortGuard,
  openingUrl: string,
): TargetOpener {
  const attachments = new Map<string, (event: ProtocolMessage) => void>()
  const attach = async (targetId: string): Promise<ProtocolMessage | undefined> => {
    const event = new Promise<ProtocolMessage>((resolve) => attachments.set(targetId, resolve))
    const { error } = await request('Target.attachToTarget', { targetId, flatten: true })
    attachments.delete(targetId)
    return error ? undefined : event
  }
  return {
    async open(client) {
      const finishOpening = clientTargets.startOpening(client)
      const params = { url: openingUrl, newWindow: true, background: true }
      const { result, error } = await request('Target.createTarget', params)
      finishOpening()
      const targetId = result?.['targetId']
      if (typeof targetId !== 'string') return [{ error: error ?? commandDenial('Target.createTarget') }]
      clientTargets.add(client, targetId)
      if (!clientTargets.isClosing(client)) await guardTab(targetId)
      const isClosing = clientTargets.isClosing(client)
      const event = isClosing ? undefined : await attach(targetId)
      if (isClosing) void request('Target.closeTarget', { targetId })
      if (!event) return [{ error: { code: -32000, message: 'The tab was closed.' } }]
      await request('Runtime.evaluate', { expression: RESET_URL_SCRIPT }, String(event.params?.['sessionId']))
      return [withUrl(event, BLANK_URL), { result: { targetId } }]
    },
    handleAttached(event, targetId) {
      const resolve = attachments.get(targetId)
      resolve?.(event)
      return resolve !== undefined
    },
  }
}

// --- internal ---

const withUrl = (event: ProtocolMessage, url: string): ProtocolMessage => ({
  ...event,
  params: {
    ...event.params,
    targetInfo: { ...(event.params?.['targetInfo'] as TargetInfo), url, title: '' },
  },
})
