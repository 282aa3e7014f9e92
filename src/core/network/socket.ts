// What a mocked WebSocket does, as pure functions of its rules. Messages are texts; a binary message matches no rule.

import { applyMergePatch, type MergePatch } from './merge-patch.ts'
import { isRecord, parseJson } from '../text/json.ts'

/** The side that sends a message: the page without it. */
export type MessageSender = 'server' | undefined

/** What happens when a socket opens, or for a message that matches; the first rule that matches a message decides. */
export interface SocketRule {
  /** A text that the message contains, a regular expression between slashes, or JSON whose fields the message has. Without it the rule is for
   * the opening of the socket or, with `from`, for every message. */
  readonly on?: unknown
  /** Whose messages: those of the page without it. */
  readonly from?: MessageSender
  /** Messages to the page: texts, or values that are sent as JSON, in which `"$.a.b"` is that field of the message. */
  readonly send?: readonly unknown[] | undefined
  /** Merged into the message, which then goes on. */
  readonly json?: MergePatch
  /** The code of the close event that the page gets. */
  readonly close?: number | undefined
  readonly reason?: string | undefined
  /** Milliseconds before all that. */
  readonly delay?: number | undefined
}

/** What is sent to the open WebSockets of mocks whose URL matches; all of them without `url`. */
export interface SocketPush {
  /** As the caller gave it. */
  readonly url?: string
  readonly matchesUrl: (url: string) => boolean
  readonly rules: readonly SocketRule[]
}

/** What the page gets: messages, then the end of the socket. */
export interface SocketReply {
  readonly messages: readonly string[]
  readonly close?: { readonly code: number; readonly reason: string }
  /** Milliseconds. */
  readonly delay: number
}

interface MessageDecision {
  readonly reply?: SocketReply
  /** The message that goes on to its receiver. */
  readonly forwardedText?: string
}

/** Whether a text has a text, or matches a regular expression between slashes. */
export type MatchText = (pattern: string, text: string) => boolean

/** The replies to the opening of a socket, and those that are pushed. */
export const replyToOpening = (rules: readonly SocketRule[]): readonly SocketReply[] =>
  rules
    .filter(({ on, from }) => on === undefined && from === undefined)
    .map((rule) => replyOf(rule, undefined))

/** What happens to a message of the page or the server. A message that no rule is for goes on. */
export function decideMessage(
  rules: readonly SocketRule[],
  from: MessageSender,
  text: string,
  matchText: MatchText,
): MessageDecision {
  const message = parseMessage(text)
  const rule = rules.find((candidate) => isFor(candidate, from, text, message, matchText))
  if (!rule) return { forwardedText: text }
  return {
    reply: replyOf(rule, message),
    ...(rule.json !== undefined && {
      forwardedText: JSON.stringify(applyMergePatch(message, rule.json)) ?? text,
    }),
  }
}

/** The path of a field of the message that a value in `send` stands for; undefined if it stands for itself. */
export const fieldPathOf = (value: unknown): readonly string[] | undefined =>
  typeof value === 'string' && /^\$(?:\.[\w-]+)+$/.test(value) ? value.split('.').slice(1) : undefined

// --- internal ---

function isFor(
  { on, from: sender }: SocketRule,
  from: MessageSender,
  text: string,
  message: unknown,
  matchText: MatchText,
): boolean {
  if (sender !== from) return false
  if (on === undefined) return from === 'server'
  return typeof on === 'string' ? matchText(on, text) : hasFields(message, on)
}

/** The value of a text that is a JSON object or array. */
const parseMessage = (text: string): unknown => (/^[[{]/.test(text) ? parseJson(text) : undefined)

function hasFields(value: unknown, fields: unknown): boolean {
  if (Array.isArray(fields))
    return (
      Array.isArray(value) &&
      value.length === fields.length &&
      fields.every((field, index) => hasFields(value[index], field))
    )
  if (!isRecord(fields)) return value === fields
  return (
    isRecord(value) &&
    Object.entries(fields).every(
      ([name, field]) => Object.hasOwn(value, name) && hasFields(value[name], field),
    )
  )
}

const replyOf = (
  { send = [], close, reason = '', delay = 0 }: SocketRule,
  message: unknown,
): SocketReply => ({
  messages: send.map((value) => formatMessage(value, message)),
  ...(close !== undefined && { close: { code: close, reason } }),
  delay,
})

const formatMessage = (value: unknown, message: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(fillFields(value, message)) ?? 'null')

function fillFields(value: unknown, message: unknown): unknown {
  const path = fieldPathOf(value)
  if (path) return path.reduce<unknown>(readField, message)
  if (Array.isArray(value)) return value.map((item: unknown) => fillFields(item, message))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillFields(item, message)]))
}

const readField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
