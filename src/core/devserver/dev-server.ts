// The record of a dev server, and how its address is found in its output.

import { trimTrailing } from '../base/text/clip.ts'
import { parseUrl } from '../base/text/parse-url.ts'
import { stripTerminalCodes } from '../base/text/terminal-codes.ts'

/** Starts this program as the supervisor of a server. */
export const SUPERVISOR_COMMAND = 'supervise'

const ANNOUNCED_URL =
  /\bhttps?:\/\/([a-z\d.-]{1,253}|\[[\da-f:.]{2,45}\]):\d{1,5}(?:\/[^\s'")\]<>`\u0000-\u001f]*)?/gi
const LOOPBACK_HOST = /^((?:[a-z\d-]{1,63}\.){0,4}localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])$/i

/** The URL that a line of output announces, as http://host:port/path, or undefined: of loopback, else of a host that is this machine. Its
 * host is not normalized, because pages and their servers compare origins; only an address that means all interfaces becomes `localhost`. */
export function findAnnouncedUrl(
  line: string,
  isOwnHost: (host: string) => boolean = () => false,
): string | undefined {
  if (!line.includes('://')) return undefined
  const matches = [...stripTerminalCodes(line).matchAll(ANNOUNCED_URL)]
  const match =
    matches.find(([, host = '']) => LOOPBACK_HOST.test(host)) ??
    matches.find(([, host = '']) => isOwnHost(host.toLowerCase()))
  const url = match ? parseUrl(trimTrailing(match[0], /[.,;:!*]/)) : undefined
  if (!url) return undefined
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = 'localhost'
  return url.href
}

/** Whether a line names its URL `Local`, as servers do that print several. */
export const isNamedLocal = (line: string): boolean =>
  /\blocal\W{1,40}https?:/i.test(stripTerminalCodes(line))

export interface ServerAnswer {
  readonly url: string
  readonly status: number
  /** Whether a browser can show it: HTML, or no content type. */
  readonly isPage: boolean
  /** Whether it allows pages of other origins to read it, as an API does. */
  readonly hasCorsHeaders: boolean
  /** Whether the output of the server named it. */
  readonly isAnnounced: boolean
  readonly isNamedLocal?: boolean
}

interface AddressPreferences {
  /** The variable PORT; undefined if it is not set. */
  readonly port: number | undefined
  /** Whether the caller asked for that port. */
  readonly isPortGiven: boolean
  /** The URL before a restart. */
  readonly previous?: string | undefined
  /** Whether other processes of the command may still become the server that it is for. */
  readonly hasRivals?: boolean
}

/** How long to wait for a better response after an error: short if the server has printed the cause, long for the statuses of a gateway
 * whose upstream does not respond yet and of a port that accepts WebSockets only. */
const ERROR_GRACE_MS = { explained: 1000, unexplained: 5000, gateway: 20_000 } as const
const GATEWAY_STATUSES = [426, 502, 503, 504]

/** Whether a server counts as up although it has responded with this error status for `durationMs`. */
export function isUpDespiteError(status: number, durationMs: number, isExplained: boolean): boolean {
  const kind = GATEWAY_STATUSES.includes(status) ? 'gateway' : isExplained ? 'explained' : 'unexplained'
  return durationMs >= ERROR_GRACE_MS[kind]
}

/** Whether a status means that a server is up and routes requests: the statuses that Playwright's webServer accepts, and 404. */
export const isReadyStatus = (status: number | undefined): boolean =>
  status !== undefined && ((status >= 200 && status < 400) || (status >= 400 && status <= 404))

/** The best of the URLs at which a server responds, in the order of their announcements, or undefined. A page at PORT is better than one
 * elsewhere, whatever its status; of others one without CORS headers, because an API may have a home page too; of those that which was
 * announced last, and at its port the one that is named Local or has the shortest path: the others are of tools beside the application.
 * `isCertain`: waiting longer cannot bring a better one. */
export function chooseAddress(
  answers: readonly ServerAnswer[],
  { port, isPortGiven, previous, hasRivals = false }: AddressPreferences,
): { readonly answer: ServerAnswer; readonly isCertain: boolean } | undefined {
  const rankOf = ({ url, status, isPage, hasCorsHeaders, isAnnounced }: ServerAnswer): number => {
    const atPort = portOf(url) === port
    const criteria = [
      isPortGiven && atPort,
      url === previous,
      isPage,
      atPort,
      isReadyStatus(status),
      isAnnounced,
      !hasCorsHeaders,
    ]
    return criteria.reduce((sum, isMet) => sum * 2 + Number(isMet), 0)
  }
  // A server may announce each of its addresses.
  const orderOf = ({ url }: ServerAnswer) => answers.findIndex((other) => portOf(other.url) === portOf(url))
  const [best] = answers.toSorted(
    (a, b) =>
      rankOf(b) - rankOf(a) ||
      orderOf(b) - orderOf(a) ||
      Number(b.isNamedLocal ?? false) - Number(a.isNamedLocal ?? false) ||
      pathOf(a.url).length - pathOf(b.url).length,
  )
  if (!best) return undefined
  const { url, status, isPage, isAnnounced } = best
  const atPort = portOf(url) === port
  const isFinal = isPortGiven ? atPort : isPage && isReadyStatus(status) && (atPort || !hasRivals)
  return { answer: best, isCertain: url === previous || (isAnnounced && isFinal) }
}

const pathOf = (url: string): string => new URL(url).pathname

/** Whether a server that names this address may still name a better one: few have their application below a path. */
export const isBesideRoot = ({
  url,
  isNamedLocal = false,
}: Pick<ServerAnswer, 'url' | 'isNamedLocal'>): boolean => !isNamedLocal && pathOf(url) !== '/'

/** The port of a URL; the default port of its scheme if it has none. */
export function portOf(url: string): number {
  const { port, protocol } = new URL(url)
  return Number(port || (protocol === 'https:' ? 443 : 80))
}
