// The view as an MCP App, which hosts that render apps show beside a call of handover. To other clients nothing of it is listed.

import type { CallToolResult, ReadResourceResult, Tool as ListedTool } from '@modelcontextprotocol/server'

declare module '../../core/mcp/calls/server-options.ts' {
  interface ServerOptions {
    /** Undefined where clients are not told apart. */
    readonly viewApp?: ViewApp | undefined
  }
}

export interface ViewApp {
  /** The page, without anything of a session. */
  readPage(): Promise<string>
  /** Checks a call of the page, and answers it for the sessions of `owner`. */
  answer(owner: string, message: unknown, signal: AbortSignal): Promise<object>
}

/** What a client names among its extensions that renders apps. */
export const APP_EXTENSION = 'io.modelcontextprotocol/ui'
export const VIEW_URI = 'ui://footlight/view'
export const VIEW_TOOL = 'view'

const PAGE_MIME_TYPE = 'text/html;profile=mcp-app'
const PAGE_TOOL = 'handover'

/** The tools with the page of the one that needs a person, and with the tool that the page calls, which no model sees. */
export const addViewApp = (tools: readonly ListedTool[]): ListedTool[] => [
  ...tools.map((tool) =>
    tool.name === PAGE_TOOL ? { ...tool, _meta: { ui: { resourceUri: VIEW_URI } } } : tool,
  ),
  {
    name: VIEW_TOOL,
    title: 'View',
    description: 'For the page of the view.',
    inputSchema: { type: 'object' as const },
    _meta: { ui: { resourceUri: VIEW_URI, visibility: ['app'] } },
  },
]

export const callView = async (
  app: ViewApp,
  owner: string,
  message: unknown,
  signal: AbortSignal,
): Promise<CallToolResult> => ({
  content: [],
  structuredContent: { ...(await app.answer(owner, message, signal)) },
})

export const readViewPage = async (app: ViewApp): Promise<ReadResourceResult> => ({
  contents: [
    {
      uri: VIEW_URI,
      mimeType: PAGE_MIME_TYPE,
      text: await app.readPage(),
      _meta: { ui: { prefersBorder: true } },
    },
  ],
})
