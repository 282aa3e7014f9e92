import * as v from 'valibot'
import { anyText, integerBetween, text } from '../define/fields.ts'
import { compileTextPattern } from '../define/pattern.ts'
import type { Outcome } from '../../core/failure.ts'
import type { MatchText, SocketRule } from '../../core/mock/socket.ts'
import { err, ok } from '../../core/result.ts'

const MESSAGE_LIMIT_CHARS = 1_000_000
const RULE_LIMIT = 1000
const DELAY_LIMIT_MS = 600_000
// A close frame has at most 123 bytes of it.
const REASON_LIMIT_CHARS = 123

const message = anyText(MESSAGE_LIMIT_CHARS)
const messages = v.pipe(
  v.any(),
  v.transform((value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])),
)
const effects = {
  send: v.optional(messages),
  close: v.optional(integerBetween(1000, 4999)),
  reason: v.optional(text(REASON_LIMIT_CHARS)),
  delay: v.optional(integerBetween(0, DELAY_LIMIT_MS)),
}
const sentText = v.pipe(
  message,
  v.transform((value) => ({ send: [value] })),
)
const listOf = <T extends v.GenericSchema>(rule: T) => {
  const rules = v.union([sentText, rule])
  return v.union([
    v.pipe(v.array(rules), v.maxLength(RULE_LIMIT)),
    v.pipe(
      rules,
      v.transform((value) => [value]),
    ),
  ])
}

/** The rules of a WebSocket, of which a text alone is sent when it opens. */
export const socketRules = listOf(
  v.strictObject({
    on: v.optional(v.union([message, v.array(v.any()), v.record(v.string(), v.any())])),
    from: v.optional(v.literal('server')),
    json: v.optional(v.any()),
    ...effects,
  }),
)

/** What is sent to open WebSockets at once. */
export const pushedRules = listOf(v.strictObject(effects))

/** A function for the patterns of rules. Fails as `compileTextPattern` does. */
export async function compileSocketPatterns(rules: readonly SocketRule[]): Promise<Outcome<MatchText>> {
  const matchers = new Map<string, (message: string) => boolean>()
  for (const { on } of rules) {
    if (typeof on !== 'string') continue
    const matcher = await compileTextPattern(on)
    if (!matcher.ok) return err(matcher.error)
    matchers.set(on, matcher.value)
  }
  return ok((pattern, candidate) => matchers.get(pattern)?.(candidate) ?? false)
}
