// The proxy between the pages of a session and the network, if there are host rules.

import type { HostRule } from '../../base/network/host-rule.ts'
import type { Denial, Grant, Origin } from '../../base/network/host-rules.ts'

export interface EgressProxy {
  /** The URL of the proxy that the session's pages must use. */
  readonly address: string
  /** The denial of a URL by the rules, before its name is resolved. */
  check(url: string): Denial | undefined
  /** The last denial of an origin after the first `since` denials. */
  findDenial(origin: Origin, since: number): Denial | undefined
  /** Why the last connection to an origin failed. */
  findConnectError(origin: Origin): string | undefined
  denialCount(): number
  /** Resolves the name of a URL and checks it; finds out whether the user may allow it. */
  inspect(url: string): Promise<OriginInspection>
  /** Allows an origin, for `ms` milliseconds or without limit, and only while `isValid` returns true. */
  grant(grant: Grant, ms?: number, isValid?: () => boolean): void
  readonly limitTransfer: LimitTransfer
  close(): void
}

/** Ends each connection to the origin of a URL that has received more than `maximumBytes`, until the returned function is called; `onExceeded`
 * gets the number of bytes. */
export type LimitTransfer = (
  url: string,
  maximumBytes: number,
  onExceeded: (bytes: number) => void,
) => () => void

/** With addresses, the user may allow the origin there. */
export type OriginInspection =
  | { readonly allowed: true }
  | { readonly denial: Denial; readonly addresses?: readonly string[] }
  | { readonly unreachable: string }

/** Whether this process may request a URL. With both `addresses` and `denial`, this process may, but pages may not. */
export type ServerAddressCheck =
  | { readonly addresses: readonly string[]; readonly ofMachine: boolean; readonly denial?: Denial }
  | { readonly denial: Denial }
  | { readonly unreachable: string }

/** Checks a URL that this process itself requests on behalf of a session. */
export type CheckServerAddress = (url: string) => Promise<ServerAddressCheck>

export interface EgressProxyHooks {
  /** Called when a request of a page is denied. */
  onDenied(url: string, denial: Denial): void
}

export interface EgressProxies {
  /** Whether every session has a proxy. */
  readonly isAlwaysUsed: boolean
  /** Whether the user is asked about hosts that no rule names. */
  readonly asksUser?: boolean
  /** Whether browsers reach other machines through a proxy of the user; there can be no rules then. */
  readonly hasUserProxy: boolean
  /** Opens the proxy of one session, with its own rules; undefined if there are no rules. */
  open(list: readonly HostRule[] | undefined, hooks: EgressProxyHooks): Promise<EgressProxy | undefined>
  /** The check of such URLs for one session; undefined if everything is allowed. */
  createServerAddressCheck(list: readonly HostRule[] | undefined): CheckServerAddress | undefined
  /** The URL of the proxy that denies everything, for the browser processes themselves; opened at the first call. */
  openRefusingProxy(): Promise<string>
  /** Denies pages a port of this machine until the returned function is called. */
  reservePort(port: number): () => void
  close(): void
}
