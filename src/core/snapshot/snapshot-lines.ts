// Formats the accessibility tree of a page as text: one indented line for each element, without elements that have no role or name.
// The tree comes from Playwright; which of its nodes are shown is decided here.

import { normalizeSpace } from '../base/text/clip.ts'
import type { AriaNode, AriaTree, NodeStates, Place, SnapshotLine } from '../sessions/types/snapshot.ts'

const controlRole =
  /^(button|link|textbox|searchbox|checkbox|radio|combobox|listbox|option|switch|tab|menuitem\w*|slider|spinbutton|treeitem)$/
const namedByContentRole = /^(button|link|tab|option|menuitem\w*|treeitem)$/
const landmarkRole = /^(heading|dialog|alert\w*|status|iframe|tabpanel)$/
const omittedRole = /^(generic|paragraph|strong|emphasis|text|none|presentation)$/

interface LineContext {
  readonly depth: number
  readonly place: Place
  readonly key: string
  readonly hidden: boolean
  readonly row?: string
}

/** The lines of a tree, in document order. */
export function linesOf(tree: AriaTree): readonly SnapshotLine[] {
  const root: Place = { role: '', level: 0 }
  const lines: SnapshotLine[] = []
  const countByKey = new Map<string, number>()
  const addText = (
    name: string,
    { depth, key: parent, hidden: isHidden, place }: LineContext,
    node: AriaNode = {},
  ) => {
    const { ref } = node
    const base = `${parent}/${name}`
    const count = countByKey.get(base) ?? 0
    countByKey.set(base, count + 1)
    const text = `${['text', ...refTexts(node)].join(' ')}: ${toOneLine(name)}`
    const line = {
      key: `${base}#${count}`,
      depth,
      text,
      role: 'text',
      name,
      isUseful: false,
      isHidden,
      place,
    }
    lines.push({ ...line, isPassive: false, ref })
  }
  const walk = (node: AriaNode | string, context: LineContext): void => {
    if (typeof node === 'string') return addText(node, { ...context, place: placeIn(context.place, 'text') })
    const { role = 'generic', name = '', ref, text, children = [] } = node
    const place = placeIn(context.place, role)
    const isClickable = node.cursor === 'pointer'
    const isActive = isClickable || node.focusable || node.draggable || node.editable
    const isOmitted = omittedRole.test(role) && name === '' && !isActive
    const key = node.key ?? ref
    const isHidden = context.hidden || node.hidden === true
    if (isOmitted && text !== undefined) {
      const textContext = { ...context, place, key: key ?? context.key, hidden: isHidden }
      return addText(text, textContext, node.part ? node : undefined)
    }
    if (!isOmitted)
      lines.push(lineOf(node, { ...context, place, hidden: isHidden }, isClickable, lines.length))
    const row = role === 'row' ? firstTextOf(children) : undefined
    const depth = isOmitted ? context.depth : context.depth + 1
    const childContext = {
      ...context,
      depth,
      place,
      key: key ?? context.key,
      hidden: isHidden,
      ...(row && { row }),
    }
    for (const child of children) if (!repeatsName(node, child)) walk(child, childContext)
  }
  for (const node of tree) walk(node, { depth: 0, place: root, key: '', hidden: false })
  return omitLabels(lines)
}

/** The lines, with a mark on the element that has the focus. Lines that are compared have none. */
export const markFocus = (lines: readonly SnapshotLine[]): readonly SnapshotLine[] =>
  lines.map((line) => (line.isFocused ? withMark(line, 'focused') : line))

/** The lines, with marks on the element that has the focus and on those that nobody can use. */
export const markStates = (lines: readonly SnapshotLine[]): readonly SnapshotLine[] =>
  markFocus(lines).map((line) => (line.isInert ? withMark(line, 'inert') : line))

export const textOf = (lines: readonly SnapshotLine[]): string =>
  lines.map(({ depth, text }) => `${' '.repeat(depth)}${text}`).join('\n')

const withMark = (line: SnapshotLine, mark: string): SnapshotLine => ({
  ...line,
  text: line.text.replace(`[${line.ref}]`, `[${line.ref}] ${mark}`),
})

const placeIn = (parent: Place, role: string): Place => ({ role, level: parent.level + 1, parent })

function lineOf(node: AriaNode, context: LineContext, isClickable: boolean, index: number): SnapshotLine {
  const { role = 'generic', name = '', ref, text } = node
  const isControl = controlRole.test(role)
  const parts = [
    role,
    name && JSON.stringify(clipName(name)),
    ...refTexts(node),
    ...statesOf(node, isControl, isClickable),
  ]
  const isNamed =
    text === name || (namedByContentRole.test(role) && text !== undefined && name.includes(text))
  const value = text !== undefined && !isNamed ? `: ${toOneLine(text)}` : ''
  const destination = node.url && node.url !== '#' ? ` → ${toOneLine(node.url.slice(0, 80))}` : ''
  const isUseful =
    (ref !== undefined && (isControl || isClickable || node.focusable || node.draggable || node.editable)) ||
    landmarkRole.test(role)
  return {
    key: node.key ?? ref ?? `${context.key}/${role} ${name}#${index}`,
    depth: context.depth,
    text: `${parts.filter(Boolean).join(' ')}${value}${destination}`,
    role,
    name: name || (text ?? ''),
    isUseful: isUseful && !node.unseen,
    isHidden: context.hidden,
    isPassive: node.passive === true,
    place: context.place,
    ...(isControl && { isControl: true }),
    ...(node.active && ref !== undefined && { isFocused: true }),
    ...(node.unseen && { isUnseen: true }),
    ...(node.invalid && { isInvalid: true }),
    ...(node.inert && { isInert: true }),
    expanded: node.expanded,
    ref,
    ...(context.row && { row: context.row }),
  }
}

const refTexts = ({ ref, box }: AriaNode): readonly string[] => {
  if (!ref) return []
  return box ? [`[${ref}]`, `[${box.x},${box.y},${box.width},${box.height}]`] : [`[${ref}]`]
}

// The name of a control is computed from its content.
function repeatsName({ role = '', name = '' }: AriaNode, child: AriaNode | string): boolean {
  if (name === '' || name.length > SHOWN_NAME_LIMIT_CHARS || !controlRole.test(role)) return false
  if (typeof child === 'string') return name.includes(child)
  const { role: childRole = 'generic', cursor, focusable, draggable, children = [] } = child
  const isContent = childRole === 'img' || omittedRole.test(childRole)
  if (
    !isContent ||
    cursor === 'pointer' ||
    focusable ||
    draggable ||
    children.some((grandchild) => !repeatsName({ role, name }, grandchild))
  )
    return false
  return name.includes(child.name ?? '') && name.includes(child.text ?? '')
}

// The first non-empty name or text, in document order.
function firstTextOf(children: readonly (AriaNode | string)[]): string | undefined {
  for (const child of children) {
    const text =
      typeof child === 'string' ? child : child.name || child.text || firstTextOf(child.children ?? [])
    if (text?.trim()) return toOneLine(text)
  }
  return undefined
}

const toOneLine = (text: string): string => clipLine(normalizeSpace(text))
const clipLine = (text: string): string => (text.length > 1000 ? `${text.slice(0, 1000)}…` : text)

// The label of a form control is its name too, so its own line says nothing new.
type Line = Pick<SnapshotLine, 'role' | 'name' | 'ref'>

const labelledRole = /^(textbox|searchbox|checkbox|radio|combobox|listbox|switch|slider|spinbutton)$/

/** The lines without texts that only repeat the name of the form control next to them. */
const omitLabels = <L extends Line>(lines: readonly L[]): readonly L[] =>
  lines.filter(
    (line, index) =>
      line.role !== 'text' ||
      line.ref !== undefined ||
      ![lines[index - 1], lines[index + 1]].some((other) => other && isLabelOf(line, other)),
  )

const isLabelOf = (text: Line, { role, name }: Line): boolean =>
  labelledRole.test(role) && normalizeSpace(name) === normalizeSpace(text.name)

/** The maximum length of a name in a line. */
const SHOWN_NAME_LIMIT_CHARS = 200

export const clipName = (text: string): string =>
  text.length > SHOWN_NAME_LIMIT_CHARS ? `${text.slice(0, SHOWN_NAME_LIMIT_CHARS)}…` : text

/** The states of an element, each as it is shown; false for those that it does not have. */
function statesOf(node: NodeStates, isControl: boolean, isClickable: boolean): (string | false)[] {
  const stateText = (name: 'checked' | 'pressed' | 'disabled' | 'selected' | 'expanded' | 'invalid') => {
    const value = node[name]
    if (value === undefined || (value === false && name !== 'expanded')) return false
    return value === true ? name : `${name}=${String(value)}`
  }
  return [
    node.inputType ?? false,
    node.level !== undefined && `level=${node.level}`,
    stateText('checked'),
    stateText('pressed'),
    stateText('expanded'),
    stateText('selected'),
    stateText('disabled'),
    stateText('invalid'),
    node.placeholder !== undefined &&
      node.placeholder !== node.name &&
      `placeholder=${JSON.stringify(clipName(node.placeholder))}`,
    isClickable && !isControl && !node.editable && 'clickable',
    node.editable === true && !isControl && 'editable',
    node.focusable === true && !isClickable && !node.editable && 'focusable',
    node.draggable === true && 'draggable',
    node.unseen === true && 'unseen',
    node.closed === true && 'closed',
  ]
}
