// The view within a host of MCP Apps: the same page and the same calls, for the sessions of the client that shows it.

import type { McpApp } from '../../core/mcp/calls/mcp-app.ts'
import { startHostView } from './in-page/generated.ts'
import { listOwnSessions } from './other-servers.ts'
import { createCallView } from './serve-view.ts'
import { answerViewCall } from './view-calls.ts'
import { viewPage } from './view-page.ts'
import type { SessionViews } from './viewing.ts'

export const createViewPage = (
  viewsOf: (owner: string) => SessionViews,
): Pick<McpApp, 'readPage' | 'answer'> => ({
  readPage: async () => viewPage(startHostView).html,
  answer(owner, message, signal) {
    const views = viewsOf(owner)
    const call = createCallView({
      list: (viewer) => listOwnSessions(views, viewer),
      call: (_, ownMessage, ownSignal) => answerViewCall(views, ownMessage, ownSignal),
    })
    return call(message, signal)
  },
})
