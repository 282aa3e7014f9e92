// A Selenium Grid over HTTP: its state, and the life of one WebDriver session, which is one browser.

import { startTimer } from '../../core/base/system/timer.ts'
import { isRecord, parseJson } from '../../core/base/text/json.ts'
import { describeNetworkError, readAnswer } from './http-call.ts'
import { urlBelow } from './remote-address.ts'
import type { GridRelease, RemoteAddress } from './remote-release.ts'

interface GridState {
  /** The sessions that its running nodes allow at once; undefined if the hub does not tell, as those of clouds. */
  readonly limit?: number
  readonly active: number
  /** The requests for a session that wait for a place. */
  readonly queued: number
}

export interface GridSession {
  readonly id: string
  readonly capabilities: Readonly<Record<string, unknown>>
}

/** What a hub answers. `status` is that of HTTP. */
interface GridAnswer {
  readonly status: number
  readonly value: unknown
}

/** Sends a request to the hub. Throws if there is no answer in time, or one that is not of WebDriver. */
async function sendToGrid(
  address: RemoteAddress,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  timeoutMs: number,
  body?: object,
): Promise<GridAnswer> {
  const response = await fetch(urlBelow(address, path), {
    method,
    // A redirect would take the headers to another host.
    redirect: 'manual',
    // A Grid refuses a body whose type does not name utf-8.
    headers: { ...address.headers, ...(body && { 'content-type': 'application/json; charset=utf-8' }) },
    signal: AbortSignal.timeout(timeoutMs),
    body: body && JSON.stringify(body),
  }).catch((error: Error) => {
    throw new Error(
      error.name === 'TimeoutError'
        ? `its hub does not answer within ${timeoutMs} ms`
        : describeNetworkError(error),
    )
  })
  const answer = parseJson(await readAnswer(response))
  if (!isRecord(answer))
    throw new Error(`its hub answers with HTTP status ${response.status}, and not as WebDriver`)
  return { status: response.status, value: answer['value'] }
}

const STATE_TIMEOUT_MS = 3000

interface GridNode {
  readonly uri: string
  readonly availability?: string
  readonly maxSessions?: number
  readonly slots?: readonly { readonly session?: NodeSession | null }[]
}

interface NodeSession {
  readonly sessionId: string
  readonly capabilities?: Readonly<Record<string, unknown>>
}

/** Reads how full the Grid is. Throws if the hub does not answer. */
export async function readGridState(address: RemoteAddress): Promise<GridState> {
  const [nodes, queue] = await Promise.all([
    readNodes(address),
    sendToGrid(address, 'GET', QUEUE_PATH, STATE_TIMEOUT_MS).catch(() => undefined),
  ])
  const queued = Array.isArray(queue?.value) ? queue.value.length : 0
  if (!nodes) return { active: 0, queued }
  const running = nodes.filter(({ availability }) => availability === 'UP')
  const count = (amount: (node: GridNode) => number) => running.reduce((sum, node) => sum + amount(node), 0)
  const opening = count(countOpening)
  return {
    limit: count(({ maxSessions = 0, slots = [] }) => Math.min(maxSessions, slots.length)),
    active: count(({ slots = [] }) => slots.filter(({ session }) => session).length) - opening,
    queued: queued + opening,
  }
}

/** What the Grid calls the session of a place whose browser is being opened: the request has left the queue, and its name is not known. */
const OPENING_SESSION_ID = 'reserved'

const countOpening = ({ slots = [] }: GridNode): number =>
  slots.filter(({ session }) => session?.sessionId === OPENING_SESSION_ID).length

const QUEUE_PATH = '/se/grid/newsessionqueue/queue'

async function readNodes(address: RemoteAddress): Promise<readonly GridNode[] | undefined> {
  const { value } = await sendToGrid(address, 'GET', '/status', STATE_TIMEOUT_MS)
  const nodes = isRecord(value) ? value['nodes'] : undefined
  return Array.isArray(nodes) ? nodes.filter(isNodeRecord) : undefined
}

const isNodeRecord = (node: unknown): node is GridNode =>
  isRecord(node) &&
  (node['slots'] === undefined || (Array.isArray(node['slots']) && node['slots'].every(isSlot)))

const isSlot = (slot: unknown): boolean =>
  isRecord(slot) &&
  (slot['session'] === undefined ||
    slot['session'] === null ||
    (isRecord(slot['session']) && typeof slot['session']['sessionId'] === 'string'))

/** The capability by which the sessions of one Footlight are found again. */
const NAME_CAPABILITY = 'se:name'

/** Opens a session; waits for a place as long as the Grid keeps the request in its queue. Throws with the reason of the Grid. */
export async function openGridSession(
  address: RemoteAddress,
  capabilities: Readonly<Record<string, unknown>>,
  name: string,
): Promise<GridSession> {
  const body = { capabilities: { alwaysMatch: { ...capabilities, [NAME_CAPABILITY]: name } } }
  const { value } = await sendToGrid(address, 'POST', '/session', QUEUE_TIMEOUT_MS, body)
  const { sessionId, capabilities: offered, message } = isRecord(value) ? value : {}
  if (typeof sessionId !== 'string')
    throw new Error(firstLine(typeof message === 'string' ? message : 'the Grid opened no session'))
  sessionPath(sessionId)
  return { id: sessionId, capabilities: isRecord(offered) ? offered : {} }
}

/** A Grid gives a request up after 300 s by default. */
const QUEUE_TIMEOUT_MS = 330_000

const firstLine = (text: string): string => text.split('\n')[0]?.slice(0, 300) ?? ''

const CLOSE_TIMEOUT_MS = 10_000
/** Of what a message shows. */
const ID_LIMIT_CHARS = 100

/** What is one segment of a path for whoever decodes it, and however often. */
const SESSION_ID = /^(?!\.+$)[\w.~:=@+-]{1,500}$/

/** The path of a session. Throws for an id that could name another path of the hub or of a node. */
export function sessionPath(id: string): string {
  if (!SESSION_ID.test(id))
    throw new Error(`${JSON.stringify(id.slice(0, ID_LIMIT_CHARS))} is no id of a session`)
  return `/session/${encodeURIComponent(id)}`
}

/** Ends a session and its browser. Throws if the hub does not answer, or does not know the session. */
export async function closeGridSession(address: RemoteAddress, id: string): Promise<void> {
  const { status } = await sendToGrid(address, 'DELETE', sessionPath(id), CLOSE_TIMEOUT_MS)
  if (status !== 200) throw new Error(`the Grid does not know the session ${id.slice(0, ID_LIMIT_CHARS)}`)
}

const PROBE_TIMEOUT_MS = 1500

/** Whether the node of a session runs. `silent`: nothing has answered, so the node is frozen, or very slow. The hub answers for a node that is
 * gone, at once. */
export async function probeGridSession(
  address: RemoteAddress,
  id: string,
): Promise<'running' | 'gone' | 'silent'> {
  const answer = await sendToGrid(address, 'GET', `${sessionPath(id)}/url`, PROBE_TIMEOUT_MS).catch(
    () => undefined,
  )
  if (!answer) return 'silent'
  return answer.status === 200 ? 'running' : 'gone'
}

const RELEASE_INTERVAL_MS = 1000

/** Ends the sessions whose names begin with this one, also those that its requests in the queue still become, and the one with this id, which a
 * hub that is started anew lists once its node has reported. Waits for a hub that does not answer. */
export async function releaseGridSessions(grid: GridRelease): Promise<void> {
  const { address, name, id } = grid
  const endAt = performance.now() + QUEUE_TIMEOUT_MS
  const isOurs = ({ sessionId, capabilities }: NodeSession) =>
    sessionId === id || String(capabilities?.[NAME_CAPABILITY] ?? '').startsWith(name)
  let isClosed = id === undefined
  const release = async (): Promise<boolean> => {
    const isWaiting = await isQueued(address, name)
    const nodes = (await readNodes(address)) ?? []
    const sessions = nodes.flatMap(({ uri, slots = [] }) =>
      slots.flatMap(({ session }) => (session && isOurs(session) ? [{ uri, id: session.sessionId }] : [])),
    )
    await Promise.all(sessions.map((session) => closeNodeSession(grid, session.uri, session.id)))
    isClosed ||= sessions.length > 0
    const isOpening = nodes.some((node) => countOpening(node) > 0)
    return isClosed && sessions.length === 0 && !isWaiting && !isOpening
  }
  while (performance.now() < endAt && !(await release().catch(() => false)))
    await new Promise<void>((resolve) => void startTimer(RELEASE_INTERVAL_MS, resolve))
}

// A hub that was started anew lists the sessions of its nodes without knowing them; the node does.
async function closeNodeSession(
  { address, nodeHosts = [] }: GridRelease,
  uri: string,
  id: string,
): Promise<void> {
  await closeGridSession(address, id).catch(async (error: unknown) => {
    if (!isNode(uri, address.url, nodeHosts)) throw error
    // The keys are those of the hub.
    await closeGridSession({ ...address, url: new URL(uri).origin, headers: {} }, id)
  })
}

/** Whether requests may go to what a hub calls a node: on its own host, or on one that the user has named. */
function isNode(uri: string, hub: string, nodeHosts: readonly string[]): boolean {
  if (!URL.canParse(uri) || !/^https?:/.test(uri)) return false
  const { hostname } = new URL(uri)
  return hostname === new URL(hub).hostname || nodeHosts.includes(hostname)
}

async function isQueued(address: RemoteAddress, name: string): Promise<boolean> {
  const { value } = await sendToGrid(address, 'GET', QUEUE_PATH, STATE_TIMEOUT_MS)
  return JSON.stringify(value ?? '').includes(name)
}
