// Asks the user about a host by MCP elicitation. Everything except an explicit yes is a no.

import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation'
import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import type { AskUser } from '../../runtime/ports/tool-call.ts'

const ANSWER_TIMEOUT_MS = 60_000

/** A validator for the SDK that accepts every answer: `createAskUser` checks it. */
export const acceptAllValidator: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
}

/** Asks on the stream of the tool call, because over HTTP the client may have no other stream open. Undefined if the client has no
 * elicitation. */
export function createAskUser(server: Server, relatedRequestId: RequestId): AskUser | undefined {
  if (!server.getClientCapabilities()?.elicitation) return undefined
  return async ({ host, port, addresses }, session) => {
    const isPunycode = host.split('.').some((label) => label.startsWith('xn--'))
    const warning = isPunycode ? ' Its name contains letters that may look like others.' : ''
    const message = `A page of session "${session}" wants to open ${host} on port ${port}, which no rule allows. It resolves to ${addresses.join(', ')}.${warning} Allow this for this session for ten minutes?`
    try {
      const { action, content } = await server.elicitInput(
        {
          mode: 'form',
          message,
          requestedSchema: {
            type: 'object',
            properties: { allow: { type: 'boolean', title: `Allow ${host}:${port}` } },
            required: ['allow'],
          },
        },
        { timeout: ANSWER_TIMEOUT_MS, relatedRequestId },
      )
      return action === 'accept' && content?.['allow'] === true
    } catch {
      return false
    }
  }
}
