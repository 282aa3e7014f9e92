import type { ComponentOrigin, SourceNote } from '../../../core/source/element-origin.ts'
import type { FrameworkOrigin } from './read-origin.ts'

/** The origin that React notes on the element in development, if it made it: React 16 to 18 note a position, later ones a stack. */
export function readReact(element: Element): FrameworkOrigin | undefined {
  interface FiberNotes {
    readonly _debugSource?: { fileName?: string; lineNumber?: number; columnNumber?: number } | null
    readonly _debugStack?: unknown
    readonly debugStack?: unknown
    readonly _debugOwner?: FiberNotes | null
    readonly owner?: FiberNotes | null
    readonly type?: unknown
    readonly name?: string
  }
  const positionOf = ({ _debugSource: source, ...notes }: FiberNotes): SourceNote | undefined => {
    if (source?.fileName)
      return { file: source.fileName, line: source.lineNumber!, column: source.columnNumber! }
    const stack = notes._debugStack ?? notes.debugStack
    const text = typeof stack === 'object' && stack ? (stack as Error).stack : stack
    return typeof text === 'string' ? { stack: text } : undefined
  }
  const nameOf = (type: unknown): string => {
    if (typeof type === 'function') return (type as { displayName?: string }).displayName || type.name
    const { displayName, render, type: inner } = (type ?? {}) as Record<string, unknown>
    return typeof displayName === 'string' ? displayName : render || inner ? nameOf(render ?? inner) : ''
  }
  const key = Object.keys(element).find((name) => /^__react(Fiber|InternalInstance)\$/.test(name))
  const fiber = key === undefined ? undefined : (Reflect.get(element, key) as FiberNotes | undefined)
  const position = fiber && positionOf(fiber)
  if (!position) return undefined
  const components: ComponentOrigin[] = []
  for (
    let owner = fiber._debugOwner;
    owner && components.length < 12;
    owner = owner._debugOwner ?? owner.owner
  ) {
    const usedAt = positionOf(owner)
    const name = typeof owner.name === 'string' ? owner.name : nameOf(owner.type)
    components.push({ name: name || 'Anonymous', ...(usedAt && { position: usedAt }) })
  }
  return { position, components }
}
