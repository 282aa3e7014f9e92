import type { ComponentOrigin } from '../../../core/source/element-origin.ts'
import type { FrameworkOrigin } from './read-origin.ts'

/** The position that Svelte notes on the element in development. */
export function readSvelte(element: Element): FrameworkOrigin | undefined {
  interface Place {
    readonly file?: string
    readonly line?: number
    readonly column?: number
    readonly char?: number
  }
  interface Block extends Place {
    readonly type?: string
    readonly componentTag?: string
    readonly parent?: Block | null
  }
  const meta = Reflect.get(element, '__svelte_meta') as { loc?: Place; parent?: Block | null } | undefined
  const positionOf = ({ file, line, column, char }: Place) =>
    typeof file === 'string' && typeof line === 'number'
      ? // Svelte 4 counts lines from 0, and it alone notes the character.
        { file, line: char === undefined ? line : line + 1, column: (column ?? 0) + 1 }
      : undefined
  const position = meta?.loc && positionOf(meta.loc)
  if (!position) return undefined
  const components: ComponentOrigin[] = []
  const ownName = /([^/\\]+)\.\w+$/.exec(position.file)?.[1] ?? position.file
  let usedAt: ComponentOrigin['position'] | undefined
  let name = ownName
  for (let block = meta?.parent; block && components.length < 12; block = block.parent) {
    if (block.type !== 'component') continue
    usedAt = positionOf(block)
    components.push({ name, ...(usedAt && { position: usedAt }) })
    name = /([^/\\]+)\.\w+$/.exec(block.file ?? '')?.[1] ?? ''
  }
  return { position, components: name ? [...components, { name }] : components }
}
