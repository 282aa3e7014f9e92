import type { FieldDescription } from '../../../core/redaction/secret-names.ts'

interface Dependencies {
  isSecretField(field: FieldDescription, isSecretName: (name: string) => boolean): boolean
  isSecretName(name: string): boolean
}

/** Combines two functions of the core, whose text is sent to the page unchanged. */
export const isSecretFieldInPage = (
  { isSecretField, isSecretName }: Dependencies,
  field: FieldDescription,
): boolean => isSecretField(field, isSecretName)

interface ElementDependencies {
  isSecretField(field: FieldDescription): boolean
  describeField(element: Element): FieldDescription
}

/** Whether the value of an element is a secret. */
export const isSecretElement = (
  { isSecretField, describeField }: ElementDependencies,
  element: Element,
): boolean => isSecretField(describeField(element))
