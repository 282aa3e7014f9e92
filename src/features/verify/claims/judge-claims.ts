// Whether what an agent claims holds: judged now, in a page of the session's own server, by a check that an empty page would not pass.

import { type Failure, inField, type Outcome } from '../../../core/base/failure.ts'
import { err, ok } from '../../../core/base/result.ts'
import { clip } from '../../../core/base/text/clip.ts'
import type { OpenSession } from '../../../core/sessions/types/open-session.ts'
import type { RawInput, Step, ToolContext } from '../../../core/tool/tool.ts'
import type { ClaimVerdict } from '../verdict/verdict.ts'
import { weaknessOf } from './check-weakness.ts'

export interface Claim {
  readonly say: string
  readonly check?: RawInput
}

export interface ParsedClaim extends Claim {
  /** The check; undefined without a server. */
  readonly step?: Step | undefined
}

/** Fails with INVALID_PARAMETERS where a check is none. */
export function parseClaims(
  claims: readonly Claim[],
  { parseStep }: ToolContext,
): Outcome<readonly ParsedClaim[]> {
  const results: ParsedClaim[] = []
  for (const [index, { say, check }] of claims.entries()) {
    const step = check && parseStep('wait_for', { timeout: CHECK_TIMEOUT_MS, ...check })
    if (step?.ok === false) return err(inField(step.error, `claims[${index}].check.${step.error.field}`))
    results.push({ say, ...(check && { check }), step: step?.value })
  }
  return ok(results)
}

/** `stale`: why the page may not show the code as it is. */
export async function judgeClaims(
  claims: readonly ParsedClaim[],
  stale: readonly string[],
  session: OpenSession | undefined,
): Promise<readonly ClaimVerdict[]> {
  const verdicts: ClaimVerdict[] = []
  for (const claim of claims) verdicts.push(await judgeClaim(claim, stale, session))
  return verdicts
}

// --- internal ---

/** Long enough for a page that shows at once what it has. */
const CHECK_TIMEOUT_MS = 2000
const SEEN_LIMIT_CHARS = 200

// What stops a check from being made says nothing about the claim.
const ANSWERS: ReadonlySet<Failure['code']> = new Set(['TIMEOUT', 'ELEMENT_NOT_FOUND'])

async function judgeClaim(
  { say, check, step }: ParsedClaim,
  stale: readonly string[],
  session: OpenSession | undefined,
): Promise<ClaimVerdict> {
  const unverified = (seen: string): ClaimVerdict => ({ say, verdict: 'UNVERIFIED', seen })
  if (!check) return unverified('no check')
  if (!session || !step) return unverified('no session is open')
  const { outcome, text } = await step.run(session.record.id, true)
  const seen = clip(text.replace(/\s+/g, ' ').trim(), SEEN_LIMIT_CHARS)
  const doubt = stale.length > 0 ? 'the page may be stale' : doubtOf(session)
  if (doubt !== undefined) return unverified(doubt)
  if (!outcome.ok) return { say, verdict: ANSWERS.has(outcome.error.code) ? 'FAIL' : 'UNVERIFIED', seen }
  const weakness = weaknessOf(check)
  return weakness === undefined ? { say, verdict: 'PASS' } : unverified(weakness)
}

/** Why what the page shows may not come from the code; undefined where it does. */
function doubtOf({ url, coverage, network, journal }: OpenSession): string | undefined {
  if (!coverage.origins.has(url)) return `the page is not of the session's server: ${url}`
  const requests = network.sincePageLoad()
  const mocked = requests.find(({ mock }) => mock !== undefined)
  if (mocked) return `mock ${mocked.mock} answered ${mocked.url}: remove it and reload the page`
  const loadedAt = requests[0]?.at ?? 0
  const { entries } = journal.read({
    kinds: ['action'],
    limit: 1,
    accept: ({ at, text }) => at >= loadedAt && text.startsWith('evaluate'),
  })
  return entries.length > 0 ? 'evaluate may have changed the page: reload it and claim again' : undefined
}
