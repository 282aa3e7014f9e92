import type { Locator } from 'playwright'
import { pollWithClient } from './poll-with-client.ts'
import { describeField } from '../in-page/dom/describe-field.ts'
import { pollChecks, type PollOptions, type PollReport } from '../in-page/observe/poll-checks.ts'
import { readCheck } from '../in-page/observe/read-check.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { evaluateInternally } from '../playwright/internals.ts'
import { isSecretField, isSecretName } from '../../core/redaction/secret-names.ts'
import { REDACTED } from '../../core/redaction/spans.ts'

const composedPollChecks = composeInPage(pollChecks, { readCheck, describeField })

/** Polls the checks inside the page; with Playwright's client where the page cannot be reached otherwise, or the frame of the element is
 * missing. Values of secret fields are not in the report. */
export async function pollElement(locator: Locator, options: PollOptions): Promise<PollReport> {
  const internal = await evaluateInternally(locator, composedPollChecks, options)
  const report = internal ? await internal.result : await pollWithClient(locator, options)
  return report.field && isSecretField(report.field, isSecretName) ? withoutValues(report) : report
}

const withoutValues = (report: PollReport): PollReport => ({
  ...report,
  observations: report.observations.map((changes) =>
    changes.map(({ at, text }) => ({ at, text: text.startsWith('"') ? REDACTED : text })),
  ),
})
