// Tools whose result is a file.

import * as v from 'valibot'
import type { Failure, Outcome } from '../../core/base/failure.ts'
import { err, map, ok } from '../../core/base/result.ts'
import { isChromium } from '../../core/browser/playwright/engine.ts'
import {
  attempt,
  browserError,
  isHeadlessOnly,
  unsupportedFailure,
} from '../../core/browser/playwright/errors.ts'
import type { Tab } from '../../core/browser/tab/tab.ts'
import { definePageTool } from '../../core/sessions/tools/define-session-tool.ts'
import { fileFieldsOf, fileOutput, SECRETS_NOTE } from '../../core/tool/file-fields.ts'
import { saveTrace } from './tracing.ts'

export const trace = definePageTool({
  name: 'trace',
  title: 'Trace',
  description: 'Record a trace.zip for the Playwright trace viewer.',
  effect: 'acts',
  isSilent: true,
  timeoutKind: 'navigation',
  input: { action: v.picklist(['start', 'stop']) },
  output: { success: v.boolean(), ...fileOutput, notes: v.optional(v.array(v.string())) },
  async run({ action }, page, _, { session }) {
    if (action === 'start') {
      const result = await page.startTrace()
      return result.ok ? ok({ data: { success: true } }) : result
    }
    return map(await saveTrace(page, session.folder, 'end'), (file) => ({
      data: { success: true, ...fileFieldsOf(file), notes: [SECRETS_NOTE] },
    }))
  },
})

export const pdf = definePageTool({
  name: 'pdf',
  title: 'PDF',
  description: 'Print the page to a PDF file (headless Chromium).',
  effect: 'reads',
  timeoutKind: 'navigation',
  input: {},
  output: { success: v.boolean(), ...fileOutput },
  async run(_, page, deadline, { session }) {
    const bytes = await page.parts.readMasked(deadline, printPdf)
    if (!bytes.ok) return bytes
    const artifact = await session.folder.write('page.pdf', bytes.value)
    return artifact.ok ? ok({ data: { success: true, ...fileFieldsOf(artifact.value) } }) : artifact
  },
})

const printPdf = async ({ page }: Tab): Promise<Outcome<Uint8Array>> =>
  isChromium(page)
    ? attempt(page.pdf({ printBackground: true }), pdfFailure)
    : err(unsupportedFailure('firefox', 'print to PDF'))

const pdfFailure = (error: Error): Failure =>
  isHeadlessOnly(error) ? unsupportedFailure('a browser with windows', 'print to PDF') : browserError(error)
