// Finds the tag in a template that an element was made from, for frameworks that note only the file. The tag must be the only one that fits:
// no line is better than a wrong one.

import type { TemplateStep } from './element-origin.ts'
import { descendantsOf, parseTemplate, type TemplateNode } from './template-tree.ts'

/** Counted from 1. */
export interface TemplatePosition {
  readonly line: number
  readonly column: number
}

/** The position of the tag of the first step; the next ones are its ancestors in the same template. Undefined if it is not certain. */
export function findInTemplate(source: string, path: readonly TemplateStep[]): TemplatePosition | undefined {
  const { start, end } = templateRangeOf(source)
  const node = findNode(parseTemplate(source, start, end), path)
  return node && positionOf(source, node.start)
}

// --- internal ---

// Single-file components of Vue have their template in an element of its own.
function templateRangeOf(source: string): { start: number; end: number } {
  const opening = /<template(\s[^>]*)?>/.exec(source)
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
  if (hasFixedText(node) && text !== undefined && normalize(text) !== normalize(node.text)) return undefined
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

const normalize = (text: string): string => text.replace(/\s+/g, ' ').trim()

function positionOf(source: string, index: number): TemplatePosition {
  const lines = source.slice(0, index).split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}
