// Text for a secret field is recorded as a secret before it is typed, because the page may show it anywhere.

import { isSecretField, isSecretName, type FieldDescription } from '../../core/redaction/secret-names.ts'
import type { PageSecrets } from '../../core/redaction/page-secrets.ts'
import type { SecretHooks } from '../../runtime/ports/browsers.ts'

/** Called with each field before a value is set in it. */
export type OnFieldInput = (field: FieldDescription, value: string) => void

/** Records what is set in secret fields. */
export const createSecretRecorder =
  (secrets: SecretHooks | undefined): OnFieldInput =>
  (field, value) => {
    if (!secrets || !isSecretField(field, isSecretName)) return
    secrets.learn('typed', [value])
    if (!isSecretName(field.name)) secrets.learnNames([field.name])
  }

/** Records the secrets that a page has reported. */
export function recordReportedSecrets(
  secrets: SecretHooks,
  { fieldValues, storedValues, fieldNames }: Omit<PageSecrets, 'declaredValues'>,
): void {
  secrets.learn('field', fieldValues)
  secrets.learn('stored', storedValues)
  secrets.learnNames(fieldNames)
}
