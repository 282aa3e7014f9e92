// Which pages show the code of a session: those of its own server, at every port on which a process of it listens. Where the session has no
// server, those of the first server of this machine that it opened.

import { isLoopbackHost } from '../../core/base/network/http-guard.ts'
import { parseUrl } from '../../core/base/text/parse-url.ts'
import type { OwnedServer } from '../../core/sessions/types/servers.ts'

export interface OwnOrigins {
  /** Notes that the session opened a document. */
  noteDocument(url: string): void
  /** Whether what a page or a script at this URL runs and shows counts. */
  has(url: string): boolean
  /** The same of a script or a sheet that else would count: what is passed over is noted. */
  accept(url: string): boolean
  /** The origin that counted because the session has no server, and those that did not count, a sentence for each. */
  notes(): readonly string[]
}

type Server = Pick<OwnedServer, 'info' | 'ports' | 'hasLostPort'>

export function createOwnOrigins(findServer: () => Server | undefined): OwnOrigins {
  let first: string | undefined
  let isFirstUsed = false
  const passed = new Map<string, Set<string>>()
  const listensAt = createPortCheck()

  function has(url: string): boolean {
    const { protocol = '', hostname = '', origin, port } = parseUrl(url) ?? {}
    if (!/^https?:$/.test(protocol)) return false
    const server = findServer()
    if (!server) return isLoopbackHost(hostname) && origin === first
    const number = Number(port) || (protocol === 'https:' ? 443 : 80)
    const isHere = isLoopbackHost(hostname) || origin === parseUrl(server.info().url)?.origin
    return isHere && listensAt(server, number)
  }

  return {
    has,
    noteDocument(url) {
      const { hostname = '', origin } = parseUrl(url) ?? {}
      if (isLoopbackHost(hostname)) first ??= origin
    },
    accept(url) {
      if (has(url)) {
        isFirstUsed ||= findServer() === undefined
        return true
      }
      const { hostname = '', origin = '' } = parseUrl(url) ?? {}
      if (!isLoopbackHost(hostname)) return false
      const urls = passed.get(origin) ?? new Set<string>()
      if (passed.size < ORIGIN_LIMIT) passed.set(origin, urls)
      if (urls.size < URL_LIMIT) urls.add(url)
      return false
    },
    notes: () => [
      ...(isFirstUsed ? [`The session has no server: pages of ${first} count, which it opened first.`] : []),
      ...[...passed].map(([origin, { size }]) => {
        const count = `${size}${size === URL_LIMIT ? ' or more' : ''} ${size === 1 ? 'file' : 'files'}`
        const reason = findServer()
          ? "no process of the session's server listens there"
          : `the session has no server, and has opened ${first ?? 'no page of this machine'} first`
        return `Pages of ${origin} do not count (${count}): ${reason}.`
      }),
    ],
  }
}

// --- internal ---

const ORIGIN_LIMIT = 20
const URL_LIMIT = 100
/** How long an answer about a port holds: pages have many scripts, and to look at all processes takes a while. */
const ANSWER_LIFETIME_MS = 200

/** A port that the server had stays its own until another program listens there. */
function createPortCheck(): (server: Server, port: number) => boolean {
  const own = new Set<number>()
  const answers = new Map<number, boolean>()
  let [answeredAt, hasLooked] = [-Infinity, false]
  return (server, port) => {
    if (performance.now() - answeredAt > ANSWER_LIFETIME_MS) {
      answeredAt = performance.now()
      hasLooked = false
      answers.clear()
    }
    const known = answers.get(port)
    if (known !== undefined) return known
    const { port: addressPort, variablePort } = server.info()
    if (port === addressPort || port === variablePort) own.add(port)
    if (!own.has(port) && !hasLooked) {
      for (const one of server.ports?.() ?? []) own.add(one)
      hasLooked = true
    }
    const isOwn = own.has(port) && server.hasLostPort?.(port) !== true
    answers.set(port, isOwn)
    return isOwn
  }
}
