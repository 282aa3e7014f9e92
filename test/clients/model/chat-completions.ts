// OpenAI's chat completions, which many other providers speak too.

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
  readonly image_url?: { readonly url: string }
}

interface ChatMessage {
  readonly role: string
  readonly content?: string | readonly Content[] | null
  readonly tool_calls?: readonly unknown[]
}

interface Body {
  readonly stream?: boolean
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly messages: readonly ChatMessage[]
  readonly response_format?: { readonly type: string }
}

export const chatCompletions: ModelApi = {
  path: /\/chat\/completions$/,
  read(given) {
    const { stream = false, tools = [], messages, response_format } = given as Body
    return {
      tools: tools.map((tool) => tool.function.name),
      isStreamed: stream,
      wantsJson: response_format !== undefined && response_format.type !== 'text',
      answers: answersIn(messages.map(messageOf)),
    }
  },
  reply(turn, isStreamed) {
    const base = baseOf(turn)
    const finish_reason = turn.type === 'call' ? 'tool_calls' : 'stop'
    const message = { role: 'assistant', ...spoken(turn) }
    if (!isStreamed)
      return json({
        ...base,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason }],
        usage,
      })
    const chunk = (delta: object, reason: string | null) =>
      `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }] })}`
    const end = `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [], usage })}`
    return events([chunk(message, null), chunk({}, finish_reason), end, 'data: [DONE]'])
  },
}

// --- internal ---

const baseOf = ({ id }: Turn) => ({ id: `chatcmpl-${id}`, created: 1, model: 'scripted' })
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }

function messageOf({ role, content, tool_calls = [] }: ChatMessage): Message {
  if (role === 'assistant') return { from: 'model', calls: tool_calls.length }
  const parts: Part[] = typeof content === 'string' ? [textPart(content)] : (content ?? []).map(partOf)
  return { from: 'client', parts }
}

function partOf(content: Content): Part {
  if (content.type === 'text') return textPart(content.text ?? '')
  return content.type === 'image_url' ? imageAt(content.image_url?.url ?? '') : otherPart(content)
}

const spoken = (turn: Turn) =>
  turn.type === 'text'
    ? { content: turn.text }
    : {
        content: null,
        tool_calls: [
          {
            index: 0,
            id: turn.id,
            type: 'function',
            function: { name: turn.tool, arguments: JSON.stringify(turn.input) },
          },
        ],
      }
