// What a server is made of that features bring: each part is of one feature, and without it there is none.

import type { Files, NamedStates } from '../../base/files/files.ts'
import type { TemporaryFolder } from '../../base/files/temporary-folder.ts'
import type { Secrets } from '../../base/redaction/secret-placeholders.ts'
import type { Log } from '../../base/system/log.ts'
import type { RemoteBrowsers } from '../../browser/playwright/browser-source.ts'
import type { BrowserPool } from '../../browser/process/browser-pool.ts'
import type { AttachedBrowsers } from '../../browser/process/pool-options.ts'
import type { ProgramLimits } from '../../devserver/process/allowed-programs.ts'
import type { ServerContext } from '../../devserver/process/start-context.ts'
import type { GuardedServers } from '../../devserver/start/dev-servers.ts'
import type { FailureForm } from '../../mcp/answers/failure-form.ts'
import type { McpApp } from '../../mcp/calls/mcp-app.ts'
import type { RateLimiter } from '../../mcp/calls/rate-limiter.ts'
import type { CallEvent } from '../../mcp/calls/run-tool.ts'
import type { ServerOptions } from '../../mcp/calls/server-options.ts'
import type { EgressProxies } from '../../sessions/types/egress-proxy.ts'
import type { ClosableSessionManager } from '../../sessions/types/session-manager.ts'
import type { FeatureParts, StartedFeature } from '../../tool/feature.ts'
import type { CallContext } from '../../tool/tool.ts'
import type { SettingFacts, Settings } from '../options/options.ts'

declare module '../../tool/feature.ts' {
  interface FeatureParts {
    /** The secrets as calls read them. `learn` hides a value that was read. Throws where one cannot be read. */
    readonly readSecrets?: (secrets: Secrets, learn: (value: string) => void) => Secrets
    /** The page for people. `socketPath` is that of the private socket, once there is one. */
    readonly createView?: (services: Services, socketPath: () => string | undefined) => OfferedView
    /** Lets other programs of the user in by a private socket, once a client has had its first answer. */
    readonly listenBeside?: (server: RunningServer) => Promise<void>
  }

  interface ServerStart extends SettingFacts {
    readonly settings: Settings
    /** Whether `--tools` lists a tool. */
    readonly isListed: (tool: string) => boolean
    /** Of the programs that clients may start. */
    readonly limits: ProgramLimits | undefined
    readonly createContext: () => ServerContext
    /** What the features give calls, once all have started. */
    readonly featureContext: () => FeatureContext
    readonly secrets: Secrets
    /** Has values hidden in all that leaves. */
    readonly learn: (values: readonly string[]) => void
    readonly log: Log
  }

  interface StartedFeature {
    /** The proxies that apply host rules. */
    readonly proxies?: EgressProxies
    readonly states?: NamedStates
    readonly attach?: AttachedBrowsers
    readonly remote?: RemoteBrowsers | undefined
    /** Has each call that was answered. */
    readonly onCall?: (event: CallEvent) => void
    /** Serves others, in place of stdio. */
    readonly serveClients?: (server: RunningServer) => Promise<void>
    /** Whether stderr has the address of its view. */
    readonly announcesView?: boolean
    /** What failures have for every client, in place of what each client gets. */
    readonly formChanges?: Partial<FailureForm>
  }
}

/** What features add to a server, with what they have made for it. */
export type ServerParts = FeatureParts & StartedFeature

/** A member of the first feature that has it. */
export const findPart = <P extends FeatureParts, K extends keyof P>(
  features: readonly P[],
  key: K,
): P[K] | undefined => features.find((feature) => feature[key] !== undefined)?.[key]

/** The members of the context of a call that features declare. */
export type FeatureContext = Omit<CallContext, 'caller' | 'files' | 'secrets' | 'sessions'>

/** Everything a server consists of. */
export interface Services {
  readonly browsers: BrowserPool
  readonly servers: GuardedServers
  readonly proxies: EgressProxies
  readonly files: Files
  /** What the features give calls. */
  readonly featureContext: FeatureContext
  readonly features: readonly ServerParts[]
  readonly endFeatures: () => Promise<unknown>
  readonly sessions: ClosableSessionManager
  readonly secrets: Secrets
  /** Of the calls of each client. */
  readonly limiter: RateLimiter
  readonly temporary: TemporaryFolder
  readonly log: Log
}

/** A server that runs, for what lets clients in. */
export interface RunningServer {
  readonly settings: Settings
  readonly services: Services
  /** What every MCP server of this process is made with. */
  readonly options: ServerOptions
  readonly view: OfferedView | undefined
  readonly isDraining: () => boolean
  readonly onProtocolError: (error: Error) => void
  end(exitCode: number): Promise<void>
  /** Set by who listens. It is closed with the sessions. */
  socket?: PrivateSocket
  /** Set by who serves HTTP. It is closed after the sessions. */
  listener?: Closable
}

interface Closable {
  close(): Promise<void> | void
}

interface PrivateSocket {
  readonly path: string
  readonly opening: Promise<Closable>
}

/** The page for people that a server has. */
export interface OfferedView {
  /** An address of its page that works once. */
  createAddress(): Promise<string>
  /** Answers the view of another server of the user. */
  answerCall(params: unknown, signal: AbortSignal): Promise<object>
  isInUse(): boolean
  close(): void
  /** The same for hosts of MCP Apps. */
  readonly app: McpApp
}

/** The owner of the sessions of a server that has one user. */
export const STDIO_OWNER = 'stdio'
