// The accessibility tree of a page as an agent reads it: one line an element, indented, without the boxes that mean nothing. Playwright
// gives the tree; what is shown of it, and how much, is decided here.

/** A node as `ariaSnapshotJSON` gives it; a child may be a bare text. */
export interface AriaNode {
  readonly role?: string
  readonly name?: string
  readonly text?: string
  readonly ref?: string
  readonly url?: string
  readonly placeholder?: string
  readonly cursor?: string
  readonly level?: number
  readonly checked?: boolean | 'mixed'
  readonly pressed?: boolean | 'mixed'
  readonly disabled?: boolean
  readonly expanded?: boolean
  readonly selected?: boolean
  readonly invalid?: boolean | string
  readonly active?: boolean
  /** The element, as long as its document lives, whatever its ref. */
  readonly key?: string
  /** It and what is in it are hidden behind a modal layer. */
  readonly hidden?: boolean
  readonly draggable?: boolean
  /** Transparent, a pixel large or beyond the edge. */
  readonly unseen?: boolean
  /** It takes no clicks now, and has its ref from before. */
  readonly passive?: boolean
  readonly children?: readonly (AriaNode | string)[]
}

export type AriaTree = readonly (AriaNode | string)[]

/** One element as it is shown. Two lines with the same key are the same element at different times. */
export interface SnapshotLine {
  readonly key: string
  readonly depth: number
  readonly text: string
  readonly role: string
  readonly ref?: string
  readonly name: string
  /** A person could use it, or find the way by it. */
  readonly isUseful: boolean
  readonly isHidden: boolean
  /** Its role is one that is used, though it may take no clicks now. */
  readonly isControl?: boolean
  readonly expanded?: boolean
  readonly isPassive: boolean
  readonly isUnseen?: boolean
  /** What the row of a table that it is in begins with. */
  readonly row?: string
}

const controlRole =
  /^(button|link|textbox|searchbox|checkbox|radio|combobox|listbox|option|switch|tab|menuitem\w*|slider|spinbutton|treeitem)$/
const landmarkRole = /^(heading|dialog|alert\w*|status|iframe|tabpanel)$/
const omittedRole = /^(generic|paragraph|strong|emphasis|text|none|presentation)$/

interface LineContext {
  readonly depth: number
  readonly key: string
  readonly hidden: boolean
  readonly row?: string
}

/** All lines of a tree, in the order of the page. */
export function linesOf(tree: AriaTree): readonly SnapshotLine[] {
  const lines: SnapshotLine[] = []
  const countByKey = new Map<string, number>()
  const addText = (name: string, { depth, key: parent, hidden: isHidden }: LineContext) => {
    const base = `${parent}/${name}`
    const count = countByKey.get(base) ?? 0
    countByKey.set(base, count + 1)
    const text = `text: ${toOneLine(name)}`
    lines.push({
      key: `${base}#${count}`,
      depth,
      text,
      role: 'text',
      name,
      isUseful: false,
      isHidden,
      isPassive: false,
    })
  }
  const walk = (node: AriaNode | string, context: LineContext): void => {
    if (typeof node === 'string') return addText(node, context)
    const { role = 'generic', name = '', ref, text, children = [] } = node
    const isClickable = node.cursor === 'pointer'
    const isOmitted = omittedRole.test(role) && name === '' && !isClickable && !node.draggable
    const key = node.key ?? ref
    const isHidden = context.hidden || node.hidden === true
    if (isOmitted && text !== undefined)
      return addText(text, { ...context, key: key ?? context.key, hidden: isHidden })
    if (!isOmitted) lines.push(lineOf(node, { ...context, hidden: isHidden }, isClickable, lines.length))
    const row = role === 'row' ? firstTextOf(children) : undefined
    const depth = isOmitted ? context.depth : context.depth + 1
    const childContext = { ...context, depth, key: key ?? context.key, hidden: isHidden, ...(row && { row }) }
    for (const child of children) if (!repeatsName(node, child)) walk(child, childContext)
  }
  for (const node of tree) walk(node, { depth: 0, key: '', hidden: false })
  return lines
}

/** The lines as text. */
export const textOf = (lines: readonly SnapshotLine[]): string =>
  lines.map(({ depth, text }) => `${' '.repeat(depth)}${text}`).join('\n')

// --- internal ---

function lineOf(node: AriaNode, context: LineContext, isClickable: boolean, index: number): SnapshotLine {
  const { role = 'generic', name = '', ref, text } = node
  const isControl = controlRole.test(role)
  const parts = [
    role,
    name && JSON.stringify(clipName(name)),
    ref && `[${ref}]`,
    ...statesOf(node, isControl, isClickable),
  ]
  const value = text !== undefined && text !== name ? `: ${toOneLine(text)}` : ''
  const destination = node.url ? ` → ${node.url.slice(0, 80)}` : ''
  const isUseful =
    (ref !== undefined && (isControl || isClickable || node.draggable)) || landmarkRole.test(role)
  return {
    key: node.key ?? ref ?? `${context.key}/${role} ${name}#${index}`,
    depth: context.depth,
    text: `${parts.filter(Boolean).join(' ')}${value}${destination}`,
    role,
    name: name || (text ?? ''),
    isUseful: isUseful && !node.unseen,
    isHidden: context.hidden,
    isPassive: node.passive === true,
    ...(isControl && { isControl: true }),
    ...(node.unseen && { isUnseen: true }),
    ...(node.expanded !== undefined && { expanded: node.expanded }),
    ...(ref !== undefined && { ref }),
    ...(context.row && { row: context.row }),
  }
}

// A control's name is made of what is in it.
function repeatsName({ role = '', name = '' }: AriaNode, child: AriaNode | string): boolean {
  if (name === '' || name.length > NAME_LIMIT_CHARS || !controlRole.test(role)) return false
  if (typeof child === 'string') return name.includes(child)
  const { role: childRole = 'generic', cursor, draggable, children = [] } = child
  const isContent = childRole === 'img' || omittedRole.test(childRole)
  if (
    !isContent ||
    cursor === 'pointer' ||
    draggable ||
    children.some((grandchild) => !repeatsName({ role, name }, grandchild))
  )
    return false
  return name.includes(child.name ?? '') && name.includes(child.text ?? '')
}

// Of the names and texts of a row, in their order.
function firstTextOf(children: readonly (AriaNode | string)[]): string | undefined {
  for (const child of children) {
    const text =
      typeof child === 'string' ? child : child.name || child.text || firstTextOf(child.children ?? [])
    if (text?.trim()) return toOneLine(text)
  }
  return undefined
}

function statesOf(node: AriaNode, isControl: boolean, isClickable: boolean): (string | false)[] {
  const stateText = (name: 'checked' | 'pressed' | 'disabled' | 'selected' | 'expanded' | 'invalid') => {
    const value = node[name]
    if (value === undefined || (value === false && name !== 'expanded')) return false
    return value === true ? name : `${name}=${String(value)}`
  }
  return [
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
    isClickable && !isControl && 'clickable',
    node.draggable === true && 'draggable',
    node.unseen === true && 'unseen',
  ]
}

const NAME_LIMIT_CHARS = 200

const clipName = (text: string): string =>
  text.length > NAME_LIMIT_CHARS ? `${text.slice(0, NAME_LIMIT_CHARS)}…` : text
const toOneLine = (text: string): string => clipLine(text.replace(/\s+/g, ' ').trim())
const clipLine = (text: string): string => (text.length > 1000 ? `${text.slice(0, 1000)}…` : text)
