import type { Point } from '../../../core/base/geometry.ts'
import { hitElement } from '../../../core/browser/in-page/page/elements.ts'
import type {
  ComponentOrigin,
  ElementDescription,
  ElementOrigin,
  SourceNote,
  TemplateStep,
} from '../../../core/sessions/types/sources.ts'

/** What a framework notes about an element. `author`: the component in whose template it is written, if there is a template. */
interface FrameworkOrigin extends Pick<ElementOrigin, 'position' | 'template' | 'components'> {
  readonly author?: object
}

type ReadFramework = (element: Element) => FrameworkOrigin | undefined

/** The origin of an element as JSON text: its own, or that of its nearest ancestor that has one. */
export async function readOrigin(element: Element): Promise<string> {
  const readAstro = await loadAstro().catch(() => undefined)
  const others = [readAttributes, readReact, readVue, readSvelte, readAngular, readPreact]
  const readers = readAstro ? [...others, readAstro] : others
  const describe = (target: Element): ElementDescription => ({
    tag: target.localName,
    attributes: Object.fromEntries(
      [...target.attributes].slice(0, 40).map(({ name, value }) => [name, value.slice(0, 200)]),
    ),
    ...(target.childElementCount === 0 && { text: (target.textContent ?? '').slice(0, 500) }),
  })
  const read = (target: Element): FrameworkOrigin | undefined => {
    for (const reader of readers) {
      try {
        const origin = reader(target)
        if (origin) return origin
      } catch {
        // The page may have changed what the framework notes.
      }
    }
    return undefined
  }
  const parentOf = (target: Element): Element | null => {
    const root = target.parentElement ? undefined : target.getRootNode()
    return root instanceof ShadowRoot ? root.host : target.parentElement
  }
  // The element and its ancestors that are written in the same template.
  const pathOf = (target: Element, author: object): TemplateStep[] => {
    const steps: TemplateStep[] = []
    let isDirect = true
    for (let above: Element | null = target; above && steps.length < 12; above = above.parentElement) {
      if (above !== target && read(above)?.author !== author) {
        isDirect = false
        continue
      }
      const last = steps.pop()
      if (last) steps.push({ ...last, isDirect })
      const siblings = [...(above.parentElement?.children ?? [])]
      steps.push({
        ...describe(above),
        index: siblings.indexOf(above),
        count: siblings.length,
        isDirect: false,
      })
      isDirect = true
    }
    return steps
  }
  const TEST_IDS = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa', 'data-pw']
  let match: { origin: FrameworkOrigin; target: Element } | undefined
  let testId: string | undefined
  for (let target: Element | null = element; target; target = parentOf(target)) {
    const origin = match ? undefined : read(target)
    if (origin) match = { origin, target }
    const name = testId ? undefined : TEST_IDS.find((attribute) => target?.hasAttribute(attribute))
    if (name) testId = `${name}=${JSON.stringify(target.getAttribute(name))}`
  }
  const { author, ...notes } = match?.origin ?? { components: [] }
  const origin: ElementOrigin = {
    element: describe(element),
    ...notes,
    ...(match && author && { path: pathOf(match.target, author) }),
    ...(match && match.target !== element && { ancestor: describe(match.target) }),
    testId,
  }
  return JSON.stringify(origin)
}

/** The same of the element at a point of the document. */
export function readOriginOfHit(_: Element, { x, y }: Point): Promise<string> | undefined {
  const hit = hitElement(x, y)
  return hit ? readOrigin(hit) : undefined
}

/** The same of the elements that these CSS selectors match first, null for none, as one JSON text. */
export async function readOriginsOfPaths(_: Element, paths: readonly string[]): Promise<string> {
  const origins = paths.map((path) => {
    const element = document.querySelector(path)
    return element ? readOrigin(element) : null
  })
  return JSON.stringify(await Promise.all(origins))
}

// Reads what Astro noted in attributes, which its toolbar has moved into a module of the page; undefined without the toolbar.
async function loadAstro(): Promise<ReadFramework | undefined> {
  interface Annotations {
    getAnnotationsForElement?(
      element: Element,
    ): { file?: string | null; location?: string | null } | undefined
  }
  if (!document.querySelector('astro-dev-toolbar')) return undefined
  const names = performance.getEntriesByType('resource').map(({ name }) => name)
  const url = names.find(
    (name) =>
      name.startsWith(`${location.origin}/`) && /\/dev-toolbar\/apps\/audit\/annotations\.js/.test(name),
  )
  // The module is loaded already.
  const annotations = url === undefined ? undefined : ((await import(url)) as Annotations)
  return (element) => {
    const note = annotations?.getAnnotationsForElement?.(element)
    const [, line, column] = /^(\d+):(\d+)$/.exec(note?.location ?? '') ?? []
    if (!note?.file || !line) return undefined
    return {
      position: { file: note.file, line: Number(line), column: Number(column), isTagEnd: true },
      components: [],
    }
  }
}

// The file of the Angular component whose template has the element.
function readAngular(element: Element): FrameworkOrigin | undefined {
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

// The position in an attribute that a framework or an inspector plugin adds in development.
function readAttributes(element: Element): FrameworkOrigin | undefined {
  const read = (name: string) => element.getAttribute(name) ?? ''
  const result = (file: string, line: string | undefined, column: string | undefined) => ({
    position: { file, line: Number(line), column: Number(column) },
    components: [],
  })
  // Astro
  const [, astroLine, astroColumn] = /^(\d+):(\d+)$/.exec(read('data-astro-source-loc')) ?? []
  if (astroLine) {
    const { position, ...rest } = result(read('data-astro-source-file'), astroLine, astroColumn)
    return { position: { ...position, isTagEnd: true }, ...rest }
  }
  // Angular counts from 0.
  const angular = /^(.+)@o:\d+,l:(\d+),c:(\d+)$/.exec(read('data-ng-source-location'))
  if (angular) return result(angular[1]!, String(Number(angular[2]) + 1), String(Number(angular[3]) + 1))
  // The inspectors of Vue, Solid and others
  for (const name of ['data-v-inspector', 'data-source-loc', 'data-insp-path', 'data-source', 'data-loc']) {
    const [, file, line, column] = /^(.+?\.\w+):(\d+):(\d+)(?::|$)/.exec(read(name)) ?? []
    if (file) return result(file, line, column)
  }
  const file = read('data-inspector-relative-path')
  return file ? result(file, read('data-inspector-line'), read('data-inspector-column')) : undefined
}

// The position that the JSX transform of Preact notes in development. The nodes of an element are found from the root of its tree.
function readPreact(element: Element): FrameworkOrigin | undefined {
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
          : [{ name: displayName || name, position: usedAt }]
      })
      return position && { position, components: components.slice(0, 12) }
    }
    const nextAbove = typeof node.type === 'function' ? [node, ...above] : above
    for (const child of node.__k ?? []) if (child) stack.push({ node: child, above: nextAbove })
  }
  return undefined
}

// The origin that React notes on the element in development, if it made it: React 16 to 18 note a position, later ones a stack.
function readReact(element: Element): FrameworkOrigin | undefined {
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
    components.push({ name: name || 'Anonymous', position: usedAt })
  }
  return { position, components }
}

// The position that Svelte notes on the element in development.
function readSvelte(element: Element): FrameworkOrigin | undefined {
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
    components.push({ name, position: usedAt })
    name = /([^/\\]+)\.\w+$/.exec(block.file ?? '')?.[1] ?? ''
  }
  return { position, components: name ? [...components, { name }] : components }
}

// The file of the Vue component whose template has the element. Its line is known if a plugin of the inspector has noted it.
function readVue(element: Element): FrameworkOrigin | undefined {
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
