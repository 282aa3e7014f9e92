import type { ComponentOrigin } from '../../../core/source/element-origin.ts'
import type { FrameworkOrigin } from './read-origin.ts'

/** The file of the Vue component whose template has the element. Its line is known if a plugin of the inspector has noted it. */
export function readVue(element: Element): FrameworkOrigin | undefined {
  interface Instance {
    readonly type: { readonly __file?: string; readonly name?: string; readonly __name?: string }
    readonly parent?: Instance | null
  }
  interface Node {
    readonly ctx?: Instance | null
    readonly props?: Record<string, unknown> | null
  }
  const nodeOf = (target: Element) => Reflect.get(target, '__vnode') as Node | undefined
  // Static content has no nodes of its own: it belongs to the template around it, unless that sets the content.
  let maker = element
  for (let depth = 0; depth < 6 && !nodeOf(maker) && maker.parentElement; depth += 1)
    maker = maker.parentElement
  const node = nodeOf(maker)
  if (maker !== element && node?.props?.['innerHTML'] !== undefined) return undefined
  const parent = Reflect.get(maker, '__vueParentComponent') as Instance | undefined
  // A slot is rendered by one component and written in the template of another, which is the context of the node.
  const author = node?.ctx ?? parent
  const template = author?.type.__file
  if (!author || typeof template !== 'string') return undefined
  const inspectorPosition = /^(.+):(\d+):(\d+)$/.exec(String(node?.props?.['__v_inspector'] ?? ''))
  const components: ComponentOrigin[] = []
  for (
    let instance: Instance | null | undefined = author;
    instance && components.length < 12;
    instance = instance.parent
  ) {
    const { __file: file, name, __name: fileName } = instance.type
    const base = /([^/\\]+)\.\w+$/.exec(file ?? '')?.[1]
    const componentName = name ?? fileName ?? base
    if (componentName) components.push({ name: componentName, ...(file && { position: { file } }) })
  }
  if (!inspectorPosition || maker !== element) return { template, author, components }
  const [, file = '', line, column] = inspectorPosition
  return { position: { file, line: Number(line), column: Number(column) }, components }
}
