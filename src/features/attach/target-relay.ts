// Between the clients of one connection and the user's own browser. Each client sees only the tabs that it has opened, and those that
// they open. Other tabs are neither attached to nor reported.

import { settleWithin } from '../../core/base/system/settle-within.ts'
import { debuggingPortOf } from '../../core/browser/process/debugging-port.ts'
import { commandDenial, decideCommand, restrictParams } from './command-policy.ts'
import type { ProtocolMessage, TargetInfo } from './relay-lines.ts'

interface RelayPorts {
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
  send({ method, params, ...(sessionId && { sessionId }) }, (answer) => {
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

// The tabs and CDP sessions of the clients of one connection.
interface SessionOwner {
  readonly client: string
  /** Whether its commands are for the browser, and not for a tab. */
  readonly isForBrowser: boolean
  /** The tab of a CDP session that the relay has opened. */
  readonly targetId?: string
}

interface ClientTargets {
  readonly targets: ReadonlyMap<string, string>
  readonly sessions: Map<string, SessionOwner>
  add(client: string, targetId: string): void
  remove(targetId: string): void
  /** Counts a tab that is being opened until the returned function is called. */
  startOpening(client: string): () => void
  isClosing(client: string): boolean
  /** The tabs of a client that is to be closed. */
  startClosing(client: string): readonly string[]
  /** Whether a client is closing and has no tab any more. It is forgotten then, with the CDP sessions that are returned. */
  finishClosing(client: string): readonly string[] | undefined
  /** The clients that have tabs or are opening some. */
  clients(): readonly string[]
}

function createClientTargets(onTarget: (change: 'opened' | 'gone', targetId: string) => void): ClientTargets {
  const targets = new Map<string, string>()
  const sessions = new Map<string, SessionOwner>()
  const openings = new Set<{ readonly client: string }>()
  const closingClients = new Set<string>()
  const clients = () => [...new Set([...targets.values(), ...[...openings].map(({ client }) => client)])]
  return {
    targets,
    sessions,
    clients,
    add(client, targetId) {
      targets.set(targetId, client)
      onTarget('opened', targetId)
    },
    remove(targetId) {
      if (targets.delete(targetId)) onTarget('gone', targetId)
    },
    startOpening(client) {
      const opening = { client }
      openings.add(opening)
      return () => openings.delete(opening)
    },
    isClosing: (client) => closingClients.has(client),
    startClosing(client) {
      closingClients.add(client)
      return [...targets].flatMap(([targetId, owner]) => (owner === client ? targetId : []))
    },
    finishClosing(client) {
      if (!closingClients.has(client) || clients().includes(client)) return undefined
      closingClients.delete(client)
      const ownSessions = [...sessions].filter(([, owner]) => owner.client === client)
      for (const [sessionId] of ownSessions) sessions.delete(sessionId)
      return ownSessions.flatMap(([sessionId, { isForBrowser }]) => (isForBrowser ? sessionId : []))
    },
  }
}

// Opens a tab for a client. It gets a window of its own in the background: the user keeps the focus, and a tab that another one hides is
// painted only after seconds.
interface TargetOpener {
  /** Opens a tab; the messages for the client are the event by which it learns of the tab, then the answer. */
  open(client: string): Promise<readonly ProtocolMessage[]>
  /** Takes the event of an attachment to a tab that is being opened; false for others. */
  handleAttached(event: ProtocolMessage, targetId: string): boolean
}

const BLANK_URL = 'about:blank'
const RESET_URL_SCRIPT = `history.replaceState(null, '', '${BLANK_URL}')`

/** `openingUrl` is the URL by which a tab can be recognized whose id is not known yet. */
function createTargetOpener(
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

const withUrl = (event: ProtocolMessage, url: string): ProtocolMessage => ({
  ...event,
  params: {
    ...event.params,
    targetInfo: { ...(event.params?.['targetInfo'] as TargetInfo), url, title: '' },
  },
})

// Keeps the tabs of clients away from the debugging port of the user's own browser: with it a page would read and close all of its tabs. Each
// tab has a CDP session of the relay itself, in which requests to the port fail.
interface PortGuard {
  /** Settles when requests of the tab to the port fail. */
  guardTab(targetId: string): Promise<void>
  /** The same for a tab that a page has opened, perhaps with a URL at the port: such a tab is closed. */
  guardPopup(targetId: string): Promise<void>
  /** Takes the event of an attachment by the guard itself, and its other events; false for the events of others. */
  handleEvent(event: ProtocolMessage): boolean
}

/** `endpoint` is the URL of the connection to the browser. */
function createPortGuard({ request }: RelayRequests, endpoint: string): PortGuard {
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

const isBlank = (url: string): boolean => url === '' || url === 'about:blank'

const targetIdOf = (params: NonNullable<ProtocolMessage['params']>): string =>
  String((params['targetInfo'] as { readonly targetId?: string } | undefined)?.targetId)

// The commands to the user's own browser on the one connection: each gets an id of its own, and its answer goes back to who sent it.
interface RelayRequests {
  /** `onAnswer` gets the answer without its id. */
  send(message: ProtocolMessage, onAnswer: (answer: ProtocolMessage) => void): void
  /** Sends a command of the relay itself. */
  request(method: string, params: object, sessionId?: string): Promise<ProtocolMessage>
  handleAnswer(answer: ProtocolMessage): void
}

function createRelayRequests(sendToBrowser: (message: ProtocolMessage) => void): RelayRequests {
  const handlers = new Map<number, (answer: ProtocolMessage) => void>()
  let lastId = 0
  const send: RelayRequests['send'] = (message, onAnswer) => {
    lastId += 1
    handlers.set(lastId, onAnswer)
    sendToBrowser({ ...message, id: lastId })
  }
  return {
    send,
    request: (method, params, sessionId) =>
      new Promise((resolve) => send({ method, params: { ...params }, sessionId }, resolve)),
    handleAnswer({ id, ...answer }) {
      const handler = id === undefined ? undefined : handlers.get(id)
      if (id !== undefined) handlers.delete(id)
      handler?.(answer)
    },
  }
}
