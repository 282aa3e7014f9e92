import type { TokenShapeLibrary } from './token-shape-library.ts'
import { createRedactor, revealingRedactor, type Redactor } from '../../core/redaction/redactor.ts'

export interface RedactorPorts {
  /** Redacts what no session may show. */
  readonly redactor: Redactor
  /** The redactor of the log, which belongs to no session: it learns the secrets of every session. */
  readonly logRedactor?: Redactor
  readonly shapes?: TokenShapeLibrary
}

/** The redactor of one session. `ownValues`, such as its id, are never redacted. */
export function openRedactor(
  ownValues: readonly string[],
  { redactor: parent, logRedactor, shapes }: RedactorPorts,
): Redactor {
  if (parent === revealingRedactor) return revealingRedactor
  const redactor = createRedactor({ parent, ownValues, ...(shapes && { findShapes: shapes.find }) })
  return {
    ...redactor,
    learn(source, values) {
      redactor.learn(source, values)
      logRedactor?.learn(source, values)
    },
  }
}

/** A redactor for what may show any of these sessions: it redacts with all of them, and with `base` if there are none. */
export const combineRedactors = (redactors: readonly Redactor[], base: Redactor): Redactor =>
  redactors.reduce(
    (combined, redactor) => ({
      ...combined,
      redactText: (value) => redactor.redactText(combined.redactText(value)),
      redactData: (value) => redactor.redactData(combined.redactData(value)),
    }),
    base,
  )
