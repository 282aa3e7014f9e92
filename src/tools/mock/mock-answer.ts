import * as v from 'valibot'
import { socketRules } from './socket-answer.ts'
import { expectationOf, isUnknownField, joinPath, receivedOf } from '../define/describe-issue.ts'
import { anyText, headers, integerBetween, text, filePath } from '../define/fields.ts'
import { clip } from '../../core/text/clip.ts'
import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { hasResponse, type MockAnswer } from '../../core/mock/mock.ts'
import { err, ok } from '../../core/result.ts'

const BODY_LIMIT_CHARS = 1_000_000
const EVENT_LIMIT = 1000
const DELAY_LIMIT_MS = 600_000
const TIMES_LIMIT = 1_000_000

const eventText = anyText(BODY_LIMIT_CHARS)
const delay = v.optional(integerBetween(0, DELAY_LIMIT_MS))
const streamEvent = v.union([
  v.pipe(
    eventText,
    v.transform((data) => ({ data })),
  ),
  v.strictObject({ data: v.any(), event: v.optional(text(200)), id: v.optional(text(200)), delay }),
])

const schema = v.strictObject({
  status: v.optional(integerBetween(200, 599)),
  headers: v.optional(headers(100, 8000)),
  body: v.optional(anyText(BODY_LIMIT_CHARS)),
  json: v.optional(v.any()),
  path: v.optional(filePath),
  stream: v.optional(v.pipe(v.array(streamEvent), v.maxLength(EVENT_LIMIT))),
  socket: v.optional(socketRules),
  delay,
  times: v.optional(integerBetween(1, TIMES_LIMIT)),
  fail: v.optional(v.boolean()),
  change: v.optional(v.boolean()),
})

const FORM =
  'an object of status, headers, one of body, json, path (a file) or stream ([{data, event?, id?, delay?}]), and delay (ms), times, fail: true, change: true (the real response with these fields); for WebSockets socket ([{on?, from?: "server", send?, json?, close?, reason?, delay?}]) with delay, times, fail or change, or push alone'

/** Validates the answer of a mock; INVALID_PARAMETERS names the field. */
export function parseMockAnswer(input: object): Outcome<MockAnswer> {
  const result = v.safeParse(schema, input)
  if (!result.success) {
    const [issue] = result.issues
    const field = joinPath(['answer', ...(issue.path ?? []).map(({ key }) => key as string)])
    const received = isUnknownField(issue) ? 'an unknown field' : clip(receivedOf(issue), 200)
    return err(invalidParameter(field, expectationOf(schema, issue), received, `answer is ${FORM}.`))
  }
  const conflict = findConflict(result.output)
  return conflict === undefined
    ? ok(result.output)
    : err(invalidParameter('answer', conflict, Object.keys(result.output).join(', ')))
}

// --- internal ---

function findConflict(answer: MockAnswer): string | undefined {
  const { fail = false, change = false, stream } = answer
  const contents = (['body', 'json', 'path', 'stream'] as const).filter((name) => answer[name] !== undefined)
  if (contents.length > 1) return 'one of body, json, path and stream'
  if (answer.socket) return findSocketConflict(answer)
  if (fail && (change || hasResponse(answer))) return 'fail without a response'
  if (change && (stream || !hasResponse(answer)))
    return 'change with the status, headers, body, json (merged) or path that is different'
  return undefined
}

function findSocketConflict({
  socket = [],
  fail = false,
  change = false,
  ...answer
}: MockAnswer): string | undefined {
  if (hasResponse(answer) || answer.stream) return 'socket without a response'
  if (fail && (change || socket.length > 0)) return 'fail with socket: []'
  const needsServer = socket.some(({ from, json }) => from !== undefined || json !== undefined)
  return needsServer && !change ? 'change: true with rules that have from or json' : undefined
}
