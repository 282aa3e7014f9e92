// Finds the tag in a template that an element was made from, for frameworks that note only the file. The tag must be the only one that fits:
// no line is better than a wrong one.

import type { ElementDescription } from './element-origin.ts'

/** Counted from 1. */
export interface TemplatePosition {
  readonly line: number
  readonly column: number
}

/** The position of the only tag that explains the element best; undefined if there is none or if several do. */
export function findInTemplate(source: string, element: ElementDescription): TemplatePosition | undefined {
  const { start, end } = templateRangeOf(source)
  const scored = scanTags(source, start, end)
    .filter(({ tag }) => tag.toLowerCase() === element.tag)
    .flatMap((tag) => {
      const unexplainedCount = countUnexplained(tag, element)
      return unexplainedCount === undefined ? [] : [{ tag, unexplainedCount }]
    })
  const least = Math.min(...scored.map(({ unexplainedCount }) => unexplainedCount))
  const best = scored.filter(({ unexplainedCount }) => unexplainedCount === least)
  return best.length === 1 && best[0] ? positionOf(source, best[0].tag.start) : undefined
}

// --- internal ---

interface TemplateTag {
  readonly tag: string
  readonly start: number
  /** Values of attributes without an expression. */
  readonly fixed: ReadonlyMap<string, string>
  /** Names of attributes with an expression. */
  readonly bound: ReadonlySet<string>
  /** Whether an expression may add any attribute. */
  readonly isSpread: boolean
  /** The text up to the next tag. */
  readonly text: string
  /** Whether the next tag ends this element. */
  readonly isLeaf: boolean
}

const TAG_LIMIT = 5000

// Single-file components of Vue have their template in an element of its own.
function templateRangeOf(source: string): { start: number; end: number } {
  const opening = /<template(\s[^>]*)?>/.exec(source)
  const isVue =
    /<script[\s>]|<style[\s>]|^\s*<template/.test(source) && opening && source.includes('</template>')
  if (!isVue) return { start: 0, end: source.length }
  if (/\slang=/.test(opening[1] ?? '')) return { start: 0, end: 0 }
  return { start: opening.index + opening[0].length, end: source.lastIndexOf('</template>') }
}

const TAG = /<!--[\s\S]*?-->|<([a-z][\w.-]*)((?:\s+(?:"[^"]*"|'[^']*'|[^"'>])*)?)\/?>/gi
const ATTRIBUTE = /([^\s"'=<>/]+)(?:\s*=\s*("[^"]*"|'[^']*'|\{[^}]*\}|[^\s"'>]+))?/g

function scanTags(source: string, start: number, end: number): readonly TemplateTag[] {
  const tags: TemplateTag[] = []
  const pattern = new RegExp(TAG)
  pattern.lastIndex = start
  for (let match = pattern.exec(source); match && match.index < end; match = pattern.exec(source)) {
    const [whole, tag, attributes = ''] = match
    if (tag === undefined) continue
    if (tags.length >= TAG_LIMIT) return []
    const textEnd = source.indexOf('<', match.index + whole.length)
    const text = source.slice(match.index + whole.length, textEnd < 0 ? end : textEnd)
    const isLeaf = source.startsWith('</', textEnd)
    tags.push({ tag, start: match.index, text, isLeaf, ...readAttributes(attributes) })
  }
  return tags
}

function readAttributes(text: string): Pick<TemplateTag, 'fixed' | 'bound' | 'isSpread'> {
  const fixed = new Map<string, string>()
  const bound = new Set<string>()
  let isSpread = false
  for (const [, rawName = '', value = ''] of text.matchAll(ATTRIBUTE)) {
    const binding = /^(?::|v-bind:|\[(?:attr\.)?)([\w-]+)\]?/.exec(rawName)
    if (/^v-bind$|^\{?\.\.\./.test(rawName)) isSpread = true
    else if (binding) bound.add((binding[1] ?? '').toLowerCase())
    else if (/^[\w-]+$/.test(rawName)) {
      const content = value.replace(/^["']|["']$/g, '')
      if (/\{/.test(content)) bound.add(rawName.toLowerCase())
      else fixed.set(rawName.toLowerCase(), content)
    }
  }
  return { fixed, bound, isSpread }
}

// Attributes that frameworks change or add, and those that an element gets from its directives.
const isIgnored = (name: string): boolean =>
  /^(data-v-|_ng|ng-|data-s-|svelte-)|^(style|class|value|checked|selected|key|ref)$/.test(name)

/** How many attributes of the element the tag does not have; undefined if the tag cannot be the one. */
function countUnexplained(tag: TemplateTag, element: ElementDescription): number | undefined {
  const { attributes } = element
  const classes = new Set((attributes['class'] ?? '').split(/\s+/))
  for (const [name, value] of tag.fixed) {
    if (name === 'class') {
      if (!value.split(/\s+/).every((part) => part === '' || classes.has(part))) return undefined
    } else if (!isIgnored(name) && isPlain(name) && attributes[name] !== value) return undefined
  }
  const text = normalize(tag.text)
  // An expression or an entity has another text in the page.
  if (
    tag.isLeaf &&
    !/[{&]/.test(text) &&
    element.text !== undefined &&
    !hasDirective(tag) &&
    normalize(element.text) !== text
  )
    return undefined
  if (tag.isSpread) return 0
  const isExplained = (name: string) => isIgnored(name) || tag.fixed.has(name) || tag.bound.has(name)
  return Object.keys(attributes).filter((name) => !isExplained(name)).length
}

// Attributes of HTML; others may be directives, which do not reach the element.
const isPlain = (name: string): boolean =>
  /^(id|name|type|for|href|src|alt|title|role|placeholder|rel|target|action|method|lang|data-.+|aria-.+)$/.test(
    name,
  )

const hasDirective = ({ fixed, bound, isSpread }: TemplateTag): boolean =>
  isSpread || fixed.has('v-text') || fixed.has('v-html') || bound.has('innerhtml') || bound.has('textcontent')

const normalize = (text: string): string => text.replace(/\s+/g, ' ').trim()

function positionOf(source: string, index: number): TemplatePosition {
  const lines = source.slice(0, index).split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}
