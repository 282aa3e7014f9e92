// What the suite asks of a server of 2026-07-28: tools that need input of the user, and others for this era only. Names, texts and schemas
// are the suite's.

import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type GetPromptResult,
  type InputRequest,
  inputRequired,
  type InputRequiredResult,
  INVALID_PARAMS,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server'

type ModernTool = (context: ServerContext) => Promise<CallToolResult | InputRequiredResult>

const resultOf = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })

const form = (message: string, field: string): InputRequest =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  })
const sampling = (text: string): InputRequest =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 100,
  })
const roots: InputRequest = { method: 'roots/list', params: {} }

const capabilitiesOf = ({ mcpReq: { envelope } }: ServerContext): ClientCapabilities =>
  ((envelope ?? {}) as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities })[
    CLIENT_CAPABILITIES_META_KEY
  ] ?? {}

// Asks until the client has answered all of it.
const ask =
  (inputRequests: Record<string, InputRequest>, requestState?: string): ModernTool =>
  async ({ mcpReq: { inputResponses = {}, requestState: stateOf } }) => {
    const state = stateOf()
    if (state !== undefined && state !== requestState) throw createStateError()
    return Object.keys(inputRequests).every((name) => name in inputResponses)
      ? resultOf('state-ok')
      : inputRequired({ inputRequests, ...(requestState !== undefined && { requestState }) })
  }

const createStateError = (): Error =>
  Object.assign(new Error('requestState is not the one that was sent'), { code: INVALID_PARAMS })

const askTwice: ModernTool = async (context) => {
  const isSecond = context.mcpReq.requestState() !== undefined
  const step = isSecond
    ? ask({ step2: form('Step 2: What is your favorite color?', 'color') }, 'state-2')
    : ask({ step1: form('Step 1: What is your name?', 'name') }, 'state-1')
  if (!isSecond || context.mcpReq.requestState() === 'state-2') return step(context)
  return inputRequired({
    inputRequests: { step2: form('Step 2: What is your favorite color?', 'color') },
    requestState: 'state-2',
  })
}

const name = { user_name: form('What is your name?', 'name') }
const confirmation = { confirm: form('Please confirm', 'ok') }
const capital = { capital_question: sampling('What is the capital of France?') }

export const modernTools: Readonly<Record<string, ModernTool>> = {
  test_input_required_result_elicitation: ask(name),
  test_input_required_result_sampling: ask(capital),
  test_input_required_result_list_roots: ask({ client_roots: roots }),
  test_input_required_result_request_state: ask(confirmation, 'state-of-the-call'),
  test_input_required_result_tampered_state: ask(confirmation, 'state-of-the-call'),
  test_input_required_result_multiple_inputs: ask(
    { ...name, greeting: sampling('Generate a greeting'), client_roots: roots },
    'state-of-the-call',
  ),
  test_input_required_result_multi_round: askTwice,
  test_input_required_result_capabilities: (context) => {
    const { elicitation, sampling: hasSampling } = capabilitiesOf(context)
    return ask({ ...(elicitation && name), ...(hasSampling && capital) })(context)
  },
  async test_missing_capability(context) {
    if (!capabilitiesOf(context).sampling)
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    return resultOf('The client has sampling.')
  },
  test_streaming_elicitation: ask(name),
  async test_logging_tool({ mcpReq }) {
    await mcpReq.log('info', 'Logged by the tool')
    return resultOf('Logged, if the request set a level.')
  },
}

/** A prompt that asks for its context. */
export async function getPromptWithInput({
  mcpReq: { inputResponses },
}: ServerContext): Promise<GetPromptResult | InputRequiredResult> {
  const answer = inputResponses?.['user_context']
  if (!answer)
    return inputRequired({
      inputRequests: { user_context: form('What context should the prompt use?', 'context') },
    })
  return { messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(answer) } }] }
}
