import type { PageOptions } from './browsers.ts'
import type { OwnedServer } from './servers.ts'
import type { ServerRequest } from '../../core/dev-server.ts'
import type { HostRule } from '../../core/network/host-rule.ts'
import type { Journal } from '../../core/session/journal.ts'

/** What a client wants a session to be. */
export interface SessionRequest extends PageOptions {
  readonly name?: string
  readonly actionTimeout?: number
  readonly sessionTimeout?: number
  readonly server?: ServerRequest
  /** The server of another session, which goes on when this one closes. */
  readonly sharedServer?: SharedServer
  readonly trace?: TraceMode
  /** The name of a state that is loaded now and saved at close. */
  readonly restore?: string
  /** The hosts that its pages may access, within the rules of the process. */
  readonly allowedHosts?: readonly HostRule[]
}

/** A dev server, and the journal that has its output. */
export interface SharedServer {
  readonly server: OwnedServer
  readonly journal: Journal
}

/** `on`: one trace of the whole session; `on-failure`: one trace per failure. */
export type TraceMode = 'off' | 'on' | 'on-failure'
