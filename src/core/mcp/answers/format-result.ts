// The results of calls, as each client needs them.

import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Failure } from '../../base/failure.ts'
import type { Image } from '../../base/image.ts'
import type { Redactor } from '../../base/redaction/redactor.ts'
import { escapeInvisibleIn, showPageText } from '../../base/text/invisible-characters.ts'
import { isSimilar } from '../../snapshot/closest-elements.ts'
import type { Evidence } from '../../tool/evidence.ts'
import type { FieldTexts } from '../../tool/field-texts.ts'
import type { Data } from '../../tool/plain-lines.ts'
import type { ToolResult } from '../../tool/tool-call.ts'
import { fitEvidence } from './evidence-budget.ts'
import {
  defaultFailureForm,
  evidenceLimitTokensOf,
  type FailureForm,
  formatFailure,
  inlineImagesOf,
  resultOf,
  summaryOf,
} from './failure-form.ts'
import { failureLinesOf, type FailureRecord } from './failure-lines.ts'
import { failureRecordOf } from './failure-text.ts'
import { resultTextOf } from './result-text.ts'

/** The result of a successful call of a tool with these `texts`; its text does not repeat the `input`, and has the id of a new session with
 * `showsSessionIds`. */
export const successResult = (
  result: ToolResult,
  texts: FieldTexts = {},
  input: Data = {},
  showsSessionIds = false,
): CallToolResult => {
  const text = resultTextOf(result, texts, input, showsSessionIds)
  return resultOf(escapeInvisibleIn(result.data), result.images ?? [], text)
}

/** The result of a failed call, with its evidence in the record and the images that the `form` shows; its text does not repeat the `input`.
 * `stepImages` are those of the calls of `steps` before it. The end of a dev server comes first in the message. */
export function failureResult(
  rawRecord: FailureRecord,
  rawEvidence?: Evidence,
  form: FailureForm = defaultFailureForm,
  input: Data = {},
  stepImages: readonly Image[] = [],
): CallToolResult {
  const { image, isPageReported = false, targetBox: _, ...evidence } = rawEvidence ?? {}
  const record = escapeInvisibleIn(rawRecord)
  const textEvidence = escapeInvisibleIn(evidence)
  const images = inlineImagesOf(stepImages, image, form)
  const { serverEnded } = textEvidence
  const message = [
    describeEnd(serverEnded, record),
    record.message,
    describeClosestMatch(record, textEvidence),
  ]
    .filter(Boolean)
    .join(' ')
  const fullRecord = { ...record, message }
  const summary = summaryOf(form, fullRecord, textEvidence)
  const evidenceLimitTokens = evidenceLimitTokensOf([JSON.stringify(fullRecord), summary ?? ''], images, form)
  const hasEvidence = Object.keys(textEvidence).length > 0
  const data: FailureRecord = hasEvidence
    ? { ...fullRecord, evidence: limitEvidence(textEvidence, evidenceLimitTokens, form) }
    : fullRecord
  const text = summary ?? failureLinesOf(data, input, isPageReported)
  return { isError: true, ...formatFailure(data, images, form, text) }
}

/** The text of a failure with all of its evidence, for a report of its session, which shows its screenshot itself. */
export function reportedFailureOf(
  failure: Failure,
  evidence: Omit<Evidence, 'image'> | undefined,
  { redactData }: Pick<Redactor, 'redactData'>,
): string {
  const record = redactData(failureRecordOf(redactData(failure), 0))
  const { screenshot: _, ...textEvidence } = evidence ?? {}
  const form = { ...defaultFailureForm, tokenLimit: Infinity }
  const { content } = failureResult(record, redactData(textEvidence), form)
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}

// The contract of the server command promises the lines of stderr, which gathering has limited.
function limitEvidence<T extends Omit<Evidence, 'image'>>(
  evidence: T,
  tokens: number,
  { hasAllServerErrors }: FailureForm,
): T {
  const { stderr } = evidence
  const fitted = fitEvidence(evidence, tokens)
  return hasAllServerErrors && stderr ? { ...fitted, stderr } : fitted
}

function describeEnd(serverEnded: string | undefined, { message }: FailureRecord): string {
  if (serverEnded === undefined) return ''
  const step = message.includes('restart_server') ? '' : ' Call restart_server.'
  return `The dev server ${serverEnded}.${step}`
}

function describeClosestMatch(
  { details: { target, was = target } }: FailureRecord,
  { candidates: [first] = [] }: Evidence,
): string {
  if (!first || !isSimilar(String(was), first)) return ''
  const { role, name, ref, source } = first
  return `Closest match: ${role} ${showPageText(name, 'quoted')} (ref ${ref}${source ? `, ${source}` : ''}).`
}
