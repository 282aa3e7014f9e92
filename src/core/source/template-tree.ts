// The tags of a template as a tree. It is not validated: a template that its compiler accepts is enough.

export interface TemplateNode {
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
export function parseTemplate(text: string, start: number, end: number): TemplateNode {
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

/** All nodes below a node. */
export const descendantsOf = (node: TemplateNode): readonly TemplateNode[] =>
  node.children.flatMap((child) => [child, ...descendantsOf(child)])

// --- internal ---

const TAG_LIMIT = 5000
const TOKEN =
  /<!--[\s\S]*?-->|<\/([a-z][\w.-]*)\s*>|<([a-z][\w.-]*)((?:\s+(?:"[^"]*"|'[^']*'|[^"'<>/]|\/(?!>))*)?)(\/?)>/gi
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
