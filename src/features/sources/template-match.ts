// Finds the tag in a template that an element was made from, for frameworks that note only the file. The tag must be the only one that fits:
// no line is better than a wrong one.

import { normalizeSpace } from '../../core/base/text/clip.ts'
import type { TemplateStep } from '../../core/sessions/types/sources.ts'

/** Counted from 1. */
interface TemplatePosition {
  readonly line: number
  readonly column: number
}

/** The position of the tag of the first step; the next ones are its ancestors in the same template. Undefined if it is not certain. */
export function findInTemplate(source: string, path: readonly TemplateStep[]): TemplatePosition | undefined {
  const { start, end } = templateRangeOf(source)
  const node = findNode(parseTemplate(source, start, end), path)
  return node && positionOf(source, node.start)
}

// Single-file components of Vue have their template in an element of its own.
function templateRangeOf(source: string): { start: number; end: number } {
  const opening = /<template(\s[^<>]*)?>/.exec(source)
  const isVue =
    /<script[\s>]|<style[\s>]|^\s*<template/.test(source) && opening && source.includes('</template>')
  if (!isVue) return { start: 0, end: source.length }
  if (/\slang=/.test(opening[1] ?? '')) return { start: 0, end: 0 }
  return { start: opening.index + opening[0].length, end: source.lastIndexOf('</template>') }
}

function findNode(root: TemplateNode, path: readonly TemplateStep[]): TemplateNode | undefined {
  const [step, ...above] = path
  if (!step) return undefined
  const parent = above.length > 0 ? findNode(root, above) : undefined
  if (parent && step.isDirect && parent.isPlain && parent.children.length === step.count) {
    const node = parent.children[step.index]
    return node && countUnexplained(node, step) !== undefined ? node : undefined
  }
  if (!parent) return findOnlyFit(descendantsOf(root), step)
  return findOnlyFit(step.isDirect ? parent.children : descendantsOf(parent), step)
}

function findOnlyFit(nodes: readonly TemplateNode[], step: TemplateStep): TemplateNode | undefined {
  const scored = nodes.flatMap((node) => {
    const unexplainedCount = countUnexplained(node, step)
    return unexplainedCount === undefined ? [] : [{ node, unexplainedCount }]
  })
  const least = Math.min(...scored.map(({ unexplainedCount }) => unexplainedCount))
  const best = scored.filter(({ unexplainedCount }) => unexplainedCount === least)
  return best.length === 1 ? best[0]?.node : undefined
}

// Attributes that frameworks change or add.
const isIgnored = (name: string): boolean =>
  /^(data-v-|_ng|ng-)|^(style|class|value|checked|selected|key|ref)$/.test(name)

/** How many attributes of the element the tag does not have; undefined if the tag cannot be the one. */
function countUnexplained(node: TemplateNode, { tag, attributes, text }: TemplateStep): number | undefined {
  if (node.tag.toLowerCase() !== tag) return undefined
  const classes = new Set((attributes['class'] ?? '').split(/\s+/))
  for (const [name, value] of node.fixed) {
    if (name === 'class') {
      if (!value.split(/\s+/).every((part) => part === '' || classes.has(part))) return undefined
    } else if (isAttribute(name) && attributes[name] !== value) return undefined
  }
  if (hasFixedText(node) && text !== undefined && normalizeSpace(text) !== normalizeSpace(node.text))
    return undefined
  if (node.isSpread) return 0
  const isExplained = (name: string) => isIgnored(name) || node.fixed.has(name) || node.dynamic.has(name)
  return Object.keys(attributes).filter((name) => !isExplained(name)).length
}

// Attributes of HTML; others may be directives, which do not reach the element.
const isAttribute = (name: string): boolean =>
  /^(id|name|type|for|href|src|alt|title|role|placeholder|rel|target|action|method|lang|data-(?!v-).+|aria-.+)$/.test(
    name,
  )

// An expression or an entity has another text in the page, and so has an element with a directive.
const hasFixedText = ({ text, children, isPlain, isSpread, fixed }: TemplateNode): boolean =>
  isPlain &&
  !isSpread &&
  children.length === 0 &&
  !/[{&@]/.test(text) &&
  ![...fixed.keys()].some((name) => /^v-(?!on|cloak|once|memo)/.test(name))

function positionOf(source: string, index: number): TemplatePosition {
  const lines = source.slice(0, index).split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}

/** The URL of a template relative to the file, or a part of the file. */
type ComponentTemplate = { readonly url: string } | { readonly start: number; readonly end: number }

/** The template of the component whose class is declared at `classLine`, counted from 1; undefined if there is none. */
export function findComponentTemplate(
  source: string,
  classLine: number | undefined,
): ComponentTemplate | undefined {
  const decorator = source.lastIndexOf(
    '@Component',
    classLine === undefined ? source.length : endOfLine(source, classLine),
  )
  if (decorator < 0) return undefined
  const rest = source.slice(decorator)
  const end = rest.search(/\n(export\s+)?(default\s+)?(abstract\s+)?class\s/)
  const text = end < 0 ? rest : rest.slice(0, end)
  const url = /\btemplateUrl\s*:\s*(['"`])([^'"`\n]+)\1/.exec(text)
  if (url) return { url: url[2] ?? '' }
  const inline = /\btemplate\s*:\s*(['"`])/.exec(text)
  if (!inline) return undefined
  const start = inline.index + inline[0].length
  const length = text.slice(start).indexOf(inline[1] ?? '')
  return length < 0 ? undefined : { start: decorator + start, end: decorator + start + length }
}

function endOfLine(text: string, line: number): number {
  let end = -1
  for (let count = 0; count < line; count += 1) {
    end = text.indexOf('\n', end + 1)
    if (end < 0) return text.length
  }
  return end
}

// Astro notes a tag by the end of its opening tag or, if that closes itself, by its name.
/** The position of the `<tag` whose name begins at a position, or else of the last one before it, counted from 1; undefined if there is none. */
export function findTagStart(
  source: string,
  tag: string,
  end: { readonly line: number; readonly column: number },
): { readonly line: number; readonly column: number } | undefined {
  const lines = source.split('\n').slice(0, end.line)
  const last = lines.pop()
  if (last === undefined || lines.length + 1 < end.line) return undefined
  const named = end.column > 1 ? /^<([\w:.-]+)/.exec(last.slice(end.column - 2))?.[1] : undefined
  if (named === tag) return { line: end.line, column: end.column - 1 }
  // The noted column is up to one behind the tag.
  const text = [...lines, last.slice(0, Math.max(0, end.column - 1))].join('\n')
  const starts = [...text.matchAll(/<([\w:.-]+)/g)].filter(([, name]) => name === tag)
  const start = starts.at(-1)?.index
  return start === undefined ? undefined : positionOf(text, start)
}

// The tags of a template as a tree. It is not validated: a template that its compiler accepts is enough.
interface TemplateNode {
  readonly tag: string
  /** The index of its `<` in the text. */
  readonly start: number
  /** Values of attributes without an expression. */
  readonly fixed: ReadonlyMap<string, string>
  /** Names of attributes with an expression. */
  readonly dynamic: ReadonlySet<string>
  /** Whether an expression may add any attribute. */
  readonly isSpread: boolean
  /** The text before its first child. */
  text: string
  /** Without those that render no element of their own, whose children are listed instead. */
  readonly children: TemplateNode[]
  /** Whether it renders exactly its children, one element each. */
  isPlain: boolean
}

/** The root of a tree of at most 5,000 tags; `start` and `end` are the range of the template in the text. */
function parseTemplate(text: string, start: number, end: number): TemplateNode {
  const root = createNode('', start, '')
  const stack: { node: TemplateNode; tag: string }[] = []
  const pattern = new RegExp(TOKEN)
  pattern.lastIndex = start
  let count = 0
  let textStart = start
  const addText = (index: number) => {
    const node = stack.at(-1)?.node ?? root
    const part = text.slice(textStart, index)
    if (node.children.length === 0) node.text += part
    if (CONTROL_FLOW.test(part)) node.isPlain = false
  }
  for (
    let match = pattern.exec(text);
    match && match.index < end && count < TAG_LIMIT;
    match = pattern.exec(text)
  ) {
    const [whole, closing, tag, attributes = '', selfClosing] = match
    addText(match.index)
    textStart = match.index + whole.length
    if (closing !== undefined) {
      const index = stack.findLastIndex((entry) => entry.tag === closing)
      if (index >= 0) stack.splice(index)
    } else if (tag !== undefined) {
      count += 1
      const parent = stack.at(-1)?.node ?? root
      const isInside = isTransparent(tag)
      const node = isInside ? parent : createNode(tag, match.index, attributes)
      if (!isInside) parent.children.push(node)
      if (isInside || isComponent(tag) || STRUCTURAL_ATTRIBUTE.test(attributes)) parent.isPlain = false
      if (!selfClosing && !VOID_TAG.test(tag)) stack.push({ node, tag })
    }
  }
  return root
}

function descendantsOf(node: TemplateNode): readonly TemplateNode[] {
  const nodes = [...node.children]
  for (const one of nodes) nodes.push(...one.children)
  return nodes
}

const TAG_LIMIT = 5000
const TOKEN =
  /<!--(?:[\s\S]*?-->|[\s\S]*)|<\/([a-z][\w.-]*)\s*>|<([a-z][\w.-]*)((?:\s(?:"[^"]*"|'[^']*'|[^"'<>/]|\/(?!>))*)?)(\/?)>/gi
const ATTRIBUTE = /([^\s"'=<>/]+)(?:\s*=\s*("[^"]*"|'[^']*'|\{[^}]*\}|[^\s"'>]+))?/g
const VOID_TAG = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i
const CONTROL_FLOW = /@(if|for|switch|defer|else|empty|case|default)\b|\{[#:@]/
const STRUCTURAL_ATTRIBUTE = /\s(v-if|v-else|v-else-if|v-for|\*\w+)(?=[\s=]|$)/
const SETS_CONTENT = /\s(v-html|v-text|\[(innerHTML|textContent)\])(?=[\s=]|$)/i

const isTransparent = (tag: string): boolean => /^(template|ng-container|slot)$/.test(tag)

// Components render elements that are not in this template.
const isComponent = (tag: string): boolean => /[A-Z-]|^slot$/.test(tag)

const createNode = (tag: string, start: number, attributes: string): TemplateNode => ({
  tag,
  start,
  text: '',
  children: [],
  isPlain: !SETS_CONTENT.test(attributes),
  ...readAttributes(attributes),
})

function readAttributes(text: string): Pick<TemplateNode, 'fixed' | 'dynamic' | 'isSpread'> {
  const fixed = new Map<string, string>()
  const dynamic = new Set<string>()
  let isSpread = false
  for (const [, rawName = '', value = ''] of text.matchAll(ATTRIBUTE)) {
    const binding = /^(?::|v-bind:|\[(?:attr\.)?)([\w-]+)\]?/.exec(rawName)
    if (/^v-bind$|^\{?\.\.\./.test(rawName)) isSpread = true
    else if (binding) dynamic.add((binding[1] ?? '').toLowerCase())
    else if (/^[\w-]+$/.test(rawName)) {
      const content = value.replace(/^["']|["']$/g, '')
      if (/\{/.test(content)) dynamic.add(rawName.toLowerCase())
      else fixed.set(rawName.toLowerCase(), content)
    }
  }
  return { fixed, dynamic, isSpread }
}
