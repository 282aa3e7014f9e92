import { answer } from '../../tool/define-tool.ts'
import * as v from 'valibot'
import type { Outcome } from '../../base/failure.ts'
import { ok } from '../../base/result.ts'
import { describeSource } from '../../../features/sources/element-source.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { OpenSession } from '../../sessions/types/open-session.ts'
import type { DomNode, Page } from '../../sessions/types/page.ts'
import { definePageTool } from '../../sessions/tools/define-session-tool.ts'
import { showBlock, showEntries } from '../../tool/field-texts.ts'
import { cursor as cursorField, integerBetween } from '../../tool/fields.ts'
import { isEmpty } from '../../tool/plain-lines.ts'
import { optionalTarget, requireTarget, targetFields } from '../../tool/target.ts'

export const getContent = definePageTool({
  name: 'get_content',
  title: 'Get content',
  description:
    'The page or an element as markdown (default), text or html; cursor reads on (maxChars 8000). source: its file, line and locator.',
  effect: 'reads',
  input: {
    ...targetFields,
    format: v.optional(v.picklist(['markdown', 'text', 'html', 'source'])),
    maxChars: v.optional(integerBetween(100, 200_000), 8000),
    cursor: cursorField,
  },
  output: { content: v.string(), truncated: v.boolean(), cursor: v.optional(v.string()) },
  texts: {
    content: showBlock,
  },
  async run({ selector, ref, format = 'markdown', maxChars, cursor = '0' }, page, deadline, { session }) {
    if (format === 'source') return readSource({ selector, ref }, page, deadline, session)
    const target = optionalTarget({ selector, ref })
    if (!target.ok) return target
    const from = Number(cursor)
    const options = { format, from, maxChars, target: target.value }
    return answer(await page.content(options, deadline), ({ text, total, end }) => {
      const isTruncated = end < total
      return { content: text, truncated: isTruncated, ...(isTruncated && { cursor: String(end) }) }
    })
  },
})

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
  const origin = await page.origin(target.value, deadline)
  if (!origin.ok) return origin
  const [source, description] = await Promise.all([
    sources.locateElement(origin.value, url, Math.min(deadline.remaining(), SOURCE_TIMEOUT_MS)),
    page.describeElement(target.value, deadline),
  ])
  const code = description?.locators[0]?.code
  const lines = [describeSource(source), ...(code === undefined ? [] : [`locator: ${code}`])]
  return ok({ data: { content: redact(lines.join('\n')), truncated: false } })
}

export const domSnapshot = definePageTool({
  name: 'dom_snapshot',
  title: 'DOM snapshot',
  description: 'DOM elements with attributes and text, breadth-first. Prefer snapshot.',
  effect: 'reads',
  input: { ...targetFields, maxNodes: v.optional(integerBetween(1, 10_000)) },
  output: { nodes: v.array(v.any()), truncated: v.boolean() },
  texts: {
    nodes: showEntries(nodeLines),
  },
  async run({ selector, ref, maxNodes = 200 }, page, deadline) {
    const target = optionalTarget({ selector, ref })
    if (!target.ok) return target
    const options = { maxNodes, target: target.value }
    return answer(await page.dom(options, deadline), ({ nodes, truncated }) => ({
      nodes: [...nodes],
      truncated,
    }))
  },
})

function nodeLines(node: DomNode): readonly string[] {
  const linesAt = (
    { tag, attributes = {}, text, children = [] }: DomNode,
    depth: number,
  ): readonly string[] => {
    const names = Object.entries(attributes).map(([name, value]) =>
      value === '' ? name : `${name}=${JSON.stringify(value)}`,
    )
    const line = `${' '.repeat(depth)}<${[tag, ...names].join(' ')}>${isEmpty(text) ? '' : ` ${text}`}`
    return [line, ...children.flatMap((child) => linesAt(child, depth + 1))]
  }
  return linesAt(node, 0)
}
