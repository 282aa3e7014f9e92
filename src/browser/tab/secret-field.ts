import { isSecretFieldInPage } from '../in-page/observe/secret-fields.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { isSecretField, isSecretName } from '../../core/redaction/secret-names.ts'

/** `isSecretField` of the core as a function that runs in a page. */
export const composedIsSecretField = composeInPage(isSecretFieldInPage, { isSecretField, isSecretName })
