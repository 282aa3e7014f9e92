import type { Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import {
  describeOtherContent,
  type Entered,
  type FieldContent,
  isEmptied,
} from '../../base/text/field-content.ts'
import type { OpenSession } from '../../sessions/types/open-session.ts'
import type { Page } from '../../sessions/types/page.ts'
import { describeTarget } from '../../tool/target.ts'
import { type FilledField, readFields } from '../actions/read-fields.ts'

/** What was entered into a field, and what the field has. */
export interface ReadField {
  readonly name: string
  readonly entered: Entered
  readonly content: FieldContent | undefined
}

const SECRETS_REPORT_TIMEOUT_MS = 1000

/** Notes on fields that have something else now than what was entered. Fails if the page has emptied some. */
export async function checkFields(
  fields: readonly FilledField[],
  page: Page,
  session: OpenSession,
): Promise<Outcome<readonly string[]>> {
  const contents = await readFields(page, fields)
  const fieldsNow = fields.map(({ target, value }, index) => ({
    name: describeTarget(target),
    entered: value,
    content: contents[index],
  }))
  const emptiedNames = fieldsNow
    .filter(({ entered, content }) => content && isEmptied(entered, content))
    .map(({ name }) => name)
  const target = emptiedNames.join(', ')
  return target === ''
    ? ok(await describeFields(fieldsNow, page, session))
    : err({ code: 'ELEMENT_NOT_EDITABLE', target, reason: 'emptied', waited: 0 })
}

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
