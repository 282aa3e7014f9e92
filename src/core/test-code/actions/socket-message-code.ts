// The messages of mocked WebSockets: in a route `text` is the message that came, and `json` its value.

import { fieldPathOf, type SocketRule } from '../../mock/socket.ts'
import { formatValue, objectCode } from '../format-value.ts'
import { isIdentifier } from '../literals.ts'
import { callCode, type Code } from '../print-code.ts'
import type { ActionScope } from './action-scope.ts'
import { urlExpressionCode } from './url-code.ts'

/** A message as the argument of `send`; `received` is the variable of the one whose fields it may have. */
export const messageCode = (message: unknown, received: string | undefined, scope: ActionScope): Code =>
  typeof message === 'string'
    ? scope.text.value(message)
    : callCode('JSON.stringify', [filledCode(message, received, scope)])

/** Whether a rule needs `json`, the value of the message. */
export const needsMessageValue = ({ on, json, send = [] }: SocketRule): boolean =>
  json !== undefined ||
  typeof on === 'object' ||
  send.some((message) => typeof message === 'object' && usesMessage(message))

/** Whether the message, `text` or `json`, is one that a rule is for. */
export function conditionOf(on: unknown, scope: ActionScope): string {
  if (typeof on !== 'string') return fieldConditions(on, 'json', scope).join(' && ')
  if (/^\/.+\/$/s.test(on)) return `${urlExpressionCode(on, scope)}.test(text)`
  return on === '' ? 'true' : `text.includes(${scope.text.value(on)})`
}

// --- internal ---

/** A value in which fields of the message stand. */
function filledCode(value: unknown, received: string | undefined, scope: ActionScope): Code {
  const path = fieldPathOf(value)
  if (path)
    return received === undefined
      ? 'undefined'
      : path.reduce((object, name) => memberOf(object, name, scope), received)
  if (Array.isArray(value))
    return { open: '[', items: value.map((item: unknown) => filledCode(item, received, scope)), close: ']' }
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
  if (typeof value !== 'object' || value === null)
    return [`${path} === ${String(formatValue(value, scope.text))}`]
  const fields = Object.entries(value).flatMap(([name, field]) =>
    fieldConditions(field, memberOf(path, name, scope), scope),
  )
  return fields.length > 0 ? fields : [`${path} instanceof Object`]
}
