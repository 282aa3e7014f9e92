import type { FrameworkOrigin } from './read-origin.ts'

/** The position in an attribute that a framework or an inspector plugin adds in development. */
export function readAttributes(element: Element): FrameworkOrigin | undefined {
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
