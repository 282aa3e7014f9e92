// What stands between a session's pages and the network, where host rules are set.

import type { HostRule } from '../../core/network/host-rule.ts'
import type { Denial, Grant, Origin } from '../../core/network/host-rules.ts'

export interface EgressProxy {
  /** The proxy that the session's pages must use. */
  readonly address: string
  /** What the rules say of a URL before its name is resolved. */
  check(url: string): Denial | undefined
  /** What was refused to a host since this many refusals. */
  denied(origin: Origin, since: number): Denial | undefined
  /** Why an origin could not be reached the last time, if it could not. */
  unreachable(origin: Origin): string | undefined
  /** How much has been refused so far. */
  count(): number
  /** What they say once it is resolved, where that depends on the user. */
  inspect(url: string): Promise<Inspected>
  /** Allows an origin, for `ms` milliseconds where they are given. */
  grant(grant: Grant, ms?: number): void
  close(): void
}

/** With addresses, the user may allow the origin there. */
export type Inspected =
  | { readonly allowed: true }
  | { readonly denial: Denial; readonly addresses?: readonly string[] }
  | { readonly unreachable: string }

/** Where a URL may be asked by this process: `denial` says that the rules allow it to no page. */
export type Reached =
  | { readonly addresses: readonly string[]; readonly ofMachine: boolean; readonly denial?: Denial }
  | { readonly denial: Denial }
  | { readonly unreachable: string }

/** Judges a URL that this process itself asks on behalf of a session. */
export type Reach = (url: string) => Promise<Reached>

export interface EgressProxyHooks {
  /** Something that a page wanted was refused. */
  denied(url: string, denial: Denial): void
}

export interface EgressProxies {
  /** Whether every session has a gate. */
  readonly always: boolean
  /** A gate for one session with a list of its own; undefined where no rule is set. */
  open(list: readonly HostRule[] | undefined, hooks: EgressProxyHooks): Promise<EgressProxy | undefined>
  /** The judge of such URLs for one session; undefined where everything is allowed. */
  reach(list: readonly HostRule[] | undefined): Reach | undefined
  /** The address of the proxy that refuses everything, for the browser processes themselves. */
  refusing(): Promise<string>
  /** Keeps pages from a port of this machine until the answer is called. */
  reserve(port: number): () => void
  close(): void
}
