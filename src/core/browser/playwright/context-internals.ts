// The server objects of Playwright whose options every new page of a context gets before its first script runs, popups too. The public
// API sets them only when the context is created.

import type { BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { internalsOf } from './internals.ts'

/** The options of a context that can change while it is open. */
export const PAGE_DEFAULT_NAMES = [
  'viewport',
  'screen',
  'userAgent',
  'colorScheme',
  'reducedMotion',
  'forcedColors',
  'contrast',
] as const satisfies readonly (keyof BrowserContextOptions)[]

export type PageDefaults = Pick<BrowserContextOptions, (typeof PAGE_DEFAULT_NAMES)[number]>

interface ProtocolSession {
  send(method: string, message: object): Promise<unknown>
}

export interface ServerContext {
  readonly _options: { -readonly [K in keyof PageDefaults]: PageDefaults[K] } & {
    readonly locale?: string
    readonly timezoneId?: string
    httpCredentials?: object
  }
  readonly _browser: { readonly _browserSession?: ProtocolSession }
  setUserAgent(userAgent: string | undefined): Promise<void>
  doUpdateDefaultViewport(): Promise<void>
  /** WebDriver BiDi only. */
  _userContextId?(): string
}

interface ServerPage {
  readonly delegate: {
    /** Chromium only: one for the page and one for each frame in another process. */
    readonly _sessions?: ReadonlyMap<string, { readonly _client: ProtocolSession }>
    /** WebDriver BiDi only: its id is that of the browsing context. */
    readonly _session?: Partial<ProtocolSession> & { readonly sessionId?: string }
    updateEmulatedViewportSize(): Promise<void>
  }
  _setEmulatedSize(size: { viewport: object; screen: object }): void
}

/** Undefined where Playwright runs on another machine or its internals look different. */
export function serverContextOf(context: BrowserContext): ServerContext | undefined {
  const server = internalsOf<Partial<ServerContext>>(context)
  const isComplete = server?._options && server.setUserAgent && server.doUpdateDefaultViewport
  return isComplete ? (server as ServerContext) : undefined
}

export function serverPageOf(page: Page): ServerPage | undefined {
  const server = internalsOf<Partial<ServerPage>>(page)
  return server?._setEmulatedSize && server.delegate ? (server as ServerPage) : undefined
}

/** WebDriver BiDi only. */
export const bidiSessionOf = (page: Page): Partial<ProtocolSession> | undefined =>
  serverPageOf(page)?.delegate._session

/** Playwright's own CDP sessions of a page and of its frames in other processes; empty outside Chromium. */
export const protocolSessionsOf = (page: Page): readonly ProtocolSession[] =>
  [...(serverPageOf(page)?.delegate._sessions?.values() ?? [])].map(({ _client }) => _client)
