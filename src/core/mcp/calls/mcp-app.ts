// Pages of features as MCP Apps, which hosts that render apps show beside a call. To other clients nothing of them is listed.

import type { CallToolResult, ReadResourceResult, Tool as ListedTool } from '@modelcontextprotocol/server'

export interface McpApp {
  /** That of the page. */
  readonly uri: string
  /** The tool that shows the page. */
  readonly shownBy: string
  /** The tool that the page calls, which no model sees. */
  readonly tool: { readonly name: string; readonly title: string; readonly description: string }
  /** The page, without anything of a session. */
  readPage(): Promise<string>
  /** Checks a call of the page, and answers it for the sessions of `owner`. */
  answer(owner: string, message: unknown, signal: AbortSignal): Promise<object>
}

/** What a client names among its extensions that renders apps. */
export const APP_EXTENSION = 'io.modelcontextprotocol/ui'

const PAGE_MIME_TYPE = 'text/html;profile=mcp-app'

/** The tools with the page of the one that shows it, and with the one that the page calls. */
export const addApp = (tools: readonly ListedTool[], { uri, shownBy, tool }: McpApp): ListedTool[] => [
  ...tools.map((listed) =>
    listed.name === shownBy ? { ...listed, _meta: { ui: { resourceUri: uri } } } : listed,
  ),
  {
    ...tool,
    inputSchema: { type: 'object' as const },
    _meta: { ui: { resourceUri: uri, visibility: ['app'] } },
  },
]

export const callApp = async (
  app: McpApp,
  ...call: Parameters<McpApp['answer']>
): Promise<CallToolResult> => ({
  content: [],
  structuredContent: { ...(await app.answer(...call)) },
})

export const readApp = async ({ uri, readPage }: McpApp): Promise<ReadResourceResult> => ({
  contents: [
    { uri, mimeType: PAGE_MIME_TYPE, text: await readPage(), _meta: { ui: { prefersBorder: true } } },
  ],
})
