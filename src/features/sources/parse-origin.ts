// Where an element of a page comes from, as frameworks note it in development: read in the page, which may answer anything.

import { isRecord } from '../../core/base/text/json.ts'
import type {
  ComponentOrigin,
  ElementDescription,
  ElementOrigin,
  SourceNote,
  TemplateStep,
} from '../../core/sessions/types/sources.ts'

/** The origin in what the page answered; undefined if it is none. Long texts and lists are cut. */
export function parseOrigin(answer: unknown): ElementOrigin | undefined {
  if (!isRecord(answer)) return undefined
  const element = parseDescription(answer['element'])
  if (!element) return undefined
  const { ancestor, position, template, path, components, testId } = answer
  return omitUndefined({
    element,
    ancestor: parseDescription(ancestor),
    position: parsePosition(position),
    template: parseText(template),
    path: Array.isArray(path) ? path.slice(0, STEP_LIMIT).flatMap(parseStep) : undefined,
    components: (Array.isArray(components) ? components : [])
      .slice(0, COMPONENT_LIMIT)
      .flatMap(parseComponent),
    testId: parseText(testId),
  }) as unknown as ElementOrigin
}

// --- internal ---

const COMPONENT_LIMIT = 12
const STEP_LIMIT = 12
const ORIGIN_TEXT_LIMIT_CHARS = 1000
const STACK_LIMIT_CHARS = 4000
const ORIGIN_NAME_LIMIT_CHARS = 80
const ATTRIBUTE_LIMIT = 40

type Data = Readonly<Record<string, unknown>>

const omitUndefined = (record: Data): Data =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))

const parseText = (value: unknown, limit = ORIGIN_TEXT_LIMIT_CHARS): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= limit ? value : undefined

const parseCount = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined

function parsePosition(value: unknown): SourceNote | undefined {
  if (!isRecord(value)) return undefined
  if (typeof value['stack'] === 'string') return { stack: value['stack'].slice(0, STACK_LIMIT_CHARS) }
  const file = parseText(value['file'])
  const [line, column] = [parseCount(value['line']), parseCount(value['column'])]
  return file === undefined
    ? undefined
    : { file, line, column, ...(value['isTagEnd'] === true && { isTagEnd: true }) }
}

function parseComponent(value: unknown): ComponentOrigin[] {
  if (!isRecord(value)) return []
  const name = parseText(value['name'], ORIGIN_NAME_LIMIT_CHARS)
  const position = parsePosition(value['position'])
  return name === undefined ? [] : [{ name: name.replace(/[\s\p{Cc}]+/gu, ' '), position }]
}

function parseStep(value: unknown): TemplateStep[] {
  if (!isRecord(value)) return []
  const description = parseDescription(value)
  const { index, count, isDirect } = value
  return description && Number.isSafeInteger(index) && Number.isSafeInteger(count)
    ? [{ ...description, index: Number(index), count: Number(count), isDirect: isDirect === true }]
    : []
}

function parseDescription(value: unknown): ElementDescription | undefined {
  if (!isRecord(value)) return undefined
  const tag = parseText(value['tag'], ORIGIN_NAME_LIMIT_CHARS)
  const attributes = isRecord(value['attributes']) ? Object.entries(value['attributes']) : []
  const text = parseText(value['text'])
  if (tag === undefined || /[\s\p{Cc}<>]/u.test(tag)) return undefined
  return {
    tag,
    attributes: Object.fromEntries(
      attributes
        .slice(0, ATTRIBUTE_LIMIT)
        .flatMap(([name, content]) => (typeof content === 'string' ? [[name, content]] : [])),
    ),
    text,
  }
}
