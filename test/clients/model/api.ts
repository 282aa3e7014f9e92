// What the APIs of models have in common: a request says which tools there are and what the calls so far have answered; the reply is a
// call of a tool, or words.

/** What a model gets to see. */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly bytes: Uint8Array }

export interface ModelRequest {
  readonly tools: readonly string[]
  readonly isStreamed: boolean
  /** Whether it asks for JSON of some schema, as a client's own questions do. */
  readonly wantsJson: boolean
  /** For each call of a tool so far, what came between it and the next word of the model. */
  readonly answers: readonly (readonly Part[])[]
}

/** `id` is used once: clients replace what has the same one. */
export type Turn = { readonly id: string } & (
  | {
      readonly type: 'call'
      readonly tool: string
      readonly input: Readonly<Record<string, unknown>> | string
    }
  | { readonly type: 'text'; readonly text: string }
)

export interface ModelReply {
  readonly contentType: string
  readonly body: string
}

export interface ModelApi {
  /** The path of a request for the model's next turn. */
  readonly path: RegExp
  read(body: unknown, path: string): ModelRequest
  reply(turn: Turn, isStreamed: boolean): ModelReply
}

/** One entry of a conversation: what the model said, or what it was given. */
export type Message =
  | { readonly from: 'model'; readonly calls: number }
  | { readonly from: 'client'; readonly parts: readonly Part[] }

/** What each call was answered with. The script calls one tool at a time, so all up to the model's next word belongs to it. */
export function answersIn(messages: readonly Message[]): readonly (readonly Part[])[] {
  const answers: Part[][] = []
  let isOpen = false
  for (const message of messages) {
    if (message.from === 'client') {
      if (isOpen) answers.at(-1)?.push(...message.parts)
      continue
    }
    isOpen = message.calls > 0
    for (let call = 0; call < message.calls; call += 1) answers.push([])
  }
  return answers
}

export const textPart = (text: string): Part => ({ type: 'text', text })

export const imagePart = (mimeType: string, base64: string): Part => ({
  type: 'image',
  mimeType,
  bytes: Buffer.from(base64, 'base64'),
})

/** An image that is given by an address; one that is elsewhere is no image that the model has. */
export function imageAt(address: string): Part {
  const [, mimeType, base64] = /^data:(image\/[\w+.-]+);base64,(.+)$/s.exec(address) ?? []
  return mimeType === undefined || base64 === undefined ? textPart(address) : imagePart(mimeType, base64)
}

/** A part that no API of models has, as the text that it would be read as. */
export const otherPart = (part: unknown): Part => textPart(JSON.stringify(part))

export const json = (body: object): ModelReply => ({
  contentType: 'application/json',
  body: JSON.stringify(body),
})

export const events = (lines: readonly string[]): ModelReply => ({
  contentType: 'text/event-stream',
  body: lines.map((line) => `${line}\n\n`).join(''),
})
