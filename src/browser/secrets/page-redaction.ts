// What is read from a page is returned only after its secrets were collected, at the same time; if the page does not report them the call
// fails instead of showing anything.

import { recordReportedSecrets } from './typed-secrets.ts'
import { readPageReport } from './page-secrets.ts'
import { withSecretMasks } from './secret-masks.ts'
import type { Tab } from '../tab/tab.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import {
  SECRETS_REPORT_TIMEOUT_MS,
  choosePageSecrets,
  type PageSecrets,
} from '../../core/redaction/page-secrets.ts'
import { err, ok } from '../../core/result.ts'
import type { SecretHooks } from '../../runtime/ports/browsers.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { NavigationResult } from '../../runtime/ports/page/page.ts'

/** Redacts a value that was read from a page, whose secrets are known by then. */
export type RedactValue<T, R> = (value: T, pageSecrets: PageSecrets) => Outcome<R> | Promise<Outcome<R>>

export interface PageRedaction {
  /** Whether the page reports its secrets within the timeout. */
  isReported(tab: Tab, timeoutMs: number): Promise<boolean>
  /** Redacts the value of `work` once the page's secrets are known. */
  reveal<T, R>(
    tab: Tab,
    deadline: Deadline,
    work: Promise<Outcome<T>>,
    redact: RedactValue<T, R>,
  ): Promise<Outcome<R>>
  /** Runs `work` while secret fields are masked; undefined if the page does not report them within the timeout. */
  withMasks<T>(tab: Tab, timeoutMs: number, work: () => Promise<T>): Promise<T | undefined>
  /** The outcome of a navigation, with a placeholder for a title that cannot be redacted. */
  redactTitle(
    tab: Tab,
    outcome: Outcome<NavigationResult>,
    deadline: Deadline,
  ): Promise<Outcome<NavigationResult>>
}

/** `secrets` is undefined if everything may be shown. */
export function createPageRedaction(secrets: SecretHooks | undefined): PageRedaction {
  const collect = (tab: Tab, timeoutMs: number) =>
    collectSecrets(tab, secrets, Math.min(timeoutMs, SECRETS_REPORT_TIMEOUT_MS))
  const isReported = async (tab: Tab, timeoutMs: number) => (await collect(tab, timeoutMs)) !== undefined
  return {
    isReported,
    async reveal(tab, deadline, work, redact) {
      const [outcome, pageSecrets] = await Promise.all([work, collect(tab, deadline.remaining())])
      if (!outcome.ok) return outcome
      return pageSecrets ? redact(outcome.value, pageSecrets) : err(secretsNotReported(deadline.timeout))
    },
    async withMasks(tab, timeoutMs, work) {
      if (!secrets) return work()
      const pageSecrets = await collect(tab, timeoutMs)
      return pageSecrets && withSecretMasks(tab.page, pageSecrets.declaredValues, work)
    },
    async redactTitle(tab, outcome, deadline) {
      if (!outcome.ok || outcome.value.title === '' || (await isReported(tab, deadline.timeout)))
        return outcome
      return ok({ ...outcome.value, title: '[not shown: the page did not report its secret fields]' })
    },
  }
}

/** The failure of a call whose answer cannot be redacted. */
export const secretsNotReported = (timeout: number): Failure => ({
  code: 'TIMEOUT',
  waitedFor: 'the page to report its secret fields; nothing of it is shown before that',
  waited: Math.min(timeout, SECRETS_REPORT_TIMEOUT_MS),
})

// --- internal ---

async function collectSecrets(
  tab: Tab,
  secrets: SecretHooks | undefined,
  timeoutMs: number,
): Promise<PageSecrets | undefined> {
  if (!secrets || tab.failure()) return NO_SECRETS
  const report = await readPageReport(tab, timeoutMs)
  if (!report) return undefined
  const pageSecrets = choosePageSecrets(report)
  recordReportedSecrets(secrets, pageSecrets)
  return {
    ...pageSecrets,
    declaredValues: report.fields.map(({ value }) => value).filter(secrets.containsDeclared),
  }
}

const NO_SECRETS: PageSecrets = {
  fieldValues: [],
  storedValues: [],
  fieldNames: [],
  ordinaryValues: [],
  declaredValues: [],
}
