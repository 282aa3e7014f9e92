// The environment variables of a test. Values that have no name yet get one from the field or the header that they stand in.

import { isCredentialHeader, isSecretName } from '../../../core/base/redaction/secret-names.ts'
import { isDistinctive } from '../../../core/base/redaction/secret-values.ts'
import type { RecordedStep } from '../../../core/sessions/types/recorded-step.ts'
import { isSecretEntry } from '../../lib/recording/secret-entry.ts'
import type { MockRule } from '../../mock/mock-rule.ts'
import type { TestPlan } from './test-plan.ts'

/** The values of all secrets of a test by the names of their variables: those of the plan, what was entered into secret fields, credentials
 * in headers and options. */
export function nameSecrets({
  steps,
  options,
  secrets,
}: Pick<TestPlan, 'steps' | 'options' | 'secrets'>): ReadonlyMap<string, string> {
  const values = new Map([...secrets].filter(([, value]) => value !== ''))
  // What was entered last is most probably right.
  const unnamed = [...steps.toReversed().flatMap(secretsOfStep), ...secretsOfRecord(options)]
  const all = [...values.values(), ...unnamed.map(({ value }) => value)]
  for (const { label, value } of unnamed) {
    const isNamed = [...values.values()].some(
      (other) => other === value || (isDistinctive(other) && value.includes(other)),
    )
    // The label of a field may have a secret in it.
    const isSafe = !all.some((other) => isDistinctive(other) && label.includes(other))
    if (value !== '' && !isNamed) values.set(unusedName(isSafe ? label : '', values), value)
  }
  return values
}

/** `secrets` with further values, each named after what stands before it in the text that has it. */
export function nameFoundSecrets(
  text: string,
  detected: readonly string[],
  secrets: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const values = new Map(secrets)
  const known = new Set(secrets.values())
  for (const value of detected) {
    if (known.has(value)) continue
    const before = text.slice(0, text.indexOf(value)).slice(-LABEL_LIMIT_CHARS)
    const [, name, option] =
      /(?:([A-Za-z][\w-]*)["']?[ \t]*[=:]|--([A-Za-z][\w-]*))[ \t]*["'`]?$/.exec(before) ?? []
    const label = name ?? option ?? ''
    values.set(unusedName(detected.some((other) => label.includes(other)) ? '' : label, values), value)
  }
  return values
}

// --- internal ---

const LABEL_LIMIT_CHARS = 60

interface UnnamedSecret {
  readonly label: string
  readonly value: string
}

function secretsOfStep({ action }: RecordedStep): readonly UnnamedSecret[] {
  if (action.kind === 'emulate') return secretsOfHeaders(action.change.headers ?? {})
  if (action.kind === 'navigate') return secretsOfQuery(action.url)
  if (action.kind === 'mock') return secretsOfMock(action.rule)
  if (action.kind !== 'type' && action.kind !== 'fill') return []
  const { element } = action
  const value = action.kind === 'type' ? action.text : action.value
  if (!isSecretEntry(action) || typeof value !== 'string') return []
  if (!element) return [{ label: 'password', value }]
  return [{ label: element.type === 'password' ? passwordLabel(element.name) : element.name, value }]
}

function secretsOfMock({ url = '', answer = {} }: MockRule): readonly UnnamedSecret[] {
  const { headers = {}, json, body = '', socket = [] } = answer
  return [
    ...secretsOfQuery(url),
    ...secretsOfHeaders(headers),
    ...(isObject(json) ? secretsOfRecord(json) : []),
    ...secretsOfQuery(`?${body}`),
    ...secretsOfRecord(socket),
  ]
}

const secretsOfQuery = (url: string): readonly UnnamedSecret[] =>
  [...url.matchAll(/[?&]([\w.-]+)=([^&#\s/]+)/g)].flatMap(([, label = '', value = '']) =>
    isSecretName(label) ? [{ label, value }] : [],
  )

// "Your password (at least 8 characters)" is the password.
const passwordLabel = (name: string): string =>
  /^(?:new|current|old|confirm\w*|repeat) password$/i.test(name) ? name : 'password'

function secretsOfRecord(record: object): readonly UnnamedSecret[] {
  return Object.entries(record).flatMap(([name, value]: [string, unknown]) => {
    if (name === 'extraHTTPHeaders' && isObject(value)) return secretsOfHeaders(value)
    if (typeof value === 'string') return isSecretName(name) ? [{ label: name, value }] : []
    return isObject(value) ? secretsOfRecord(value) : []
  })
}

const secretsOfHeaders = (headers: object): readonly UnnamedSecret[] =>
  Object.entries(headers).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'string' && (isCredentialHeader(name) || isSecretName(name))
      ? [{ label: name, value }]
      : [],
  )

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function unusedName(label: string, values: ReadonlyMap<string, string>): string {
  const words = label
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .normalize('NFKD')
    .replace(/[^\w]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase()
    .slice(0, 40)
  const base = /^[A-Z]/.test(words) ? words : `SECRET${words && `_${words}`}`
  let name = base
  for (let number = 1; values.has(name); number += 1)
    name = number === 1 ? `EARLIER_${base}` : `EARLIER_${base}_${number}`
  return name
}
