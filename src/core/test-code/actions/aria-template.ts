// Lines of a snapshot as the templates of `toMatchAriaSnapshot`. A snapshot leaves out paragraphs and generic containers, which Playwright
// keeps. So only lines that must be children of the one above stay below it, such as the items of a list; every other line is an assertion of
// its own.

import { expandLines } from './expand-lines.ts'
import { parseExpectedLines } from '../../checks/find-lines.ts'

/** Each of them has the lines of one template. What is required not to be there stays in one. */
export function ariaTemplates(aria: string, not: boolean): readonly (readonly string[])[] {
  const lines = expandLines(parseExpectedLines(aria)).flatMap(({ depth, text }) => {
    const line = parseLine(text)
    return line ? [{ ...line, depth }] : []
  })
  if (not) return lines.length === 0 ? [] : [formatLines(indentLines(lines))]
  return divideLines(lines).map(formatLines)
}

// --- internal ---

interface AriaLine {
  readonly depth: number
  readonly role: string
  readonly name: string
  readonly states: readonly string[]
  readonly value: string
}

interface IndentedLine extends Omit<AriaLine, 'depth'> {
  readonly level: number
}

const itemRole = /^(listitem|row|option|tab|menuitem|treeitem|columnheader|cell)$/

/** The roles whose children nothing can lie between. */
const childRoles: Readonly<Record<string, RegExp>> = {
  list: /^listitem$/,
  table: /^(rowgroup|caption)$/,
  rowgroup: /^row$/,
  row: /^(cell|gridcell|columnheader|rowheader)$/,
  tablist: /^tab$/,
}

const isChildRole = (parent: string, role: string): boolean => childRoles[parent]?.test(role) ?? false

/** The states that a template can have; others are left out, which requires less. */
const stateWord = /^(?:(?:checked|disabled|expanded|selected|pressed)(?:=(?:mixed|false|true))?|level=\d)$/

const words = /^ (?:\[[^\]]*\]|[a-z]+=(?:"(?:[^"\\]|\\.)*"|[^\s:]+)|[a-z]+(?=[ :]|$))/

/** Undefined for a line of a role that templates do not have. */
function parseLine(line: string): Omit<AriaLine, 'depth'> | undefined {
  const [start, role = '', quotedName = '""'] = /^([\w-]+)(?: ("(?:[^"\\]|\\.)*"))?/.exec(line) ?? []
  if (start === undefined) return undefined
  let rest = line.slice(start.length)
  const states: string[] = []
  for (let word = words.exec(rest)?.[0]; word !== undefined; word = words.exec(rest)?.[0]) {
    rest = rest.slice(word.length)
    const state = word.trim().replace(/^\[|\]$/g, '')
    if (stateWord.test(state)) states.push(state)
  }
  const value = rest
    .replace(/ → \S*$/, '')
    .replace(/^: ?/, '')
    .trim()
  const name = JSON.parse(quotedName) as string
  if (role === 'generic' || role === 'text') {
    const text = value || name
    return text === '' ? undefined : { role: 'text', name: '', states: [], value: text }
  }
  return { role, name, states, value }
}

/** Templates: a line that need not be a child of the one above starts a new one. */
function divideLines(lines: readonly AriaLine[]): readonly (readonly IndentedLine[])[] {
  const templates: IndentedLine[][] = []
  const ancestors: { line: AriaLine; level: number; template: IndentedLine[] }[] = []
  let lastRoot: AriaLine | undefined
  for (const line of lines) {
    while ((ancestors.at(-1)?.line.depth ?? -1) >= line.depth) ancestors.pop()
    const parent = ancestors.at(-1)
    const isChild = parent !== undefined && isChildRole(parent.line.role, line.role)
    const isSibling =
      itemRole.test(line.role) && lastRoot?.depth === line.depth && lastRoot.role === line.role
    const level = isChild ? parent.level + 1 : 0
    const template = (isChild ? parent.template : isSibling ? templates.at(-1) : undefined) ?? []
    if (template.length === 0) templates.push(template)
    template.push({ ...line, level })
    ancestors.push({ line, level, template })
    if (!isChild) lastRoot = line
  }
  return templates
}

const indentLines = (lines: readonly AriaLine[]): readonly IndentedLine[] =>
  lines.map((line, index) => ({ ...line, level: levelOf(line, lines.slice(0, index)) }))

/** The number of lines before it that it is below. */
function levelOf({ depth }: AriaLine, before: readonly AriaLine[]): number {
  const parent = before.findLastIndex((other) => other.depth < depth)
  return parent < 0 ? 0 : 1 + levelOf(before[parent] as AriaLine, before.slice(0, parent))
}

function formatLines(lines: readonly IndentedLine[]): readonly string[] {
  return lines.flatMap(({ role, name, states, value, level }, index) => {
    const parts = [role, name && nameText(name), ...states.map((state) => `[${state}]`)]
    const key = yamlKey(parts.filter(Boolean).join(' '))
    const indent = '  '.repeat(level)
    const isParent = (lines[index + 1]?.level ?? 0) > level
    if (!isParent) return [`${indent}- ${key}${value === '' ? '' : `: ${yamlValue(value)}`}`]
    return [`${indent}- ${key}:`, ...(value === '' ? [] : [`${indent}  - text: ${yamlValue(value)}`])]
  })
}

// A name that the snapshot has cut is required up to there.
const nameText = (name: string): string =>
  name.endsWith('…') ? `/${name.slice(0, -1).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}/` : JSON.stringify(name)

const yamlKey = (key: string): string => (/: |#|^[^\w]|:$/.test(key) ? `'${key.replaceAll("'", "''")}'` : key)

const yamlValue = (value: string): string =>
  /^[\p{L}\p{N}][^:#]*$/u.test(value) && !/^(?:true|false|null|yes|no|on|off|~|[\d.,+_-]+)$/i.test(value)
    ? value
    : JSON.stringify(value)
