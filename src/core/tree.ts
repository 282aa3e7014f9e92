// The accessibility tree of a page as an agent reads it: one line an element, indented, without the boxes that mean nothing. Playwright
// gives the tree; what is told of it, and how much, is decided here.

/** A node as `ariaSnapshotJSON` gives it; a child may be a bare text. */
export interface Node {
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
  readonly children?: readonly (Node | string)[]
}

export type Tree = readonly (Node | string)[]

/** One element as it is told. Two lines with the same key are the same element at different times. */
export interface Line {
  readonly key: string
  readonly depth: number
  readonly text: string
  readonly role: string
  readonly ref?: string
  readonly name: string
  /** A person could use it, or find the way by it. */
  readonly useful: boolean
}

const usable =
  /^(button|link|textbox|searchbox|checkbox|radio|combobox|listbox|option|switch|tab|menuitem\w*|slider|spinbutton|treeitem)$/
const signpost = /^(heading|dialog|alert\w*|status|iframe|tabpanel)$/
const silent = /^(generic|paragraph|strong|emphasis|text|none|presentation)$/

/** All lines of a tree, in the order of the page. */
export function linesOf(tree: Tree): readonly Line[] {
  const lines: Line[] = []
  const seen = new Map<string, number>()
  const texts = (text: string, depth: number, parent: string) => {
    const base = `${parent}/${text}`
    const count = seen.get(base) ?? 0
    seen.set(base, count + 1)
    lines.push({
      key: `${base}#${count}`,
      depth,
      text: `text: ${oneLine(text)}`,
      role: 'text',
      name: text,
      useful: false,
    })
  }
  const walk = (node: Node | string, depth: number, parent: string): void => {
    if (typeof node === 'string') return texts(node, depth, parent)
    const { role = 'generic', name = '', ref, text, children = [] } = node
    const clickable = node.cursor === 'pointer'
    const hoisted = silent.test(role) && name === '' && !clickable
    if (hoisted && text !== undefined) return texts(text, depth, ref ?? parent)
    if (!hoisted) lines.push(lineOf(node, depth, parent, clickable, lines.length))
    for (const child of children) walk(child, hoisted ? depth : depth + 1, ref ?? parent)
  }
  for (const node of tree) walk(node, 0, '')
  return lines
}

/** The lines as text. */
export const textOf = (lines: readonly Line[]): string =>
  lines.map(({ depth, text }) => `${' '.repeat(depth)}${text}`).join('\n')

/** What an agent needs first of a page that is too long to tell: what can be used and the headings, then as much text as fits, in the
 * order of the page. */
export function outline(lines: readonly Line[], maxChars: number): string {
  const chosen = new Set<Line>()
  let room = maxChars - 120
  const take = (line: Line) => {
    if (line.text.length + 1 > room) return false
    room -= line.text.length + 1
    chosen.add(line)
    return true
  }
  const useful = lines.filter((line) => line.useful)
  const all = useful.every(take)
  if (all) lines.filter((line) => !line.useful).every(take)
  const told = lines.filter((line) => chosen.has(line)).map(({ text }) => text)
  if (chosen.size === lines.length) return told.join('\n')
  const left = useful.filter((line) => !chosen.has(line)).length
  const rest = left > 0 ? `${left} more to use, and all text` : 'more text'
  return [...told, `… ${rest}: snapshot reads on with cursor or searches with pattern`].join('\n')
}

/** The lines that match, each below the nearest heading before it. */
export function search(lines: readonly Line[], pattern: RegExp): readonly Line[] {
  const found: Line[] = []
  let heading: Line | undefined
  for (const line of lines) {
    if (line.role === 'heading') heading = line
    if (!pattern.test(line.text)) continue
    if (heading && heading !== line) found.push({ ...heading, depth: 0 })
    if (heading !== line) found.push({ ...line, depth: heading ? 1 : 0 })
    else found.push({ ...line, depth: 0 })
    heading = undefined
  }
  return found
}

// --- internal ---

function lineOf(node: Node, depth: number, parent: string, clickable: boolean, index: number): Line {
  const { role = 'generic', name = '', ref, text } = node
  const acts = usable.test(role)
  const parts = [role, name && JSON.stringify(cut(name)), ref && `[${ref}]`, ...states(node, acts, clickable)]
  const told = text !== undefined && text !== name ? `: ${oneLine(text)}` : ''
  const to = node.url ? ` → ${node.url.slice(0, 80)}` : ''
  return {
    key: ref ?? `${parent}/${role} ${name}#${index}`,
    depth,
    text: `${parts.filter(Boolean).join(' ')}${told}${to}`,
    role,
    name: name || (text ?? ''),
    useful: (ref !== undefined && (acts || clickable)) || signpost.test(role),
    ...(ref !== undefined && { ref }),
  }
}

function states(node: Node, acts: boolean, clickable: boolean): (string | false)[] {
  const flag = (name: 'checked' | 'pressed' | 'disabled' | 'selected' | 'expanded' | 'invalid') => {
    const value = node[name]
    if (value === undefined || (value === false && name !== 'expanded')) return false
    return value === true ? name : `${name}=${String(value)}`
  }
  return [
    node.level !== undefined && `level=${node.level}`,
    flag('checked'),
    flag('pressed'),
    flag('expanded'),
    flag('selected'),
    flag('disabled'),
    flag('invalid'),
    node.placeholder !== undefined &&
      node.placeholder !== node.name &&
      `placeholder=${JSON.stringify(cut(node.placeholder))}`,
    clickable && !acts && 'clickable',
  ]
}

const LONGEST = 200

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
const oneLine = (text: string): string => cutLong(text.replace(/\s+/g, ' ').trim())
const cutLong = (text: string): string => (text.length > 1000 ? `${text.slice(0, 1000)}…` : text)
