// Hides secrets in a comparison, in turns with the calls of other sessions: two unlike pages have thousands of differences.

import { setImmediate } from 'node:timers/promises'
import type { OpenSession } from '../../../core/sessions/types/open-session.ts'
import type { Comparison, Difference, StepDifferences } from '../differences/comparison.ts'

type Redactor = OpenSession['redactor']

export async function redactComparison(
  { steps, ...rest }: Comparison,
  redactor: Redactor,
): Promise<Comparison> {
  const redacted: StepDifferences[] = []
  for (const { differences, ...step } of steps)
    redacted.push({
      ...redactor.redactData(step),
      differences: await redactDifferences(differences, redactor),
    })
  return { ...redactor.redactData(rest), steps: redacted }
}

// --- internal ---

const CHUNK_SIZE = 200

async function redactDifferences(
  differences: readonly Difference[],
  redactor: Redactor,
): Promise<readonly Difference[]> {
  const redacted: Difference[] = []
  for (let start = 0; start < differences.length; start += CHUNK_SIZE) {
    redacted.push(...redactor.redactData(differences.slice(start, start + CHUNK_SIZE)))
    await setImmediate()
  }
  return redacted
}
