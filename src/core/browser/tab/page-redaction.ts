// What is read from a page is returned only after its secrets were collected, at the same time; if the page does not report them the call
// fails instead of showing anything.

import { setImmediate } from 'node:timers'
import type { Tab } from './tab.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import {
  SECRETS_REPORT_TIMEOUT_MS,
  choosePageSecrets,
  type PageSecrets,
  type PageReport,
} from '../../base/redaction/page-secrets.ts'
import { err, ok } from '../../base/result.ts'
import type { SecretHooks } from '../../sessions/types/browsers.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { NavigationResult } from '../../base/action.ts'
import { collectFields, maskFields } from '../in-page/generated.ts'
import type { FieldsReport } from '../in-page/page/secret-fields.ts'
import { cookiesOf } from '../playwright/internals.ts'
import { runScript } from '../playwright/run-script.ts'
import { settleWithin } from '../../base/system/settle-within.ts'
import { isSecretField, isSecretName, type FieldDescription } from '../../base/redaction/secret-names.ts'

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
  // Calls of one turn share a report: what each of them reads is read in that turn too.
  const reports = new Map<Tab, Promise<PageSecrets | undefined>>()
  const startReport = (tab: Tab) => {
    const report = collectSecrets(tab, secrets)
    reports.set(tab, report)
    setImmediate(() => reports.delete(tab))
    return report
  }
  const collect = async (tab: Tab, timeoutMs: number): Promise<PageSecrets | undefined> => {
    const report = await settleWithin(timeoutMs, reports.get(tab) ?? startReport(tab))
    if (report instanceof Error) throw report
    return report
  }
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
      return pageSecrets && withSecretMasks(tab, pageSecrets.declaredValues, work)
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

async function collectSecrets(tab: Tab, secrets: SecretHooks | undefined): Promise<PageSecrets | undefined> {
  if (!secrets || tab.failure()) return NO_SECRETS
  const report = await readPageReport(tab)
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

// Reads the fields and the storage of a page, before anything of it is shown. The core decides which of their values are secrets.
const FRAMES_AT_ONCE = 50

/** What the page, its frames and its context report; undefined if one of them does not within the timeout. */
async function readPageReport(tab: Tab): Promise<PageReport | undefined> {
  const [reports, cookies] = await Promise.all([
    readFieldReports(tab),
    settleWithin(SECRETS_REPORT_TIMEOUT_MS, cookiesOf(tab.context)),
  ])
  // A page that has just been closed has nothing left to report.
  if (tab.failure()) return { fields: [], storage: [], cookies: [] }
  if (!reports || cookies === undefined) return undefined
  return {
    fields: reports.flatMap(({ fields }) => fields),
    storage: reports.flatMap(({ storage }) => storage),
    cookies: cookies instanceof Error ? [] : cookies,
  }
}

// The page reports the frames that its scripts can access too; if there are others, each frame is asked, some at a time.
async function readFieldReports({ page, recovery }: Tab): Promise<FieldsReport[] | undefined> {
  const deadline = performance.now() + SECRETS_REPORT_TIMEOUT_MS
  const remainingMs = () => Math.max(1, deadline - performance.now())
  const reading = runScript(page, await recovery.cdp, collectFields, undefined)
  const top = await settleReport(remainingMs(), reading)
  const frames = page.frames()
  if (!top || (top.closed === 0 && top.documents >= frames.length)) return top && [top]
  const reports = [top]
  for (let from = 1; from < frames.length; from += FRAMES_AT_ONCE) {
    const group = frames.slice(from, from + FRAMES_AT_ONCE)
    const frameReports = await Promise.all(
      group.map((frame) => settleReport(remainingMs(), frame.evaluate(collectFields))),
    )
    if (frameReports.includes(undefined)) return undefined
    reports.push(...frameReports.flatMap((report) => report ?? []))
  }
  return reports
}

// A document that was replaced meanwhile is not shown any more.
async function settleReport(
  timeoutMs: number,
  work: Promise<FieldsReport>,
): Promise<FieldsReport | undefined> {
  const report = await settleWithin(timeoutMs, work)
  return report instanceof Error ? { fields: [], storage: [], documents: 0, closed: 0 } : report
}

// Screenshots and PDFs show secret fields as dots: the fields that count as secret, and those that contain a declared secret. A style
// sheet with a selector for each of them does it, so that the page's elements are not changed; it is emptied afterwards.
const MASK_TIMEOUT_MS = 1000

/** Runs `work` while the secret fields of the page show dots. Fields with one of `values` are masked too. */
async function withSecretMasks<T>(
  { page, recovery }: Tab,
  values: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const cdp = await recovery.cdp
  const runInFrames = (arg: readonly string[] | null) =>
    Promise.all(
      page.frames().map((frame) => {
        const isMain = frame === page.mainFrame()
        const running = isMain ? runScript(page, cdp, maskFields, arg) : frame.evaluate(maskFields, arg)
        return settleWithin(MASK_TIMEOUT_MS, running)
      }),
    )
  const masks = await runInFrames(values)
  try {
    return await work()
  } finally {
    // A frame that did not answer may have masks.
    if (masks.some((isMasked) => isMasked !== false)) await runInFrames(null)
  }
}

// Text for a secret field is recorded as a secret before it is typed, because the page may show it anywhere.
/** Called with each field before a value is set in it. */
export type OnFieldInput = (field: FieldDescription, value: string) => void

/** Records what is set in secret fields. */
export const createSecretRecorder =
  (secrets: SecretHooks | undefined): OnFieldInput =>
  (field, value) => {
    if (!secrets || !isSecretField(field)) return
    secrets.learn('typed', [value])
    if (!isSecretName(field.name)) secrets.learnNames([field.name])
  }

function recordReportedSecrets(
  secrets: SecretHooks,
  { fieldValues, storedValues, fieldNames }: Omit<PageSecrets, 'declaredValues'>,
): void {
  secrets.learn('field', fieldValues)
  secrets.learn('stored', storedValues)
  secrets.learnNames(fieldNames)
}
