import type { FieldDescription } from '../../../core/redaction/secret-names.ts'

interface Dependencies {
  isSecretField(field: FieldDescription, isSecretName: (name: string) => boolean): boolean
  isSecretName(name: string): boolean
}

/** The core's rule in a page: the core's functions travel as they are, so this one joins them. */
export const isSecretFieldInPage = (
  { isSecretField, isSecretName }: Dependencies,
  field: FieldDescription,
): boolean => isSecretField(field, isSecretName)
