/** Starts this program to release what one that was killed holds on other machines. */
export const RELEASE_COMMAND = 'release-remote-browsers'

export type RemoteRelease = GridRelease | HttpCall

/** The sessions of one process on a Grid. */
export interface GridRelease {
  readonly address: RemoteAddress
  readonly name: string
  readonly id?: string
  /** The hosts of nodes, besides that of the hub. */
  readonly nodeHosts?: readonly string[]
}

/** The address of a remote browser or Grid. */
export interface RemoteAddress {
  /** Without user information. */
  readonly url: string
  /** What each request to it carries. */
  readonly headers: Readonly<Record<string, string>>
  /** What messages show: neither user information nor a query, which may hold keys. */
  readonly label: string
}

export interface HttpCall {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body?: unknown
}
