// Anthropic's Messages API.

import {
  answersIn,
  events,
  imagePart,
  json,
  type Message,
  type ModelApi,
  otherPart,
  type Part,
  textPart,
  type Turn,
} from './api.ts'

interface Block {
  readonly type: string
  readonly text?: string
  readonly source?: { readonly type: string; readonly media_type?: string; readonly data?: string }
  readonly content?: string | readonly Block[]
}

interface Body {
  readonly stream?: boolean
  readonly tools?: readonly { readonly name: string }[]
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[]
}

export const messagesApi: ModelApi = {
  path: /\/messages$/,
  read(given) {
    const { stream = false, tools = [], messages } = given as Body
    return {
      tools: tools.map(({ name }) => name),
      isStreamed: stream,
      wantsJson: false,
      answers: answersIn(messages.map(messageOf)),
    }
  },
  reply(turn, isStreamed) {
    const stop_reason = turn.type === 'call' ? 'tool_use' : 'end_turn'
    if (!isStreamed) return json({ ...baseOf(turn), content: [blockOf(turn)], stop_reason, usage })
    return events(
      streamed(turn, stop_reason).map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}`),
    )
  },
}

// --- internal ---

const usage = { input_tokens: 1, output_tokens: 1 }
const baseOf = ({ id }: Turn) => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  model: 'scripted',
  stop_sequence: null,
})

function messageOf({ role, content }: Body['messages'][number]): Message {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  if (role === 'assistant')
    return { from: 'model', calls: blocks.filter(({ type }) => type === 'tool_use').length }
  return { from: 'client', parts: blocks.flatMap(partsOf) }
}

function partsOf(block: Block): Part[] {
  const { type, text = '', source, content = [] } = block
  if (type === 'text') return [textPart(text)]
  if (type === 'tool_result')
    return typeof content === 'string' ? [textPart(content)] : content.flatMap(partsOf)
  return type === 'image' && source?.type === 'base64'
    ? [imagePart(source.media_type ?? '', source.data ?? '')]
    : [otherPart(block)]
}

const blockOf = (turn: Turn) =>
  turn.type === 'call'
    ? { type: 'tool_use', id: turn.id, name: turn.tool, input: turn.input }
    : { type: 'text', text: turn.text }

type StreamEvent = { readonly type: string } & Readonly<Record<string, unknown>>

function streamed(turn: Turn, stop_reason: string): StreamEvent[] {
  const empty = turn.type === 'call' ? { ...blockOf(turn), input: {} } : { type: 'text', text: '' }
  const delta =
    turn.type === 'call'
      ? { type: 'input_json_delta', partial_json: JSON.stringify(turn.input) }
      : { type: 'text_delta', text: turn.text }
  return [
    { type: 'message_start', message: { ...baseOf(turn), content: [], stop_reason: null, usage } },
    { type: 'content_block_start', index: 0, content_block: empty },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ]
}
