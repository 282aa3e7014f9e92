// Between the clients of one connection and the user's own browser. Each client sees only the tabs that it has opened, and those that
// they open. Other tabs are neither attached to nor reported.

import { createClientTargets, type ClientTargets } from './client-targets.ts'
import { createTargetOpener, type TargetOpener } from './open-target.ts'
import { createPortGuard, type PortGuard } from './port-guard.ts'
import { createRelayRequests, type RelayRequests } from './relay-requests.ts'
import { settleWithin } from '../calls/settle-within.ts'
import { commandDenial, decideCommand, restrictParams } from '../../core/attach/command-policy.ts'
import type { ProtocolMessage, TargetInfo } from '../../core/attach/protocol-message.ts'

export interface RelayPorts {
  sendToBrowser(message: ProtocolMessage): void
  sendToClient(client: string, message: ProtocolMessage): void
  /** Called once no tab of a closed client is left. */
  onClientClosed(client: string): void
  /** Called when a tab has been opened and when it is gone. */
  onTarget(change: 'opened' | 'gone', targetId: string): void
  readonly openingUrl: string
  /** The URL of the connection to the browser. */
  readonly endpoint: string
}

export interface TargetRelay extends Pick<RelayRequests, 'request'>, Pick<ClientTargets, 'clients'> {
  handleCommand(client: string, message: ProtocolMessage): void
  handleBrowserMessage(message: ProtocolMessage): void
  /** Closes the tabs of a client. */
  closeClient(client: string): void
}

interface RelayParts extends RelayRequests, RelayPorts {
  readonly clientTargets: ClientTargets
  readonly opener: TargetOpener
  readonly guard: PortGuard
  finishClosing(client: string): void
}

export function createTargetRelay(ports: RelayPorts): TargetRelay {
  const requests = createRelayRequests(ports.sendToBrowser)
  const clientTargets = createClientTargets(ports.onTarget)
  const guard = createPortGuard(requests, ports.endpoint)
  const opener = createTargetOpener(clientTargets, requests, guard, ports.openingUrl)
  const finishClosing = (client: string) => {
    const sessionIds = clientTargets.finishClosing(client)
    if (!sessionIds) return
    for (const sessionId of sessionIds) void requests.request('Target.detachFromTarget', { sessionId })
    ports.onClientClosed(client)
  }
  const parts = { ...ports, ...requests, clientTargets, opener, guard, finishClosing }
  return {
    request: requests.request,
    clients: clientTargets.clients,
    handleCommand: (client, message) => handleCommand(parts, client, message),
    handleBrowserMessage: (message) =>
      message.id === undefined ? handleEvent(parts, message) : requests.handleAnswer(message),
    closeClient(client) {
      const targetIds = clientTargets.startClosing(client)
      void closeTargets(parts, client, targetIds)
      finishClosing(client)
    },
  }
}

// --- internal ---

const CLOSE_CHECK_TIMEOUT_MS = 1500
const TERMINATE_LIMIT = 5

function handleCommand(parts: RelayParts, client: string, message: ProtocolMessage): void {
  const { clientTargets, opener, sendToClient, send, finishClosing } = parts
  const { id, sessionId, method = '' } = message
  const { targets, sessions } = clientTargets
  const reply = (answer: ProtocolMessage) =>
    sendToClient(client, { ...answer, ...(id !== undefined && { id }), ...(sessionId && { sessionId }) })
  const owner = sessionId === undefined ? undefined : sessions.get(sessionId)
  if (sessionId !== undefined && owner?.client !== client)
    return reply({ error: { code: -32001, message: 'Session with given id not found.' } })
  const decision = decideCommand(message, {
    isForBrowser: sessionId === undefined || owner?.isForBrowser === true,
    ownsTarget: (targetId) => targets.get(targetId) === client,
    ownsSession: (other) => sessions.get(other)?.client === client,
  })
  if (decision === 'answer') return reply({ result: {} })
  if (decision === 'deny') return reply({ error: commandDenial(method) })
  if (decision === 'open')
    return void opener.open(client).then((messages) => {
      for (const entry of messages) entry.method === undefined ? reply(entry) : sendToClient(client, entry)
      finishClosing(client)
    })
  const params = restrictParams(message)
  send({ method, ...(params && { params }), ...(sessionId && { sessionId }) }, (answer) => {
    const newSessionId = answer.result?.['sessionId']
    if (typeof newSessionId === 'string' && !sessions.has(newSessionId))
      sessions.set(newSessionId, { client, isForBrowser: method === 'Target.attachToBrowserTarget' })
    reply(answer)
  })
}

function handleEvent(parts: RelayParts, event: ProtocolMessage): void {
  const { method, params = {}, sessionId } = event
  const { sessions } = parts.clientTargets
  if (parts.guard.handleEvent(event)) return
  const client = sessionId === undefined ? undefined : sessions.get(sessionId)?.client
  if (sessionId !== undefined && client === undefined) return
  if (method === 'Target.attachedToTarget') return handleAttached(parts, event, client)
  if (method === 'Target.detachedFromTarget') {
    const owner = client ?? sessions.get(newSessionOf(event))?.client
    sessions.delete(newSessionOf(event))
    return owner === undefined ? undefined : parts.sendToClient(owner, event)
  }
  if (client !== undefined) return parts.sendToClient(client, event)
  if (method === 'Target.targetCreated') return handleCreated(parts, params['targetInfo'] as TargetInfo)
  if (method === 'Target.targetDestroyed') handleDestroyed(parts, String(params['targetId']))
}

function handleAttached(parts: RelayParts, event: ProtocolMessage, client: string | undefined): void {
  const { clientTargets, opener, request, sendToClient } = parts
  const { targets, sessions } = clientTargets
  const sessionId = newSessionOf(event)
  const { targetId, type } = event.params?.['targetInfo'] as TargetInfo
  // The answer to the client says whose CDP session it is.
  if (type === 'browser') return
  const owner = client ?? targets.get(targetId)
  if (owner === undefined) return void request('Target.detachFromTarget', { sessionId })
  if (!sessions.has(sessionId)) sessions.set(sessionId, { client: owner, isForBrowser: false, targetId })
  if (event.sessionId !== undefined || !opener.handleAttached(event, targetId)) sendToClient(owner, event)
}

// A tab that one of ours opens is ours too; the browser reports the opener even of links with noopener.
function handleCreated(
  { clientTargets, guard, request }: RelayParts,
  { targetId, type, openerId = '' }: TargetInfo,
) {
  const client = clientTargets.targets.get(openerId)
  if (client === undefined || type !== 'page' || clientTargets.targets.has(targetId)) return
  clientTargets.add(client, targetId)
  if (clientTargets.isClosing(client)) return void request('Target.closeTarget', { targetId })
  void guard.guardPopup(targetId).then(() => request('Target.attachToTarget', { targetId, flatten: true }))
}

// A tab whose script never ends does not close until the script is terminated. Only then, because the next script of a process would be
// terminated otherwise, and that may be one of a tab of the user.
async function closeTargets(parts: RelayParts, client: string, targetIds: readonly string[]): Promise<void> {
  const { clientTargets, request } = parts
  for (const targetId of targetIds) void request('Target.closeTarget', { targetId })
  for (let attempt = 0; attempt < TERMINATE_LIMIT; attempt += 1) {
    await settleWithin(CLOSE_CHECK_TIMEOUT_MS, new Promise(() => {}))
    const left = [...clientTargets.targets].flatMap(([id, owner]) => (owner === client ? id : []))
    if (!clientTargets.isClosing(client) || left.length === 0) return
    for (const [sessionId, { targetId = '' }] of clientTargets.sessions)
      if (left.includes(targetId)) void request('Runtime.terminateExecution', {}, sessionId)
    for (const targetId of left) void request('Target.closeTarget', { targetId })
  }
}

function handleDestroyed({ clientTargets, finishClosing }: RelayParts, targetId: string): void {
  const client = clientTargets.targets.get(targetId)
  clientTargets.remove(targetId)
  if (client !== undefined) finishClosing(client)
}

const newSessionOf = ({ params }: ProtocolMessage): string => String(params?.['sessionId'])
