import type { TokenShapeLibrary } from './token-shape-library.ts'
import { createRedactor, revealingRedactor, type Redactor } from '../../core/redaction/redactor.ts'

export interface RedactorPorts {
  /** What no session may show. */
  readonly redactor: Redactor
  /** For the log, which is of no session: it learns what every session learns. */
  readonly logRedactor?: Redactor
  readonly shapes?: TokenShapeLibrary
}

/** The redactor of one session. `ownValues` are values of our own, such as its id, that are never secrets. */
export function openRedactor(
  ownValues: readonly string[],
  { redactor: parent, logRedactor, shapes }: RedactorPorts,
): Redactor {
  if (parent === revealingRedactor) return revealingRedactor
  const own = createRedactor({ parent, ownValues, ...(shapes && { findShapes: shapes.find }) })
  return {
    ...own,
    learn(source, values) {
      own.learn(source, values)
      logRedactor?.learn(source, values)
    },
  }
}
