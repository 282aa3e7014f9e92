// get_content with the source of an element.

import * as v from 'valibot'
import type { Outcome } from '../../core/base/failure.ts'
import { ok } from '../../core/base/result.ts'
import type { Deadline } from '../../core/base/system/deadline.ts'
import { getContent as coreTool } from '../../core/browser/tools/content.ts'
import { definePageTool } from '../../core/sessions/tools/define-session-tool.ts'
import type { OpenSession } from '../../core/sessions/types/open-session.ts'
import type { Page } from '../../core/sessions/types/page.ts'
import { requireTarget } from '../../core/tool/target.ts'
import { describeElement } from '../lib/recording/recorded-element.ts'
import { readOrigin } from './element-origin.ts'
import { describeSource } from './element-source.ts'

const { definition } = coreTool

export const getContent = definePageTool({
  ...definition,
  description: `${definition.description} source: its file, line and locator.`,
  input: {
    ...definition.input,
    format: v.optional(v.picklist(['markdown', 'text', 'html', 'source'])),
  },
  run: ({ format, ...input }, page, deadline, context) =>
    format === 'source'
      ? readSource(input, page, deadline, context.session)
      : definition.run({ format, ...input }, page, deadline, context),
})

// --- internal ---

/** The source maps of a large bundle take seconds to load. */
const SOURCE_TIMEOUT_MS = 5000

// The file, the line and the components of one element, and its locator for a Playwright test.
async function readSource(
  fields: Parameters<typeof requireTarget>[0],
  page: Page,
  deadline: Deadline,
  { sources, redact, url }: OpenSession,
): Promise<Outcome<{ data: { content: string; truncated: boolean } }>> {
  const target = requireTarget(fields)
  if (!target.ok) return target
  const origin = await readOrigin(page, target.value, deadline)
  if (!origin.ok) return origin
  const [source, description] = await Promise.all([
    sources.locateElement(origin.value, url, Math.min(deadline.remaining(), SOURCE_TIMEOUT_MS)),
    describeElement(page.parts.page(), target.value, deadline),
  ])
  const code = description?.locators[0]?.code
  const lines = [describeSource(source), ...(code === undefined ? [] : [`locator: ${code}`])]
  return ok({ data: { content: redact(lines.join('\n')), truncated: false } })
}
