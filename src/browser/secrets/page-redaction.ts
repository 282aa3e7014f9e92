// What a page shows leaves only together with its secrets: they are asked for at the same time, and where the page does not report them
// the call fails instead of showing anything.

import { recordReportedSecrets } from './typed-secrets.ts'
import { readPageReport } from './page-secrets.ts'
import { withSecretMasks } from './secret-masks.ts'
import type { Tab } from '../tab/tab.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { choosePageSecrets, type PageSecrets } from '../../core/redaction/page-secrets.ts'
import { err, ok } from '../../core/result.ts'
import type { SecretHooks } from '../../runtime/ports/browsers.ts'
import type { Arrived, Call } from '../../runtime/ports/page.ts'

const REPORT_TIMEOUT_MS = 2000

/** Makes the answer of a value that was read from a page, whose secrets are known by then. */
export type RedactValue<T, R> = (value: T, chosen: PageSecrets) => Outcome<R> | Promise<Outcome<R>>

export interface PageRedaction {
  /** Whether the page has reported its secrets within `ms` milliseconds. */
  isReported(tab: Tab, ms: number): Promise<boolean>
  /** Runs what shows something of a page, and shapes its value once the page's secrets are known. */
  reveal<T, R>(tab: Tab, call: Call, work: Promise<Outcome<T>>, shape: RedactValue<T, R>): Promise<Outcome<R>>
  /** Takes a picture while secret fields show dots; undefined where the page does not report them within `ms` milliseconds. */
  withMasks<T>(tab: Tab, ms: number, work: () => Promise<T>): Promise<T | undefined>
  /** The outcome of a navigation, its title left out where it cannot be redacted. */
  redactTitle(tab: Tab, outcome: Outcome<Arrived>, call: Call): Promise<Outcome<Arrived>>
}

/** `secrets` is undefined where everything may be shown. */
export function createPageRedaction(secrets: SecretHooks | undefined): PageRedaction {
  const collect = (tab: Tab, ms: number) => collectSecrets(tab, secrets, Math.min(ms, REPORT_TIMEOUT_MS))
  const isReported = async (tab: Tab, ms: number) => (await collect(tab, ms)) !== undefined
  return {
    isReported,
    async reveal(tab, call, work, shape) {
      const [outcome, chosen] = await Promise.all([work, collect(tab, call.timeout)])
      if (!outcome.ok) return outcome
      return chosen ? shape(outcome.value, chosen) : err(secretsNotReported(call.timeout))
    },
    async withMasks(tab, ms, work) {
      if (!secrets) return work()
      const chosen = await collect(tab, ms)
      return chosen && withSecretMasks(tab.page, chosen.declaredValues, work)
    },
    async redactTitle(tab, outcome, call) {
      if (!outcome.ok || outcome.value.title === '' || (await isReported(tab, call.timeout))) return outcome
      return ok({ ...outcome.value, title: '[not shown: the page did not report its secret fields]' })
    },
  }
}

/** The failure of a call whose answer cannot be redacted. */
export const secretsNotReported = (timeout: number): Failure => ({
  code: 'TIMEOUT',
  waitedFor: 'the page to report its secret fields; nothing of it is shown before that',
  waited: Math.min(timeout, REPORT_TIMEOUT_MS),
})

// --- internal ---

async function collectSecrets(
  tab: Tab,
  secrets: SecretHooks | undefined,
  ms: number,
): Promise<PageSecrets | undefined> {
  if (!secrets || tab.failure()) return nothing
  const report = await readPageReport(tab, ms)
  if (!report) return undefined
  const chosen = choosePageSecrets(report)
  recordReportedSecrets(secrets, chosen)
  return { ...chosen, declaredValues: report.fields.map(({ value }) => value).filter(secrets.holdsDeclared) }
}

const nothing: PageSecrets = {
  fieldValues: [],
  storedValues: [],
  fieldNames: [],
  ordinaryValues: [],
  declaredValues: [],
}
