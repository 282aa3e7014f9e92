// What stands between a session's pages and the network, where host rules are set.

import type { Denial, Origin, Rule } from '../../core/hosts.ts'

export interface Gate {
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
  /** Allows an origin, for `ms` milliseconds where they are given. */
  grant(origin: Origin, ms?: number): void
  close(): void
}

export interface GateHooks {
  /** Something that a page wanted was refused. */
  denied(url: string, denial: Denial): void
}

export interface Gates {
  /** Whether every session has a gate. */
  readonly always: boolean
  /** A gate for one session with a list of its own; undefined where no rule is set. */
  open(list: readonly Rule[] | undefined, hooks: GateHooks): Promise<Gate | undefined>
}
