import type { ComponentOrigin } from '../../../core/source/element-origin.ts'
import type { FrameworkOrigin } from './read-origin.ts'

/** The file of the Angular component whose template has the element. */
export function readAngular(element: Element): FrameworkOrigin | undefined {
  interface DebugInfo {
    readonly className?: string
    readonly filePath?: string
    readonly lineNumber?: number
  }
  interface Debugging {
    getOwningComponent?(target: Element): object | null
    getHostElement?(component: object): Element
  }
  const debugging = Reflect.get(window, 'ng') as Debugging | undefined
  if (!debugging?.getOwningComponent || !debugging.getHostElement) return undefined
  const components: ComponentOrigin[] = []
  let template: string | undefined
  let author: object | undefined
  let target: Element | undefined = element
  while (target && components.length < 12) {
    let owner: object | null
    try {
      owner = debugging.getOwningComponent(target)
    } catch {
      owner = null
    }
    if (!owner) break
    const { ɵcmp: definition } = owner.constructor as { ɵcmp?: { debugInfo?: DebugInfo | null } }
    const { className, filePath, lineNumber } = definition?.debugInfo ?? {}
    const name = className ?? owner.constructor.name
    template ??= components.length === 0 ? filePath : undefined
    author ??= owner
    components.push({ name, ...(filePath && { position: { file: filePath, line: lineNumber! } }) })
    target = debugging.getHostElement(owner)
  }
  return template === undefined || !author ? undefined : { template, author, components }
}
