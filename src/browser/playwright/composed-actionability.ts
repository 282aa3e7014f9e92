import { composeInPage } from './compose-in-page.ts'
import { checkActionability } from '../in-page/actions/actionability.ts'
import { describeField } from '../in-page/dom/describe-field.ts'
import { hitElement } from '../in-page/dom/hit-element.ts'

/** `checkActionability` as a self-contained function. */
export const composedCheckActionability = composeInPage(checkActionability, { hitElement, describeField })
