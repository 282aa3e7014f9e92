// The results of calls, as each client needs them.

import type { CallToolResult } from '@modelcontextprotocol/server'
import { fitEvidence } from '../../core/evidence/evidence-budget.ts'
import {
  formatFailure,
  inlineImagesOf,
  evidenceLimitTokensOf,
  defaultFailureForm,
  summaryOf,
  type FailureForm,
} from './failure-form.ts'
import { failureLinesOf, type FailureRecord } from './failure-lines.ts'
import { resultOf } from './call-result.ts'
import type { Data } from './plain-lines.ts'
import { resultTextOf } from './result-text.ts'
import type { Evidence } from '../../runtime/ports/session-manager.ts'
import type { Image } from '../../runtime/ports/page/screenshots.ts'
import type { ToolResult } from '../../runtime/ports/tool-call.ts'

/** The result of a successful call; its text does not repeat the `input`, and has the id of a new session with `showsSessionIds`. */
export const successResult = (
  result: ToolResult,
  input: Data = {},
  showsSessionIds = false,
): CallToolResult => resultOf(result.data, result.images ?? [], resultTextOf(result, input, showsSessionIds))

/** The result of a failed call, with its evidence in the record and the images that the `form` shows; its text does not repeat the `input`.
 * `stepImages` are those of the calls of `steps` before it. The end of a dev server comes first in the message. */
export function failureResult(
  record: FailureRecord,
  evidence?: Evidence,
  form: FailureForm = defaultFailureForm,
  input: Data = {},
  stepImages: readonly Image[] = [],
): CallToolResult {
  const { image, isPageReported = false, ...textEvidence } = evidence ?? {}
  const images = inlineImagesOf(stepImages, image, form)
  const cause = evidence?.serverEnded === undefined ? '' : `The dev server ${evidence.serverEnded}.`
  const message = [cause, record.message, describeClosestMatch(evidence)].filter(Boolean).join(' ')
  const fullRecord = { ...record, message }
  const summary = summaryOf(form, fullRecord, evidence)
  const evidenceLimitTokens = evidenceLimitTokensOf([JSON.stringify(fullRecord), summary ?? ''], images, form)
  const hasEvidence = Object.keys(textEvidence).length > 0
  const data: FailureRecord = hasEvidence
    ? { ...fullRecord, evidence: fitEvidence(textEvidence, evidenceLimitTokens) }
    : fullRecord
  const text = summary ?? failureLinesOf(data, input, isPageReported)
  return { isError: true, ...formatFailure(data, images, form, text) }
}

function describeClosestMatch(evidence: Evidence | undefined): string {
  const [first] = evidence?.candidates ?? []
  if (!first) return ''
  const { role, name, ref, source } = first
  return `Closest match: ${role} ${JSON.stringify(name)} (ref ${ref}${source ? `, ${source}` : ''}).`
}
