// The view of a server. Nothing of it is loaded before somebody wants it.

import type { Log } from '../../core/base/system/log.ts'
import { clock } from '../../core/base/system/timer.ts'
import type { OfferedView } from '../../core/cli/serve/server-parts.ts'
import type { McpApp } from '../../core/mcp/calls/mcp-app.ts'
import type { EgressProxies } from '../../core/sessions/types/egress-proxy.ts'
import type { ClosableSessionManager } from '../../core/sessions/types/session-manager.ts'
import type { View } from './serve-view.ts'
import type { SessionViews } from './viewing.ts'

interface ViewServices {
  readonly sessions: Pick<ClosableSessionManager, 'viewsOf'>
  readonly proxies: Pick<EgressProxies, 'reservePort'>
  readonly log: Pick<Log, 'error'>
}

/** `ownSocket` is the path of the private socket, once there is one. */
export function createViewStarter(
  { sessions, proxies, log }: ViewServices,
  ownSocket: () => string | undefined,
): OfferedView {
  let [starting, view]: [Promise<View> | undefined, View | undefined] = [undefined, undefined]
  const onBug = (error: unknown) =>
    log.error('internal error', { stack: (error instanceof Error && error.stack) || String(error) })
  async function start(): Promise<View> {
    const { serveView } = await import('./serve-view.ts')
    view = await serveView({ views: sessions.viewsOf(), ownSocket, clock, onBug })
    proxies.reservePort(view.port)
    return view
  }
  return {
    createAddress: async () => (await (starting ??= start())).createAddress(),
    async answerCall(params, signal) {
      const { answerViewCall } = await import('./view-calls.ts')
      return answerViewCall(sessions.viewsOf(), params, signal).catch((error: unknown) => {
        onBug(error)
        return { ok: false, text: 'The server failed at this. Its log says why.' }
      })
    },
    isInUse: () => view?.isInUse() === true,
    close: () => view?.close(),
    app: createViewApp(sessions.viewsOf),
  }
}

// --- internal ---

/** The view for hosts of MCP Apps, beside a call of handover; loaded when one shows it. */
function createViewApp(viewsOf: (owner: string) => SessionViews): McpApp {
  let loading: Promise<Pick<McpApp, 'readPage' | 'answer'>> | undefined
  const load = () =>
    (loading ??= import('./view-app.ts').then(({ createViewPage }) => createViewPage(viewsOf)))
  return {
    uri: 'ui://footlight/view',
    shownBy: 'handover',
    tool: { name: 'view', title: 'View', description: 'For the page of the view.' },
    readPage: async () => (await load()).readPage(),
    answer: async (...call) => (await load()).answer(...call),
  }
}
