// The accessibility tree of a page is redacted before it is cut into lines. All its texts are looked through in one go.

import type { Node, Tree } from '../snapshot/snapshot-lines.ts'
import { isSecretName } from './secret-names.ts'
import { HIDDEN } from './spans.ts'

// No pattern reads over it, and no page's text has it: Playwright removes control characters.
const BETWEEN = '\n\u0000\n'

const writable = /^(textbox|searchbox|combobox|spinbutton)$/

/** The tree with every text redacted, and the values of the fields in `secretRefs`, or that are named as secrets, hidden. */
export function redactTree(
  tree: Tree,
  redact: (text: string) => string,
  secretRefs: ReadonlySet<string>,
): Tree {
  const texts: string[] = []
  const masked = map(tree, (text, node) => {
    if (node && isSecretNode(node, secretRefs)) return HIDDEN
    return text
  })
  map(masked, (text) => (texts.push(text), text))
  const redacted = redact(texts.join(BETWEEN)).split(BETWEEN)
  const same = redacted.length === texts.length ? redacted : texts.map(redact)
  let index = 0
  return map(masked, () => same[index++] ?? '')
}

/** The refs of fields whose value is one of `values`, so that it has to be asked which of them are secret. */
export function refsHolding(tree: Tree, values: ReadonlySet<string>): string[] {
  return tree.flatMap((node) => {
    if (typeof node === 'string') return []
    const children = node.children ?? []
    const holds = [node.text, ...children].some((text) => typeof text === 'string' && values.has(text.trim()))
    const own = node.ref !== undefined && writable.test(node.role ?? '') && holds ? [node.ref] : []
    return [...own, ...refsHolding(children, values)]
  })
}

// --- internal ---

const isSecretNode = ({ role = '', ref = '', name = '' }: Node, secretRefs: ReadonlySet<string>): boolean =>
  writable.test(role) && (secretRefs.has(ref) || isSecretName(name))

// `change` gets a field's value together with its node, and every other text alone.
function map(tree: Tree, change: (text: string, field?: Node) => string): Tree {
  return tree.map((node) => (typeof node === 'string' ? change(node) : mapNode(node, change)))
}

function mapNode(node: Node, change: (text: string, field?: Node) => string): Node {
  const { name, text, url, placeholder, children } = node
  return {
    ...node,
    ...(name !== undefined && { name: change(name) }),
    ...(text !== undefined && { text: change(text, node) }),
    ...(url !== undefined && { url: change(url) }),
    ...(placeholder !== undefined && { placeholder: change(placeholder) }),
    ...(children && {
      children: children.map((child) =>
        typeof child === 'string' ? change(child, node) : mapNode(child, change),
      ),
    }),
  }
}
