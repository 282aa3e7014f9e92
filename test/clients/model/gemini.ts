// Gemini's generateContent and streamGenerateContent.

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

interface Content {
  readonly text?: string
  readonly inlineData?: { readonly mimeType: string; readonly data: string }
  readonly functionCall?: unknown
  readonly functionResponse?: { readonly response?: unknown; readonly parts?: readonly Content[] }
}

interface Body {
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[]
  readonly contents: readonly { readonly role?: string; readonly parts?: readonly Content[] }[]
  readonly generationConfig?: { readonly responseMimeType?: string }
}

export const gemini: ModelApi = {
  path: /:(streamGenerateContent|generateContent)$/,
  read(given, path) {
    const { tools = [], contents, generationConfig } = given as Body
    return {
      tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
      isStreamed: path.endsWith(':streamGenerateContent'),
      wantsJson: generationConfig?.responseMimeType === 'application/json',
      answers: answersIn(contents.map(messageOf)),
    }
  },
  reply(turn, isStreamed) {
    const body = {
      candidates: [{ index: 0, content: { role: 'model', parts: [spoken(turn)] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      modelVersion: 'scripted',
      responseId: turn.id,
    }
    return isStreamed ? events([`data: ${JSON.stringify(body)}`]) : json(body)
  },
}

// --- internal ---

function messageOf({ role, parts = [] }: Body['contents'][number]): Message {
  return role === 'model'
    ? { from: 'model', calls: parts.filter(({ functionCall }) => functionCall !== undefined).length }
    : { from: 'client', parts: parts.flatMap(partsOf) }
}

function partsOf(content: Content): Part[] {
  const { text, inlineData, functionResponse } = content
  if (text !== undefined) return [textPart(text)]
  if (inlineData) return [imagePart(inlineData.mimeType, inlineData.data)]
  if (!functionResponse) return [otherPart(content)]
  const { response, parts = [] } = functionResponse
  return [...textsIn(response), ...parts.flatMap(partsOf)]
}

// The answer of a function is JSON; one that is words alone is read as them.
function textsIn(response: unknown): Part[] {
  const fields = Object.values((response ?? {}) as object)
  const [only] = fields
  return fields.length === 1 && typeof only === 'string' ? [textPart(only)] : [otherPart(response)]
}

const spoken = (turn: Turn): object =>
  turn.type === 'call' ? { functionCall: { name: turn.tool, args: turn.input } } : { text: turn.text }
