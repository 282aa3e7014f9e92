// Finds the URL at which a starting server responds: one that it announced, its PORT, or else any port that it opened.

import { hostname, networkInterfaces } from 'node:os'
import { isLocalhostName, isMachineAddress } from '../../base/network/host-rules.ts'
import { settleWithin } from '../../base/system/settle-within.ts'
import type { CheckServerAddress } from '../../sessions/types/egress-proxy.ts'
import type { ServerRequest } from '../../sessions/types/servers.ts'
import { isBesideRoot, isReadyStatus, isUpDespiteError, portOf, type ServerAnswer } from '../dev-server.ts'
import type { ProcessActivity } from '../process/process-activity.ts'
import type { ServerContext } from '../process/start-context.ts'
import { type ProbeAnswer, probeUrl } from './http-probe.ts'

const ROUND_TIMEOUT_MS = 1000
const UPGRADE_REQUIRED = 426
/** The interval between requests to a server that responds with an error. */
const PROBE_RETRY_MS = 400
/** How long a server that has named an address below a path may take to name its root. */
const ROOT_GRACE_MS = 1000

export interface Announcement {
  readonly isNamedLocal: boolean
  readonly at: number
}

export interface AddressSearch {
  readonly request: Pick<ServerRequest, 'readyUrl'> & { readonly port: number | undefined }
  readonly context: Pick<ServerContext, 'checkServerAddress'>
  /** The URLs in its output so far, in order. */
  readonly announced: ReadonlyMap<string, Announcement>
  /** The usable responses by URL; these are not requested again, because a server may log every request. */
  readonly answers: Map<string, ServerAnswer>
  /** Descriptions of other responses by URL, for the failure. */
  readonly refusals: Map<string, string>
  /** The requests that have no response yet, by URL and by whether its scheme is known. */
  readonly requests: Map<string, Promise<PageResponse>>
  /** Ends those requests, once an address is chosen or none is needed. */
  readonly end: AbortController
  /** Milliseconds for the next response, by URL. */
  readonly timeouts: Map<string, number>
  /** URLs that respond with an error, with the times of the first and the last such response. */
  readonly failing: Map<
    string,
    { readonly status: number; readonly firstAt: number; readonly probedAt: number }
  >
}

export const createAddressSearch = (
  request: AddressSearch['request'],
  context: AddressSearch['context'],
  announced: AddressSearch['announced'],
): AddressSearch => ({
  request,
  context,
  announced,
  answers: new Map(),
  refusals: new Map(),
  requests: new Map(),
  end: new AbortController(),
  timeouts: new Map(),
  failing: new Map(),
})

/** The progress of a start. */
interface SearchStage {
  /** Whether ports that were not announced are requested too. */
  readonly includesUnnamed: boolean
  /** Whether the timeout has passed, so that this is the last request. */
  readonly isLate: boolean
  /** Whether the server has printed an error. */
  readonly isExplained: boolean
}

interface AddressCandidate {
  readonly url: string
  readonly isAnnounced: boolean
  readonly isNamedLocal?: boolean
  /** Neither announced nor PORT. Status 400 does not count then, because the ports of debuggers respond with it. */
  readonly isGuessed: boolean
}

/** The responses of the server's own ports, and whether an announced one or PORT listens but does not respond yet. `awaitsAnnounced`: it is an
 * announced one. */
export async function probeAddresses(
  search: AddressSearch,
  activity: ProcessActivity,
  stage: SearchStage,
): Promise<{
  readonly answers: readonly ServerAnswer[]
  readonly pending: boolean
  readonly awaitsAnnounced: boolean
}> {
  const candidates = findCandidates(search, activity, stage.includesUnnamed)
    // Not the server of another program.
    .filter(({ url }) => activity.listens(portOf(url)) !== false)
    .map((candidate) => ({ ...candidate, url: toOwnHost(candidate.url, activity) }))
  await Promise.all(candidates.map((candidate) => probeCandidate(candidate, search, stage)))
  const { announced, answers, request } = search
  const candidateAnswers = candidates.flatMap(({ url, isNamedLocal = false }): ServerAnswer[] => {
    const answer = answers.get(url)
    return answer ? [{ ...answer, isNamedLocal }] : []
  })
  // A port that takes WebSockets only is not that of a page.
  const isAwaited = ({ url, isAnnounced }: AddressCandidate) =>
    isAnnounced ||
    (portOf(url) === request.port &&
      activity.listens(portOf(url)) === true &&
      search.failing.get(url)?.status !== UPGRADE_REQUIRED)
  const awaited = candidates.filter((candidate) => isAwaited(candidate) && !answers.has(candidate.url))
  return {
    answers: candidateAnswers.map((answer) => {
      const url = replaceWithAnnouncedUrl(answer, request, announced)
      return { ...url, url: toOwnHost(url.url, activity) }
    }),
    pending: awaited.length > 0,
    awaitsAnnounced: awaited.some(({ isAnnounced }) => isAnnounced),
  }
}

function findCandidates(
  { request, announced }: AddressSearch,
  activity: ProcessActivity,
  includesUnnamed: boolean,
): AddressCandidate[] {
  const { readyUrl, port } = request
  if (readyUrl !== undefined) return [{ url: readyUrl, isAnnounced: false, isGuessed: false }]
  const announcedUrls = [...announced.keys()]
  const isNamed = (candidatePort: number) => announcedUrls.some((url) => portOf(url) === candidatePort)
  const localUrlOf = (candidatePort: number) => `http://localhost:${candidatePort}/`
  const otherPorts = includesUnnamed
    ? activity.ports.filter((candidatePort) => candidatePort !== port && !isNamed(candidatePort))
    : []
  return [
    ...[...announced].map(([url, { isNamedLocal }]) => ({
      url,
      isAnnounced: true,
      isNamedLocal,
      isGuessed: false,
    })),
    ...(port === undefined || isNamed(port)
      ? []
      : [{ url: localUrlOf(port), isAnnounced: false, isGuessed: false }]),
    ...otherPorts.map((candidatePort) => ({
      url: localUrlOf(candidatePort),
      isAnnounced: false,
      isGuessed: true,
    })),
  ]
}

/** The URL with a host that leads to the server: its own address if it listens at another one than those of `localhost`, and `localhost` if
 * it has announced that of a network but listens at all. If another program has the same port at the other loopback address, `localhost`
 * could lead pages to that one. */
export function toOwnHost(url: string, activity: ProcessActivity): string {
  const parsedUrl = new URL(url)
  const { hostname: host } = parsedUrl
  const hosts = activity.hostsAt(portOf(url))
  if (hosts.length > 0 && !hosts.includes(host) && (isLocalHost(host) || isOwnHost(host))) {
    const isElsewhere = !hosts.some((own) => LOCALHOST_ADDRESSES.has(own))
    if (isElsewhere) parsedUrl.hostname = hosts[0] ?? host
    else if (!isLocalHost(host)) parsedUrl.hostname = 'localhost'
  }
  const unshared = isLocalhostName(parsedUrl.hostname) ? activity.loopbackAt(portOf(url)) : undefined
  if (unshared !== undefined) parsedUrl.hostname = unshared
  return parsedUrl.href
}

/** Where a listener is reached through `localhost`. */
const LOCALHOST_ADDRESSES: ReadonlySet<string> = new Set(['127.0.0.1', '0.0.0.0', '[::1]', '[::]'])

const isLocalHost = (host: string): boolean => isLocalhostName(host) || LOCALHOST_ADDRESSES.has(host)

/** Whether a host is the name or an address of this machine. */
export const isOwnHost = (host: string): boolean =>
  host === hostname().toLowerCase() ||
  isMachineAddress(host, {
    machineAddresses: Object.values(networkInterfaces()).flatMap((addresses = []) =>
      addresses.map(({ address }) => address),
    ),
  })

/** Whether the server may still name the address that is its application's. */
export const mayNameRoot = (answer: ServerAnswer, announced: AddressSearch['announced']): boolean =>
  isBesideRoot(answer) &&
  [...announced].some(
    ([url, { at }]) => portOf(url) === portOf(answer.url) && performance.now() - at < ROOT_GRACE_MS,
  )

async function probeCandidate(
  candidate: AddressCandidate,
  search: AddressSearch,
  stage: SearchStage,
): Promise<void> {
  const { url, isAnnounced, isGuessed } = candidate
  const { context, request, answers, refusals, requests, end, timeouts, failing } = search
  if (answers.get(url)?.isAnnounced === isAnnounced) return
  const now = performance.now()
  const failure = failing.get(url)
  if (failure && !stage.isLate && now - failure.probedAt < PROBE_RETRY_MS) return
  const isSchemeKnown = isAnnounced || request.readyUrl !== undefined
  const key = `${url} ${isSchemeKnown}`
  const pending =
    requests.get(key) ??
    requestPage({ url, isSchemeKnown, timeouts, signal: end.signal }, context.checkServerAddress)
  requests.set(key, pending)
  // The other candidates do not wait for a slow one; the next round checks its response again.
  const response = await settleWithin(ROUND_TIMEOUT_MS, pending)
  if (response === undefined) return
  requests.delete(key)
  if (response instanceof Error) throw response
  const { answer } = response
  if (!answer) return void failing.delete(url)
  const { status } = answer
  const isUp = isReadyStatus(status)
    ? !(isGuessed && status === 400)
    : isUpWithError(candidate, status, search, stage)
  if (isUp) answers.set(url, { url: response.url, ...answer, isAnnounced })
  else refusals.set(url, `${url} responds with ${status}`)
}

// A page with an error can be shown to the caller, but a `readyUrl` must respond with success.
function isUpWithError(
  { url, isAnnounced, isGuessed }: AddressCandidate,
  status: number,
  { request, failing }: AddressSearch,
  { isLate, isExplained }: SearchStage,
): boolean {
  const now = performance.now()
  const previous = failing.get(url)
  const firstAt = previous?.status === status ? previous.firstAt : now
  failing.set(url, { status, firstAt, probedAt: now })
  if (request.readyUrl !== undefined || isGuessed) return false
  return isUpDespiteError(status, now - firstAt, isExplained) || (isLate && isAnnounced && status === 500)
}

// `readyUrl` may be a health check; the application is at the URL that the server announced on the same port.
function replaceWithAnnouncedUrl(
  answer: ServerAnswer,
  { readyUrl }: AddressSearch['request'],
  announced: AddressSearch['announced'],
): ServerAnswer {
  if (readyUrl === undefined) return answer
  const url = addressBehind(readyUrl, announced)
  return { ...answer, url, isPage: true, isAnnounced: announced.has(url) }
}

/** The address of the application whose `readyUrl` responds. */
export function addressBehind(readyUrl: string, announced: AddressSearch['announced']): string {
  const urls = [...announced].filter(([url]) => portOf(url) === portOf(readyUrl))
  const best = urls.find(([url, { isNamedLocal }]) => !isBesideRoot({ url, isNamedLocal })) ?? urls[0]
  return best?.[0] ?? `${new URL(readyUrl).origin}/`
}

// --- internal ---

// One request to a server that is starting. Each request to a URL waits longer than the one before: a page may be slow, but a server may also
// never answer a request that it received while starting.
const FIRST_TIMEOUT_MS = 3000
const TIMEOUT_LIMIT_MS = 10_000

interface PageRequest {
  readonly url: string
  readonly isSchemeKnown: boolean
  /** Milliseconds for the next response, by URL. */
  readonly timeouts: Map<string, number>
  /** Aborted once the response is not needed. */
  readonly signal: AbortSignal
}

interface PageResponse {
  /** With the scheme that the server speaks. */
  readonly url: string
  readonly answer: ProbeAnswer | undefined
}

/** The response of a URL over http or, unless the scheme is known, https. */
async function requestPage(
  { url, isSchemeKnown, timeouts, signal }: PageRequest,
  checkServerAddress: CheckServerAddress | undefined,
): Promise<PageResponse> {
  const timeoutMs = timeouts.get(url) ?? FIRST_TIMEOUT_MS
  timeouts.set(url, Math.min(timeoutMs * 2, TIMEOUT_LIMIT_MS))
  const options = { timeoutMs, checkServerAddress, isOwnServer: true, signal }
  const answer = await probeUrl(url, options)
  // A TLS server closes a plain HTTP connection or responds with 400.
  if (isSchemeKnown || (answer && answer.status !== 400)) return { url, answer }
  const secureUrl = url.replace('http:', 'https:')
  const secureAnswer = await probeUrl(secureUrl, options)
  return secureAnswer ? { url: secureUrl, answer: secureAnswer } : { url, answer }
}
