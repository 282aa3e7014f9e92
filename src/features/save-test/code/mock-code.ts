// Mocks as routes. As in a session, the newest one that matches decides, and one that does not apply leaves the request to the others.

import { isRecord } from '../../../core/base/text/json.ts'
import { groupDigits, isIdentifier, quoteText } from '../../lib/replay/literals.ts'
import { formatEventStream } from '../../mock/event-stream.ts'
import { hasResponse, isCounter, type MockAnswer, type MockRule } from '../../mock/mock-rule.ts'
import type { ActionScope } from './code-scope.ts'
import { type Field, fieldsOf, formatValue, objectCode } from './format-value.ts'
import { blockCode } from './print-code.ts'
import { routedUrlCode } from './url-code.ts'

/** The route of a mock for requests; `socketMockCode` is for WebSockets. A mock that only counts its requests has no code. */
export function mockCode(rule: MockRule, scope: ActionScope): readonly string[] {
  const { method, answer = {}, har } = rule
  if (isCounter(rule)) return []
  const url = routedUrlCode(rule.url, scope)
  const target = scope.routed === 'context' ? scope.use('context') : scope.page
  if (har !== undefined) {
    const options = rule.url === undefined ? [] : [objectCode([['url', url]], scope.text)]
    return [`await ${target}.routeFromHAR(${[scope.fileCode(har), ...options].join(', ')});`]
  }
  const condition =
    method === undefined ? '' : `route.request().method() !== ${quoteText(method.toUpperCase())}`
  const statements = [...delayCode(answer), ...responseCode(answer, scope)]
  const [only] = statements
  if (condition === '' && statements.length === 1 && only) {
    const times = answer.times === undefined ? '' : `, { times: ${answer.times} }`
    return [`await ${target}.route(${url}, (route) => ${only}${times});`]
  }
  const remaining = answer.times === undefined ? undefined : scope.variable('remaining')
  const conditions = [condition, remaining === undefined ? '' : `${remaining}-- <= 0`].filter(Boolean)
  const body: readonly string[] = [
    ...(conditions.length === 0 ? [] : [`if (${conditions.join(' || ')}) return route.fallback();`]),
    ...statements.map(
      (statement, index) => `${index === statements.length - 1 ? 'await ' : ''}${statement};`,
    ),
  ]
  return [
    ...(remaining === undefined ? [] : [`let ${remaining} = ${answer.times};`]),
    `await ${target}.route(${url}, async (route) => ${blockCode(body)});`,
  ]
}

/** A JSON merge patch of `target`, an expression: a field that is removed becomes undefined, which JSON leaves out. */
function mergeCode(patch: unknown, target: string, scope: ActionScope): string {
  if (!isRecord(patch)) return formatValue(patch, scope.text)
  return objectCode(patchedFields(patch, scope, target), scope.text, [`...${target}`])
}

export function socketMockCode({ url, answer = {} }: MockRule, scope: ActionScope): readonly string[] {
  const { socket: messages = [], times, fail = false } = answer
  const target = scope.routed === 'context' ? scope.use('context') : scope.page
  const remaining = times === undefined ? undefined : scope.variable('remaining')
  const delays = delayCode(answer)
  const body: readonly string[] = [
    ...(remaining === undefined
      ? []
      : [`if (${remaining}-- <= 0) ${blockCode(['socket.connectToServer();', 'return;'])}`]),
    ...delays.map((statement) => `${statement};`),
    ...(fail
      ? ['await socket.close({ code: 1006 });']
      : messages.map((message) => `socket.send(${messageCode(message, scope)});`)),
  ]
  const isAsync = fail || delays.length > 0
  // Only an address of HTTP is below the origin of the test.
  const routedUrl = routedUrlCode(url?.replace(/^ws(s?:\/\/)/, 'http$1'), scope)
  const handler = body.length === 0 ? '{}' : blockCode(body)
  return [
    ...(remaining === undefined ? [] : [`let ${remaining} = ${times};`]),
    `await ${target}.routeWebSocket(${routedUrl}, ${isAsync ? 'async ' : ''}(socket) => ${handler});`,
  ]
}

// --- internal ---

const messageCode = (message: unknown, scope: ActionScope): string =>
  typeof message === 'string'
    ? scope.text.value(message)
    : `JSON.stringify(${formatValue(message, scope.text)})`

const delayCode = ({ delay }: MockAnswer): readonly string[] =>
  delay === undefined || delay === 0
    ? []
    : [`await new Promise((resolve) => setTimeout(resolve, ${groupDigits(delay)}))`]

/** The expressions of the response; the last one is a promise. */
function responseCode(answer: MockAnswer, scope: ActionScope): readonly string[] {
  if (answer.fail) return ['route.abort()']
  if (answer.change) return changeCode(answer, scope)
  if (!hasResponse(answer)) return ['route.continue()']
  const { json, headers, path } = answer
  const body = bodyOf(answer)
  const hasType = Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'content-type')
  const fields = [
    ['status', statusCode(answer)],
    ['contentType', body === undefined || hasType ? undefined : quoteText(body.type)],
    ['headers', headers && formatValue(headers, scope.text)],
    ['json', json === undefined ? undefined : formatValue(json, scope.text)],
    ['body', body && scope.text.value(body.text)],
    ['path', path === undefined ? undefined : scope.fileCode(path)],
  ] as const
  return [`route.fulfill(${objectCode(fields, scope.text)})`]
}

const statusCode = ({ status }: MockAnswer): string | undefined =>
  status === undefined || status === 200 ? undefined : String(status)

function bodyOf({ body, stream }: MockAnswer): { readonly text: string; readonly type: string } | undefined {
  if (stream)
    return {
      text: formatEventStream(stream, true),
      type: 'text/event-stream; charset=utf-8',
    }
  if (body === undefined) return undefined
  return { text: body, type: `text/${/^\s*</.test(body) ? 'html' : 'plain'}; charset=utf-8` }
}

function changeCode(answer: MockAnswer, scope: ActionScope): readonly string[] {
  const { status, headers, body, json, path } = answer
  const isPatch = isRecord(json)
  const headersCode =
    headers && objectCode(fieldsOf(headers, scope.text), scope.text, ['...response.headers()'])
  const fields = [
    ['status', status === undefined ? undefined : String(status)],
    ['headers', headersCode],
    ['json', json === undefined ? undefined : mergeCode(json, 'json', scope)],
    ['body', body === undefined ? undefined : scope.text.value(body)],
    ['path', path === undefined ? undefined : scope.fileCode(path)],
  ] as const
  return [
    'const response = await route.fetch()',
    ...(isPatch ? ['const json = await response.json()'] : []),
    `route.fulfill(${objectCode(fields, scope.text, ['response'])})`,
  ]
}

function patchedFields(patch: object, scope: ActionScope, target: string): readonly Field[] {
  return Object.entries(patch).map(([name, value]) => {
    const inner = `${target}?.${isIdentifier(name) ? name : `[${scope.text.label(name)}]`}`
    return [name, value === null ? 'undefined' : mergeCode(value, inner, scope)]
  })
}
