// What a session manager is made with besides its ports.

export interface MemoryLimit {
  /** Megabytes above which no session is opened; 0 or undefined is no limit. */
  readonly memoryLimit: number | undefined
  /** The memory of the machine in megabytes, if the limit is a quarter of it. */
  readonly memoryTotal?: number
}

/** Features declare here what their sessions read of the settings. */
export interface SessionManagerOptions extends MemoryLimit {
  readonly browser: string
  readonly maxSessions: number
  /** The maximum number of sessions of one owner; undefined is no limit. */
  readonly clientSessions?: number | undefined
  readonly sessionTimeout: number
  readonly maxLifetime: number
  readonly actionTimeout: number
  readonly navigationTimeout: number
  readonly implicitSession: boolean
  /** Whether any client may use a session by its full id, as over HTTP without authentication. */
  readonly handles: boolean
  readonly ignoreHttpsErrors?: boolean
  readonly onEvent: (event: SessionEvent) => void
}

export type SessionEvent =
  | { event: 'server_ready'; sessionId: string; url: string; mode: string }
  | { event: 'server_ended'; sessionId: string; reason: string }
  | { event: 'session_started'; sessionId: string; browser: string }
  | { event: 'session_ended'; sessionId: string; reason: string }
  | { event: 'person_needed'; sessionId: string; reason: string }
