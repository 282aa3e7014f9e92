// Mocked WebSockets as routes. As in a session, the first rule that matches a message decides.

import { type SocketPush, type SocketRule, fieldPathOf } from '../network/socket.ts'
import type { MockAnswer, MockRule } from '../network/mock-rule.ts'
import { objectCode, formatValue, listCode } from './format-value.ts'
import { groupDigits, isIdentifier } from './literals.ts'
import { blockCode } from './print-code.ts'
import type { ActionScope } from './code-scope.ts'
import { mergeCode } from './mock-code.ts'
import { routedUrlCode, urlExpressionCode } from './url-code.ts'

/** The variable of a test with its open sockets, if it pushes to them. */
export const SOCKETS_VARIABLE = 'sockets'

/** The route of a mock with `answer.socket`. */
export function socketMockCode({ url, answer = {} }: MockRule, scope: ActionScope): readonly string[] {
  const { socket: rules = [], times, delay = 0 } = answer
  const target = scope.routed === 'context' ? scope.use('context') : scope.page
  const remaining = times === undefined ? undefined : scope.variable('remaining')
  const body: readonly string[] = [
    ...(remaining === undefined
      ? []
      : [`if (${remaining}-- <= 0) ${blockCode(['socket.connectToServer();', 'return;'])}`]),
    ...(delay === 0 ? [] : [`await new Promise((resolve) => setTimeout(resolve, ${groupDigits(delay)}));`]),
    ...(answer.fail ? ['await socket.close({ code: 1006 });'] : rulesCode(answer, scope)),
  ]
  const isAsync = answer.fail || delay > 0
  const routedUrl = routedUrlCode(url && httpUrlOf(url), scope)
  const handler = body.length === 0 ? '{}' : blockCode(body)
  return [
    ...delayNote(rules),
    ...(remaining === undefined ? [] : [`let ${remaining} = ${times};`]),
    `await ${target}.routeWebSocket(${routedUrl}, ${isAsync ? 'async ' : ''}(socket) => ${handler});`,
  ]
}

/** What is sent to the open sockets. */
export function pushCode({ url, rules }: SocketPush, scope: ActionScope): readonly string[] {
  const pattern = url && urlExpressionCode(httpUrlOf(url), scope)
  const sockets = pattern
    ? `${SOCKETS_VARIABLE}.filter((socket) => ${pattern}.test(socket.url()))`
    : SOCKETS_VARIABLE
  const statements = rules.flatMap((rule) => effectsCode(rule, undefined, scope))
  return [
    ...delayNote(rules),
    `await expect.poll(() => ${sockets}.length).toBeGreaterThan(0);`,
    `for (const socket of ${sockets}) ${blockCode(statements)}`,
  ]
}

// --- internal ---

const delayNote = (rules: readonly SocketRule[]): readonly string[] =>
  rules.some(({ delay = 0 }) => delay > 0) ? ['// The messages come at once here.'] : []

// Only then it is below the origin of the test.
const httpUrlOf = (url: string): string => url.replace(/^ws(s?:\/\/)/, 'http$1')

function rulesCode(
  { socket: rules = [], change = false }: MockAnswer,
  scope: ActionScope,
): readonly string[] {
  const opening = rules.filter(({ on, from }) => on === undefined && from === undefined)
  const ofPage = rules.filter(({ on, from }) => on !== undefined && from === undefined)
  const ofServer = change ? rules.filter(({ from }) => from === 'server') : []
  return [
    ...(change ? ['const server = socket.connectToServer();'] : []),
    ...(scope.pushes ? collectCode(change) : []),
    ...opening.flatMap((rule) => effectsCode(rule, undefined, scope)),
    ...listenerCode('socket', ofPage, change ? 'server' : undefined, scope),
    ...listenerCode('server', ofServer, 'socket', scope),
  ]
}

/** Adds the socket to the open ones until it is closed. */
const collectCode = (isConnected: boolean): readonly string[] => [
  `${SOCKETS_VARIABLE}.push(socket);`,
  `socket.onClose((code = 1000, reason = '') => ${blockCode([
    `${SOCKETS_VARIABLE}.splice(${SOCKETS_VARIABLE}.indexOf(socket), 1);`,
    `${isConnected ? 'server' : 'socket'}.close({ code, reason });`,
  ])});`,
]

/** What one side does with messages: `receiver` gets those that no rule is for. */
function listenerCode(
  side: 'socket' | 'server',
  rules: readonly SocketRule[],
  receiver: 'socket' | 'server' | undefined,
  scope: ActionScope,
): readonly string[] {
  if (rules.length === 0) return []
  const always = rules.findIndex(({ on }) => on === undefined)
  const conditional = always < 0 ? rules : rules.slice(0, always)
  const others = rules[always]
    ? handledCode(rules[always], receiver, scope)
    : receiver === undefined
      ? []
      : [`${receiver}.send(message);`]
  const needsValue = rules.some(needsMessageValue)
  const isTested = needsValue || conditional.length > 0
  const branches = [
    ...conditional.map(
      (rule) => `if (${conditionOf(rule.on, scope)}) ${blockCode(handledCode(rule, receiver, scope))}`,
    ),
    ...(others.length > 0 ? [blockCode(others)] : []),
  ]
  const statements: readonly string[] = [
    ...(isTested ? ['const text = message.toString();'] : []),
    ...(needsValue ? ['const json = /^[[{]/.test(text) ? JSON.parse(text) : undefined;'] : []),
    ...(conditional.length === 0 ? others : [branches.join(' else ')]),
  ]
  return [`${side}.onMessage((message) => ${blockCode(statements)});`]
}

const handledCode = (
  rule: SocketRule,
  receiver: 'socket' | 'server' | undefined,
  scope: ActionScope,
): readonly string[] => {
  const forwarding: readonly string[] =
    rule.json === undefined || receiver === undefined
      ? []
      : [`${receiver}.send(JSON.stringify(${mergeCode(rule.json, 'json', scope)}));`]
  const statements = [...forwarding, ...effectsCode(rule, 'json', scope)]
  return statements.length > 0 ? statements : ['// It is dropped.']
}

/** What the page gets; `received` is the variable of the message that it is the reply to. */
function effectsCode(
  { send = [], close, reason }: SocketRule,
  received: string | undefined,
  scope: ActionScope,
): readonly string[] {
  const end = objectCode(
    [
      ['code', String(close)],
      ['reason', reason === undefined ? undefined : scope.text.value(reason)],
    ],
    scope.text,
  )
  return [
    ...send.map((message) => `socket.send(${messageCode(message, received, scope)});`),
    ...(close === undefined ? [] : [`socket.close(${end});`]),
  ]
}

// The messages of mocked WebSockets: in a route `text` is the message that came, and `json` its value.
/** A message as the argument of `send`; `received` is the variable of the one whose fields it may have. */
const messageCode = (message: unknown, received: string | undefined, scope: ActionScope): string =>
  typeof message === 'string'
    ? scope.text.value(message)
    : `JSON.stringify(${filledCode(message, received, scope)})`

/** Whether a rule needs `json`, the value of the message. */
const needsMessageValue = ({ on, json, send = [] }: SocketRule): boolean =>
  json !== undefined ||
  typeof on === 'object' ||
  send.some((message) => typeof message === 'object' && usesMessage(message))

/** Whether the message, `text` or `json`, is one that a rule is for. */
function conditionOf(on: unknown, scope: ActionScope): string {
  if (typeof on !== 'string') return fieldConditions(on, 'json', scope).join(' && ')
  if (/^\/.+\/$/s.test(on)) return `${urlExpressionCode(on, scope)}.test(text)`
  return on === '' ? 'true' : `text.includes(${scope.text.value(on)})`
}

/** A value in which fields of the message stand. */
function filledCode(value: unknown, received: string | undefined, scope: ActionScope): string {
  const path = fieldPathOf(value)
  if (path)
    return received === undefined
      ? 'undefined'
      : path.reduce((object, name) => memberOf(object, name, scope), received)
  if (Array.isArray(value)) return listCode(value.map((item: unknown) => filledCode(item, received, scope)))
  if (typeof value !== 'object' || value === null) return formatValue(value, scope.text)
  return objectCode(
    Object.entries(value).map(([name, item]) => [name, filledCode(item, received, scope)]),
    scope.text,
  )
}

const memberOf = (object: string, name: string, { text }: ActionScope): string =>
  `${object}?.${isIdentifier(name) && text.title(name) === name ? name : `[${text.label(name)}]`}`

const usesMessage = (value: unknown): boolean =>
  fieldPathOf(value) !== undefined ||
  (typeof value === 'object' && value !== null && Object.values(value).some(usesMessage))

function fieldConditions(value: unknown, path: string, scope: ActionScope): readonly string[] {
  if (Array.isArray(value))
    return [
      `${path}?.length === ${value.length}`,
      ...value.flatMap((item: unknown, index) => fieldConditions(item, `${path}?.[${index}]`, scope)),
    ]
  if (typeof value !== 'object' || value === null) return [`${path} === ${formatValue(value, scope.text)}`]
  const fields = Object.entries(value).flatMap(([name, field]) =>
    fieldConditions(field, memberOf(path, name, scope), scope),
  )
  return fields.length > 0 ? fields : [`${path} instanceof Object`]
}
