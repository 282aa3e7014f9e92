// The packages that run in an audited page, as texts. They are loaded with the first audit.

import axeText from 'axe-core/axe.min.js' with { type: 'text' }
import vitalsText from 'web-vitals/attribution' with { type: 'text' }
import { composeInPage } from '../../core/browser/playwright/compose-in-page.ts'
import {
  describeFound,
  endAudit,
  findAxeElements,
  finishAxe,
  noteScrolling,
  readLayoutIssues,
  readVitals,
  restoreScrolling,
  runAxeInDocument,
  waitForDrawing,
} from './in-page/generated.ts'

// A page with a module loader would get axe-core as one of its modules.
const defineAxe = `function () { let define, module, exports\n${axeText}\n}`

/** The module as a function that returns its exports. */
const loadVitals = `function () { ${vitalsText.replace(
  /export\s*\{([^}]*)\}[^}]*$/,
  (_, names: string) => `return { ${names.replace(/([\w$]+) as ([\w$]+)/g, '$2: $1')} }`,
)} }`

export const auditScripts = {
  runAxe: composeInPage(runAxeInDocument, defineAxe),
  finishAxe,
  findAxeElements,
  readVitals: composeInPage(readVitals, loadVitals),
  readLayoutIssues,
  waitForDrawing,
  noteScrolling,
  restoreScrolling,
  describeFound,
  endAudit,
}
