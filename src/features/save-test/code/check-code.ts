// Checks as assertions with the same meaning.

import type { ElementCheck, ElementState, ExpectedLine } from '../../../core/base/action.ts'
import type { ItemOrder, RecordedCheck, RecordedStep } from '../../../core/sessions/types/recorded-step.ts'
import { parseExpectedLines } from '../../../core/snapshot/find-lines.ts'
import { groupDigits } from '../../lib/replay/literals.ts'
import type { ActionScope } from './code-scope.ts'
import { listCode } from './format-value.ts'
import { expectedUrlCode } from './url-code.ts'

/** The assertions of a check, in the order in which it was made. */
export function checkCode(
  check: RecordedCheck,
  { urlAfter, durationMs }: RecordedStep,
  scope: ActionScope,
): readonly string[] {
  const { element, checks, order, aria, text, textElement, textGone, url } = check
  const timeout = timeoutOf(durationMs)
  const locator = element ? scope.locator(element, scope.page) : ''
  const body = `${scope.page}.locator('body')`
  const assertions: Assertion[] = []
  if (text !== undefined)
    assertions.push(
      textElement
        ? { of: scope.locator(textElement, scope.page), matcher: 'toBeVisible' }
        : {
            of: body,
            matcher: 'toContainText',
            items: [scope.text.label(text)],
            options: ['useInnerText: true'],
          },
    )
  if (textGone !== undefined) assertions.push(goneAssertion(textGone, scope))
  if (url !== undefined)
    assertions.push({ of: scope.page, matcher: 'toHaveURL', items: [expectedUrlCode(url, urlAfter, scope)] })
  for (const one of checks) assertions.push(elementAssertion(one, check, locator, scope))
  if (order) assertions.push(orderAssertion(order, locator, scope))
  if (aria !== undefined)
    for (const template of ariaTemplates(aria, check.not))
      assertions.push(ariaAssertion(template, element ? locator : body, check.not, scope))
  return assertions.map((assertion) => formatAssertion(assertion, timeout))
}

interface Assertion {
  readonly of: string
  readonly not?: boolean
  readonly matcher: string
  readonly items?: readonly string[]
  readonly options?: readonly string[]
}

/** Playwright waits 5 s without an option; a check that took nearly as long needs more. */
const SLOW_CHECK_MS = 4000
const TIMEOUT_UNIT_MS = 5000

const timeoutOf = (durationMs: number): number | undefined =>
  durationMs > SLOW_CHECK_MS ? Math.ceil((2 * durationMs) / TIMEOUT_UNIT_MS) * TIMEOUT_UNIT_MS : undefined

function formatAssertion(
  { of, not, matcher, items = [], options = [] }: Assertion,
  timeout: number | undefined,
): string {
  const allOptions = [...options, ...(timeout === undefined ? [] : [`timeout: ${groupDigits(timeout)}`])]
  const optionsCode = allOptions.length === 0 ? [] : [`{ ${allOptions.join(', ')} }`]
  const argumentsCode = [...items, ...optionsCode].join(', ')
  return `await expect(${of})${not ? '.not' : ''}.${matcher}(${argumentsCode});`
}

// Hidden texts do not count.
const goneAssertion = (text: string, { page, text: texts }: ActionScope): Assertion => ({
  of: `${page}.getByText(${texts.label(text)}).filter({ visible: true })`,
  matcher: 'toHaveCount',
  items: ['0'],
})

interface StateMatcher extends Pick<Assertion, 'matcher' | 'items' | 'not'> {
  readonly opposite?: string
}

/** `opposite` is the matcher for `not`; without it `.not` is added. */
const STATE_MATCHERS: Readonly<Record<ElementState, StateMatcher>> = {
  visible: { matcher: 'toBeVisible', opposite: 'toBeHidden' },
  hidden: { matcher: 'toBeHidden', opposite: 'toBeVisible' },
  enabled: { matcher: 'toBeEnabled', opposite: 'toBeDisabled' },
  disabled: { matcher: 'toBeDisabled', opposite: 'toBeEnabled' },
  editable: { matcher: 'toBeEditable' },
  readonly: { matcher: 'toBeEditable', not: true },
  checked: { matcher: 'toBeChecked' },
  unchecked: { matcher: 'toBeChecked', not: true },
  focused: { matcher: 'toBeFocused' },
  empty: { matcher: 'toBeEmpty' },
  attached: { matcher: 'toBeAttached' },
  detached: { matcher: 'toHaveCount', items: ['0'], opposite: 'toBeAttached' },
}

function elementAssertion(
  check: ElementCheck,
  { not, element, isOptionLabel }: RecordedCheck,
  of: string,
  { text }: ActionScope,
): Assertion {
  if (check.kind === 'state') {
    const { matcher, opposite, items = [], not: isInverted = false } = STATE_MATCHERS[check.state]
    if (not && opposite !== undefined) return { of, matcher: opposite }
    return { of, matcher, items, not: isInverted !== not }
  }
  if (check.kind === 'count') return { of, not, matcher: 'toHaveCount', items: [String(check.count)] }
  if (check.kind === 'text') return { of, not, matcher: 'toContainText', items: [text.label(check.text)] }
  if (isOptionLabel && element?.type === 'select')
    return {
      of: `${of}.locator('option:checked')`,
      not,
      matcher: 'toHaveText',
      items: [text.value(check.value)],
    }
  return { of, not, matcher: 'toHaveValue', items: [text.value(check.value)] }
}

const orderAssertion = ({ texts }: ItemOrder, of: string, { text }: ActionScope): Assertion => ({
  of,
  matcher: 'toContainText',
  items: [listCode(texts.map((one) => text.label(one)))],
})

function ariaAssertion(
  template: readonly string[],
  of: string,
  not: boolean,
  { text }: ActionScope,
): Assertion {
  const lines = template.map((line) => text.template(line)).join('\n')
  return { of, not, matcher: 'toMatchAriaSnapshot', items: [`\`\n${lines}\n\``] }
}

/** The lines of a snapshot as the templates of `toMatchAriaSnapshot`. A snapshot leaves out paragraphs and generic containers, which
 * Playwright keeps. So only lines that must be children of the one above stay below it, such as the items of a list; every other line is a
 * template of its own. What is required not to be there stays in one. */
export function ariaTemplates(aria: string, not: boolean): readonly (readonly string[])[] {
  const lines = expandLines(parseExpectedLines(aria)).flatMap(({ depth, text }) => {
    const line = parseLine(text)
    return line ? [{ ...line, depth }] : []
  })
  if (not) return lines.length === 0 ? [] : [formatLines(indentLines(lines))]
  return divideLines(lines).map(formatLines)
}

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

/** The roles whose elements lie directly in their parent, by the role of the parent. */
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

/** The number of earlier lines that it is below. */
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

/** One line for each element, as templates need them: a row is followed by its cells, and controls that share a line have one each. */
const expandLines = (lines: readonly ExpectedLine[]): readonly ExpectedLine[] =>
  lines.flatMap((line) => expandRow(line) ?? expandSiblings(line))

const cellRole = /^(?:cell|gridcell|columnheader|rowheader)\b/
const element = /^[a-z]+ "/

function expandRow({ depth, text }: ExpectedLine): readonly ExpectedLine[] | undefined {
  const [, row, role = 'cell', cells] = /^(row(?: \w+(?:=\w+)?)*?)(?: of (\w+)s)?: (.*\|.*)$/.exec(text) ?? []
  if (row === undefined || cells === undefined) return undefined
  const line = (level: number, content: string): ExpectedLine => ({ depth: depth + level, text: content })
  const expandCell = (cell: string): readonly ExpectedLine[] => {
    const [first = '', ...others] = splitOutsideQuotes(cell, /; /)
    const pieces = [first, ...others].filter((piece) => piece !== '')
    if (pieces.length === 0) return []
    if (cellRole.test(first)) return [line(1, first), ...others.map((piece) => line(2, lineOfPiece(piece)))]
    if (others.length === 0 && !element.test(first))
      return [line(1, `${role} ${JSON.stringify(unquote(first))}`)]
    return [line(1, role), ...pieces.map((piece) => line(2, lineOfPiece(piece)))]
  }
  return [line(0, row), ...splitOutsideQuotes(cells, / ?\| ?/).flatMap(expandCell)]
}

function expandSiblings({ depth, text }: ExpectedLine): readonly ExpectedLine[] {
  const [role] = text.split(' ', 1)
  const [first = '', ...others] = splitOutsideQuotes(text, /, /)
  if (others.length === 0 || !others.every((other) => other.startsWith('"'))) return [{ depth, text }]
  return [first, ...others.map((other) => `${role} ${other}`)].map((content) => ({ depth, text: content }))
}

const lineOfPiece = (piece: string): string => (element.test(piece) ? piece : `text: ${unquote(piece)}`)

const unquote = (text: string): string =>
  /^"(?:[^"\\]|\\.)*"$/.test(text) ? (JSON.parse(text) as string) : text

function splitOutsideQuotes(text: string, separator: RegExp): readonly string[] {
  const parts = ['']
  for (const token of text.split(/("(?:[^"\\]|\\.)*")/)) {
    const [head = '', ...tails] = token.startsWith('"') ? [token] : token.split(separator)
    parts.push((parts.pop() ?? '') + head, ...tails)
  }
  return parts
}
