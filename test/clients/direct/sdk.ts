// The clients of the protocol's own SDK for TypeScript, in both of its major versions.

import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttpTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernStdioTransport } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { MODERN_REVISION } from '../../support/modern.ts'
import type { Stage } from '../stage.ts'
import { type DirectClient, partsOf, playSteps } from './direct-client.ts'

const clientInfo = { name: 'sdk', version: '1' }

/** Version 1, which speaks the legacy era only. */
export const firstSdk: DirectClient = {
  eras: ['legacy'],
  async use(stage) {
    const client = new Client(clientInfo)
    const transport =
      stage.url === undefined
        ? new StdioClientTransport(launchOf(stage))
        : (new StreamableHTTPClientTransport(new URL(stage.url)) as Transport)
    await client.connect(transport)
    try {
      return await playSteps(stage, async ({ tool, input }) =>
        partsOf(
          (await client.callTool({ name: tool, arguments: { ...(input as object) } })) as CallToolResult,
        ),
      )
    } finally {
      await client.close()
    }
  },
}

/** Version 2, which speaks both. */
export const secondSdk: DirectClient = {
  eras: ['legacy', 'modern'],
  async use(stage, era) {
    const mode = era === 'modern' ? { pin: MODERN_REVISION } : 'legacy'
    const client = new ModernClient(clientInfo, { versionNegotiation: { mode } })
    await client.connect(
      stage.url === undefined
        ? new ModernStdioTransport(launchOf(stage))
        : new ModernHttpTransport(new URL(stage.url)),
    )
    try {
      return await playSteps(stage, async ({ tool, input }) =>
        partsOf(await client.callTool({ name: tool, arguments: { ...(input as object) } })),
      )
    } finally {
      await client.close()
    }
  },
}

// --- internal ---

const launchOf = ({ command, env, project }: Stage) => ({
  command,
  args: ['--headless'],
  env: { ...env },
  cwd: project,
  stderr: 'ignore' as const,
})
