import type { FrameworkOrigin } from './read-origin.ts'

/** Reads what Astro noted in attributes, which its toolbar has moved into a module of the page; undefined without the toolbar. */
export async function loadAstro(): Promise<((element: Element) => FrameworkOrigin | undefined) | undefined> {
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
