import type { ComponentOrigin, SourceNote } from '../../../core/source/element-origin.ts'
import type { FrameworkOrigin } from './read-origin.ts'

/** The position that the JSX transform of Preact notes in development. The nodes of an element are found from the root of its tree. */
export function readPreact(element: Element): FrameworkOrigin | undefined {
  interface Node {
    readonly type?: unknown
    readonly __e?: unknown
    readonly __k?: readonly (Node | null)[] | null
    readonly __source?: { fileName?: string; lineNumber?: number; columnNumber?: number }
  }
  const NODE_LIMIT = 20_000
  let root: Element | null = element
  while (root && !('__k' in root)) root = root.parentElement
  if (!root) return undefined
  const positionOf = ({ __source: source }: Node): SourceNote | undefined =>
    source?.fileName
      ? { file: source.fileName, line: source.lineNumber!, column: source.columnNumber! }
      : undefined
  const stack: { node: Node; above: readonly Node[] }[] = [
    { node: Reflect.get(root, '__k') as Node, above: [] },
  ]
  for (let count = 0; stack.length > 0 && count < NODE_LIMIT; count += 1) {
    const { node, above } = stack.pop()!
    if (typeof node.type === 'string' && node.__e === element) {
      const position = positionOf(node)
      const components = above.flatMap((component): ComponentOrigin[] => {
        const { displayName, name } = component.type as { displayName?: string; name: string }
        const usedAt = positionOf(component)
        return name === 'Fragment' || !(displayName || name)
          ? []
          : [{ name: displayName || name, ...(usedAt && { position: usedAt }) }]
      })
      return position && { position, components: components.slice(0, 12) }
    }
    const nextAbove = typeof node.type === 'function' ? [node, ...above] : above
    for (const child of node.__k ?? []) if (child) stack.push({ node: child, above: nextAbove })
  }
  return undefined
}
