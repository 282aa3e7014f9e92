import { describeOtherContent, type Entered, type FieldContent } from '../../base/text/field-content.ts'
import type { OpenSession } from '../../sessions/types/open-session.ts'
import type { Page } from '../../sessions/types/page.ts'

/** What was entered into a field, and what the field has. */
export interface ReadField {
  readonly name: string
  readonly entered: Entered
  readonly content: FieldContent | undefined
}

const SECRETS_REPORT_TIMEOUT_MS = 1000

/** Notes on the fields that have something else than what was entered. A value is shown once the page has reported its secrets, and not if
 * a secret was entered, of which a page may have left a part. */
export async function describeFields(
  fields: readonly ReadField[],
  page: Page,
  session: OpenSession,
): Promise<readonly string[]> {
  const notesOf = (isSecret: (entered: Entered) => boolean) =>
    fields.flatMap(({ name, entered, content }) =>
      content ? (describeOtherContent(name, entered, content, isSecret(entered)) ?? []) : [],
    )
  if (notesOf(() => true).length === 0) return []
  const isReported = await page.isReported(SECRETS_REPORT_TIMEOUT_MS)
  return notesOf((entered) => !isReported || session.redact(String(entered)) !== String(entered))
}
