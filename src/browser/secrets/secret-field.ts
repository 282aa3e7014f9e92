import { isSecretFieldInPage } from '../in-page/secrets/secret-field.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { isSecretField, isSecretName } from '../../core/redaction/secret-names.ts'

/** `isSecretField` of the core as a function that runs in a page. */
export const composedIsSecretField = composeInPage(isSecretFieldInPage, { isSecretField, isSecretName })
