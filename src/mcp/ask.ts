// Asking the user about a host, in a form that their client shows. Whatever is not a clear yes is a no.

import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation'
import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import type { Ask } from '../tools/permit.ts'

const PATIENCE = 60_000

export const nobody: Ask = async () => false

/** For the SDK: whatever the user answers is judged here, below. */
export const unchecked: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
}

/** Asks within the call that needs to know, because over HTTP a client may listen to nothing else. */
export function askOver(server: Server, relatedRequestId: RequestId): Ask {
  return async ({ host, port }, session) => {
    if (!server.getClientCapabilities()?.elicitation) return false
    const punycode = host.split('.').some((label) => label.startsWith('xn--'))
    const odd = punycode ? ' Its name is written in other letters than it may seem.' : ''
    const message = `A page of session "${session}" wants to open ${host} on port ${port}, which no rule allows.${odd} Allow it for this session, for ten minutes?`
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
        { timeout: PATIENCE, relatedRequestId },
      )
      return action === 'accept' && content?.['allow'] === true
    } catch {
      return false
    }
  }
}
