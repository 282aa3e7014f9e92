import { createRedactor, revealingRedactor } from '../../core/redaction/redactor.ts'
import type { Secrets } from '../../core/text/secret-placeholders.ts'
import type { RedactorPorts } from '../../runtime/resources/session-redactor.ts'
import { createTokenShapeLibrary } from '../../runtime/resources/token-shape-library.ts'

/** The redactors of results and of the log; with `--reveal` they change nothing. */
export function createRedactors(reveal: boolean, secrets: Secrets): Required<RedactorPorts> {
  const shapes = createTokenShapeLibrary()
  if (reveal) return { redactor: revealingRedactor, logRedactor: revealingRedactor, shapes }
  const redactor = createRedactor({ findShapes: shapes.find })
  redactor.learn('declared', [...secrets.values()])
  return { redactor, logRedactor: createRedactor({ parent: redactor, findShapes: shapes.find }), shapes }
}
