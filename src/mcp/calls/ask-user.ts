// Asking the user about a host, in a form that their client shows. Whatever is not a clear yes is a no.

import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation'
import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import type { AskUser } from '../../runtime/ports/tool-call.ts'

const ANSWER_TIMEOUT_MS = 60_000

/** For the SDK: whatever the user answers is judged here, below. */
export const acceptAllValidator: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
}

/** Asks within the call that needs to know, because over HTTP a client may listen to nothing else. Undefined where the client cannot ask. */
export function createAskUser(server: Server, relatedRequestId: RequestId): AskUser | undefined {
  if (!server.getClientCapabilities()?.elicitation) return undefined
  return async ({ host, port, addresses }, session) => {
    const punycode = host.split('.').some((label) => label.startsWith('xn--'))
    const odd = punycode ? ' Its name contains letters that may look like others.' : ''
    const message = `A page of session "${session}" wants to open ${host} on port ${port}, which no rule allows. It resolves to ${addresses.join(', ')}.${odd} Allow this for this session for ten minutes?`
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
