// OpenAI's Responses API.

import {
  answersIn,
  events,
  imageAt,
  json,
  type Message,
  type ModelApi,
  otherPart,
  type Part,
  textPart,
  type Turn,
} from './api.ts'

interface Content {
  readonly type: string
  readonly text?: string
  readonly image_url?: string
}

interface Item {
  readonly type?: string
  readonly tools?: readonly Tool[]
  readonly role?: string
  readonly content?: string | readonly Content[]
  readonly output?: string | readonly Content[]
}

interface Tool {
  readonly type: string
  readonly name?: string
  readonly tools?: readonly Tool[]
}

interface Body {
  readonly stream?: boolean
  readonly tools?: readonly Tool[]
  readonly input: string | readonly Item[]
  readonly text?: { readonly format?: { readonly type?: string } }
}

export const responses: ModelApi = {
  path: /\/responses$/,
  read(given) {
    const { stream = false, tools = [], input, text } = given as Body
    const added = typeof input === 'string' ? [] : input.flatMap((item) => item.tools ?? [])
    return {
      tools: namesOf([...tools, ...added]),
      isStreamed: stream,
      wantsJson: text?.format?.type === 'json_schema',
      answers: answersIn(typeof input === 'string' ? [] : input.map(messageOf)),
    }
  },
  reply(turn, isStreamed) {
    const item = itemOf(turn)
    const done = { ...response, id: `resp_${turn.id}`, status: 'completed', output: [item], usage }
    return isStreamed ? events(streamed(turn, item, done).map(eventOf)) : json(done)
  },
}

// --- internal ---

// The tools of a namespace are called by both names; here they stand with a slash between them.
const namesOf = (tools: readonly Tool[], before = ''): string[] =>
  tools.flatMap(({ name = '', tools: inner }) => (inner ? namesOf(inner, `${name}/`) : [`${before}${name}`]))

function calledBy(tool: string): { readonly name: string; readonly namespace?: string } {
  const [name = '', namespace] = tool.split('/').toReversed()
  return { name, ...(namespace !== undefined && { namespace }) }
}

function messageOf({ type, role, content, output }: Item): Message {
  if (type === 'function_call' || type === 'custom_tool_call') return { from: 'model', calls: 1 }
  if (type === 'reasoning' || type === 'additional_tools' || role === 'assistant')
    return { from: 'model', calls: 0 }
  return { from: 'client', parts: partsOf(output ?? content ?? []) }
}

const partsOf = (content: string | readonly Content[]): Part[] =>
  typeof content === 'string' ? [textPart(content)] : content.map(partOf)

function partOf(content: Content): Part {
  if (content.type === 'input_text') return textPart(content.text ?? '')
  return content.type === 'input_image' ? imageAt(content.image_url ?? '') : otherPart(content)
}

const usage = {
  input_tokens: 1,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 2,
}

const response = {
  object: 'response',
  created_at: 1,
  model: 'scripted',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: false,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
}

function itemOf(turn: Turn) {
  const status = 'completed'
  if (turn.type === 'text') {
    const content = [{ type: 'output_text', text: turn.text, annotations: [], logprobs: [] }]
    return { type: 'message', id: `msg_${turn.id}`, role: 'assistant', status, content }
  }
  const call = { call_id: turn.id, ...calledBy(turn.tool), status }
  return typeof turn.input === 'string'
    ? { type: 'custom_tool_call', id: `ctc_${turn.id}`, ...call, input: turn.input }
    : { type: 'function_call', id: `fc_${turn.id}`, ...call, arguments: JSON.stringify(turn.input) }
}

type StreamEvent = { readonly type: string } & Readonly<Record<string, unknown>>

function streamed(turn: Turn, item: ReturnType<typeof itemOf>, done: object): StreamEvent[] {
  const begun = { ...response, id: `resp_${turn.id}`, status: 'in_progress', output: [], usage: null }
  return [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, ...emptied(turn) } },
    ...inner(turn).map((event) => ({ ...event, item_id: item.id, output_index: 0 })),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: done },
  ]
}

function emptied(turn: Turn): object {
  const status = 'in_progress'
  if (turn.type === 'text') return { status, content: [] }
  return typeof turn.input === 'string' ? { status, input: '' } : { status, arguments: '' }
}

function inner(turn: Turn): StreamEvent[] {
  if (turn.type === 'text') {
    const part = (text: string) => ({
      content_index: 0,
      part: { type: 'output_text', text, annotations: [] },
    })
    return [
      { type: 'response.content_part.added', ...part('') },
      { type: 'response.output_text.delta', content_index: 0, delta: turn.text, logprobs: [] },
      { type: 'response.output_text.done', content_index: 0, text: turn.text, logprobs: [] },
      { type: 'response.content_part.done', ...part(turn.text) },
    ]
  }
  if (typeof turn.input === 'string')
    return [
      { type: 'response.custom_tool_call_input.delta', delta: turn.input },
      { type: 'response.custom_tool_call_input.done', input: turn.input },
    ]
  const text = JSON.stringify(turn.input)
  return [
    { type: 'response.function_call_arguments.delta', delta: text },
    { type: 'response.function_call_arguments.done', arguments: text },
  ]
}

const eventOf = (event: StreamEvent, index: number): string =>
  `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: index })}`
