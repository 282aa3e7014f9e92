// The packages that run in an audited page, as texts. They are loaded with the first audit.

import axeText from 'axe-core/axe.min.js' with { type: 'text' }
import vitalsText from 'web-vitals/attribution' with { type: 'text' }
import {
  describeFound,
  endAudit,
  findAxeElements,
  findCutTexts,
  findOverlaps,
  findSmallTargets,
  finishAxe,
  loadAxe,
  noteScrolling,
  openAuditState,
  readLayout,
  readLayoutIssues,
  readVitals,
  restoreScrolling,
  runAxeInDocument,
  selectorOf,
  waitForDrawing,
} from '../in-page/generated.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'

/** A media file tells how long it is before axe-core judges it; style sheets of other origins are not fetched again. */
const AXE_OPTIONS = JSON.stringify({
  resultTypes: ['violations'],
  preload: { assets: ['media'], timeout: 2000 },
})

// A page with a module loader would get axe-core as one of its modules.
const defineAxe = `function () { let define, module, exports\n${axeText}\n}`

/** The module as a function that returns its exports. */
const loadVitals = `function () { ${vitalsText.replace(
  /export\s*\{([^}]*)\}[^}]*$/,
  (_, names: string) => `return { ${names.replace(/([\w$]+) as ([\w$]+)/g, '$2: $1')} }`,
)} }`

const state = { openAuditState, selectorOf }

export const auditScripts = {
  runAxe: composeInPage(runAxeInDocument, {
    ...state,
    loadAxe: composeInPage(loadAxe, { defineAxe }),
    options: AXE_OPTIONS,
  }),
  finishAxe: composeInPage(finishAxe, {
    ...state,
    loadAxe: '() => undefined',
    options: AXE_OPTIONS,
  }),
  findAxeElements: composeInPage(findAxeElements, state),
  readVitals: composeInPage(readVitals, { ...state, loadVitals }),
  readLayoutIssues: composeInPage(readLayoutIssues, {
    ...state,
    readLayout,
    findCutTexts,
    findOverlaps,
    findSmallTargets,
  }),
  waitForDrawing,
  noteScrolling: composeInPage(noteScrolling, state),
  restoreScrolling: composeInPage(restoreScrolling, { ...state, waitForDrawing }),
  describeFound: composeInPage(describeFound, state),
  endAudit: composeInPage(endAudit, state),
}
