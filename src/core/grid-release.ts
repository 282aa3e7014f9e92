/** Starts this program to release the Grid sessions of one that was killed. */
export const GRID_RELEASE_COMMAND = 'release-grid-sessions'

/** The sessions of one process on a Grid. */
export interface GridRelease {
  readonly address: RemoteAddress
  readonly name: string
  readonly id?: string
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
