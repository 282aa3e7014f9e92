import { answer } from '../../tool/define-tool.ts'
import * as v from 'valibot'
import { readContent, readDom } from '../content/read-content.ts'
import type { DomNode } from '../in-page/page/page-content.ts'
import { definePageTool } from '../../sessions/tools/define-session-tool.ts'
import { showBlock, showEntries } from '../../tool/field-texts.ts'
import { cursor as cursorField, integerBetween } from '../../tool/fields.ts'
import { isEmpty } from '../../tool/plain-lines.ts'
import { optionalTarget, targetFields } from '../../tool/target.ts'

export const getContent = definePageTool({
  name: 'get_content',
  title: 'Get content',
  description: 'The page or an element as markdown (default), text or html; cursor reads on (maxChars 8000).',
  effect: 'reads',
  input: {
    ...targetFields,
    format: v.optional(v.picklist(['markdown', 'text', 'html'])),
    maxChars: v.optional(integerBetween(100, 200_000), 8000),
    cursor: cursorField,
  },
  output: { content: v.string(), truncated: v.boolean(), cursor: v.optional(v.string()) },
  texts: {
    content: showBlock,
  },
  async run({ selector, ref, format = 'markdown', maxChars, cursor = '0' }, page, deadline) {
    const target = optionalTarget({ selector, ref })
    if (!target.ok) return target
    const from = Number(cursor)
    const options = { format, from, maxChars, target: target.value }
    return answer(await readContent(page, options, deadline), ({ text, total, end }) => {
      const isTruncated = end < total
      return { content: text, truncated: isTruncated, ...(isTruncated && { cursor: String(end) }) }
    })
  },
})

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
    return answer(await readDom(page, options, deadline), ({ nodes, truncated }) => ({
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
