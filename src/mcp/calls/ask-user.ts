// Asks the user about a host by MCP elicitation. Everything except an explicit yes is a no.

import type {
  ElicitRequestFormParams,
  jsonSchemaValidator,
  RequestId,
  Server,
} from '@modelcontextprotocol/server'
import type { AskUser, HostQuestion } from '../../runtime/ports/tool-call.ts'

export const ANSWER_TIMEOUT_MS = 60_000

/** A validator for the SDK that accepts every answer: `isAllowed` checks it. */
export const acceptAllValidator: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
}

/** Asks a client of the legacy era, on the stream of the tool call, because over HTTP it may have no other stream open. */
export const createAskUser =
  (server: Server, relatedRequestId: RequestId): AskUser =>
  async (question, session) => {
    try {
      const options = { timeout: ANSWER_TIMEOUT_MS, relatedRequestId }
      return isAllowed(await server.elicitInput(formOf(question, session), options))
    } catch {
      return false
    }
  }

/** The form that the user sees. */
export function formOf({ host, port, addresses }: HostQuestion, session: string): ElicitRequestFormParams {
  const isPunycode = host.split('.').some((label) => label.startsWith('xn--'))
  const warning = isPunycode ? ' Its name contains letters that may look like others.' : ''
  return {
    mode: 'form',
    message: `A page of session "${session}" wants to open ${host} on port ${port}, which no rule allows. It resolves to ${addresses.join(', ')}.${warning} Allow this for this session for ten minutes?`,
    requestedSchema: {
      type: 'object',
      properties: { allow: { type: 'boolean', title: `Allow ${host}:${port}` } },
      required: ['allow'],
    },
  }
}

/** Whether the user filled in the form with a yes. */
export function isAllowed(answer: unknown): boolean {
  const { action, content } = (answer ?? {}) as { action?: unknown; content?: { allow?: unknown } }
  return action === 'accept' && content?.allow === true
}
