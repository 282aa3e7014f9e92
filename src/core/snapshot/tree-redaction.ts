// Redacts the accessibility tree of a page before it is formatted as lines. All its texts are searched at once.

import { isSecretName } from '../base/redaction/secret-names.ts'
import { REDACTED } from '../base/redaction/spans.ts'
import type { AriaNode, AriaTree } from '../sessions/types/snapshot.ts'

// No pattern matches across it, and no text of a page contains it: Playwright removes control characters.
const TEXT_SEPARATOR = '\n\u0000\n'

const editableRole = /^(textbox|searchbox|combobox|spinbutton)$/

/** The redacted tree. The values of fields in `secretRefs` and of fields with secret names are hidden completely. */
export function redactTree(
  tree: AriaTree,
  redact: (text: string) => string,
  secretRefs: ReadonlySet<string>,
): AriaTree {
  const texts: string[] = []
  const maskedTree = mapTexts(tree, (text, node) => {
    if (node && isSecretNode(node, secretRefs)) return REDACTED
    return text
  })
  mapTexts(maskedTree, (text) => (texts.push(text), text))
  const redactedTexts = redact(texts.join(TEXT_SEPARATOR)).split(TEXT_SEPARATOR)
  const alignedTexts = redactedTexts.length === texts.length ? redactedTexts : texts.map(redact)
  let index = 0
  return mapTexts(maskedTree, () => alignedTexts[index++] ?? '')
}

/** The refs of fields whose value is one of `values`; the page has to be asked which of them are secret. */
export function findRefsWithValues(tree: AriaTree, values: ReadonlySet<string>): string[] {
  return tree.flatMap((node) => {
    if (typeof node === 'string') return []
    const children = node.children ?? []
    const hasValue = [node.text, ...children].some(
      (text) => typeof text === 'string' && values.has(text.trim()),
    )
    const ownRef = node.ref !== undefined && editableRole.test(node.role ?? '') && hasValue ? [node.ref] : []
    return [...ownRef, ...findRefsWithValues(children, values)]
  })
}

// --- internal ---

const isSecretNode = (
  { role = '', ref = '', name = '' }: AriaNode,
  secretRefs: ReadonlySet<string>,
): boolean => editableRole.test(role) && (secretRefs.has(ref) || isSecretName(name))

// `change` is called with a field's value and its node, and with every other text alone.
function mapTexts(tree: AriaTree, change: (text: string, field?: AriaNode) => string): AriaTree {
  return tree.map((node) => (typeof node === 'string' ? change(node) : mapNodeTexts(node, change)))
}

function mapNodeTexts(node: AriaNode, change: (text: string, field?: AriaNode) => string): AriaNode {
  const { name, text, url, placeholder, children } = node
  return {
    ...node,
    ...(name !== undefined && { name: change(name) }),
    ...(text !== undefined && { text: change(text, node) }),
    ...(url !== undefined && { url: change(url) }),
    ...(placeholder !== undefined && { placeholder: change(placeholder) }),
    ...(children && {
      children: children.map((child) =>
        typeof child === 'string' ? change(child, node) : mapNodeTexts(child, change),
      ),
    }),
  }
}
