import type { Server } from '@modelcontextprotocol/server'
import type { Era } from '../../core/mcp/calls/era.ts'
import type { RateLimiter } from '../../core/mcp/calls/rate-limiter.ts'
import type { ListenToResources } from '../../core/mcp/subscriptions.ts'
import type { Authenticate } from './authentication.ts'

export interface HttpOptions {
  readonly host: string
  readonly port: number
  /** Undefined: every client on this machine is accepted, each with its own sessions. */
  readonly authenticate: Authenticate | undefined
  readonly issuer?: string | undefined
  /** The URL under which clients reach this server, where it differs from its own address. */
  readonly publicUrl?: string | undefined
  readonly origins: readonly string[]
  /** Creates the server of one MCP session of this owner, or of one request. Its calls count for the rate limits of the client. */
  readonly createServer: (owner: string, client: string, era: Era) => Server
  readonly listenToResources: (owner: string, ...listen: Parameters<ListenToResources>) => () => void
  readonly limiter?: Pick<RateLimiter, 'checkCalls' | 'checkRequests'>
  /** `reason`: the text of the status line. */
  readonly health: () => { readonly ok: boolean; readonly reason: string; readonly body: object }
  readonly metrics: () => string
  readonly onRequest: (event: RequestEvent) => void
  readonly onError: (error: Error) => void
}

/** For the log. `ms` is the time from the request to the end of its response. */
type RequestEvent = {
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly ms: number
}

export interface HttpServer {
  readonly url: string
  /** The port that it listens on, which is not always the port of its url. */
  readonly port: number
  /** Resolves when the tool calls that have arrived are answered. */
  waitForAnswers(): Promise<unknown>
  /** Accepts no more connections and ends the open ones. */
  close(): Promise<void>
}
