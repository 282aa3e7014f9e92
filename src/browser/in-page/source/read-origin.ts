import type { ElementDescription, ElementOrigin, TemplateStep } from '../../../core/source/element-origin.ts'

/** What a framework notes about an element. `author`: the component in whose template it is written, if there is a template. */
export interface FrameworkOrigin extends Pick<ElementOrigin, 'position' | 'template' | 'components'> {
  readonly author?: object
}

type ReadFramework = (element: Element) => FrameworkOrigin | undefined

interface Readers {
  readonly readAttributes: ReadFramework
  readonly readReact: ReadFramework
  readonly readVue: ReadFramework
  readonly readSvelte: ReadFramework
  readonly readAngular: ReadFramework
  readonly readPreact: ReadFramework
  readonly loadAstro: () => Promise<ReadFramework | undefined>
}

/** The origin of an element as JSON text: its own, or that of its nearest ancestor that has one. */
export async function readOrigin({ loadAstro, ...others }: Readers, element: Element): Promise<string> {
  const readAstro = await loadAstro().catch(() => undefined)
  const readers = readAstro ? [...Object.values<ReadFramework>(others), readAstro] : Object.values(others)
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
    ...(testId !== undefined && { testId }),
  }
  return JSON.stringify(origin)
}
