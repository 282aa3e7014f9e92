// Finds the source files of elements, from what frameworks note about them.

import { posix } from 'node:path'
import type { ServerFolder } from './script-maps.ts'
import { placeSource, readSourceFile } from './place-source.ts'
import { isLoopbackHost } from '../../core/network/http-guard.ts'
import { parseUrl } from '../../core/network/parse-url.ts'
import { findComponentTemplate } from '../../core/source/component-template.ts'
import type { ElementOrigin, SourceNote, TemplateStep } from '../../core/source/element-origin.ts'
import type { ElementSource, FilePosition } from '../../core/source/element-source.ts'
import { findCurrentLine } from '../../core/source/current-line.ts'
import { findPositions, type ScriptPosition } from '../../core/source/script-positions.ts'
import { isLibraryPath, readSourcePath } from '../../core/source/source-path.ts'
import { findTagStart } from '../../core/source/tag-start.ts'
import { findInTemplate } from '../../core/source/template-match.ts'
import type { LocatedSource } from '../ports/source-locator.ts'

export interface ElementLocatorOptions {
  readonly locate: (positions: readonly ScriptPosition[]) => Promise<readonly (LocatedSource | undefined)[]>
  readonly server: () => Promise<ServerFolder | undefined>
}

/** The source of an element of the page at `pageUrl`. */
export async function locateElement(
  { element, ancestor, position, template, path = [], components, testId }: ElementOrigin,
  pageUrl: string,
  options: ElementLocatorOptions,
): Promise<ElementSource> {
  const find = (note: SourceNote | undefined) => locateNote(note, pageUrl, options)
  const [own, ...used] = await Promise.all([
    template === undefined
      ? locateTag(position, (ancestor ?? element).tag, pageUrl, options)
      : locateInTemplate(template, components[0]?.position, path, pageUrl, options),
    ...components.map((component) => find(component.position)),
  ])
  return {
    element: `<${element.tag}>`,
    ...(own && { position: own }),
    ...(own && ancestor && { ancestor: `<${ancestor.tag}>` }),
    components: components.flatMap(({ name }, index) => {
      const usedAt = used[index]
      // Of production builds only names are left, which are no help.
      return usedAt || own ? [{ name, ...(usedAt && { position: usedAt }) }] : []
    }),
    ...(testId !== undefined && { testId }),
  }
}

// --- internal ---

const FRAME_LIMIT = 12

async function locateNote(
  note: SourceNote | undefined,
  pageUrl: string,
  options: ElementLocatorOptions,
): Promise<FilePosition | undefined> {
  if (!note) return undefined
  if ('stack' in note) return locateStack(note.stack, options)
  const { file, line, column } = note
  const path = await placeFile(file, pageUrl, options)
  return path === undefined
    ? undefined
    : { file: path, ...(line !== undefined && { line, ...(column !== undefined && { column }) }) }
}

async function locateTag(
  note: SourceNote | undefined,
  tag: string,
  pageUrl: string,
  options: ElementLocatorOptions,
): Promise<FilePosition | undefined> {
  const position = await locateNote(note, pageUrl, options)
  if (!position || !note || !('isTagEnd' in note) || !note.isTagEnd) return position
  const { file, line = 1, column = 1 } = position
  const own = await options.server()
  const source = own && (await readSourceFile(own.folder, file))
  return source === undefined ? { file } : { file, ...findTagStart(source, tag, { line, column }) }
}

// The first frame outside of libraries, up to the frame with which React calls the component. If that frame has no source map, the next one
// would be another place.
async function locateStack(
  stack: string,
  { locate, server }: ElementLocatorOptions,
): Promise<FilePosition | undefined> {
  const [ownFrames = ''] = stack.split(/react[_-]stack[_-]bottom[_-]frame/)
  const positions = findPositions(ownFrames, FRAME_LIMIT).filter(({ url }) => !isLibraryPath(url))
  const sources = await locate(positions)
  const source = sources.find((candidate) => !candidate || !isLibraryPath(candidate.file))
  if (!source) return undefined
  const { file, line, column, content } = source
  const own = await server()
  const current = content !== undefined && own ? await readSourceFile(own.folder, file) : undefined
  if (content === undefined || current === undefined) return { file, line, column }
  const currentLine = findCurrentLine(content, current, line)
  return currentLine === undefined ? { file } : { file, line: currentLine, column }
}

async function placeFile(
  file: string,
  pageUrl: string,
  { server }: ElementLocatorOptions,
): Promise<string | undefined> {
  const path = readSourcePath(file, pageUrl)
  if (!path || isLibraryPath(path.path)) return undefined
  const own = await server()
  const url = parseUrl(pageUrl)
  const isOwn = own?.origin === url?.origin
  if (!isOwn && path.kind === 'file' && !isLoopbackHost(url?.hostname ?? '')) return undefined
  return placeSource(path, isOwn || path.kind === 'file' ? own?.folder : undefined)
}

async function locateInTemplate(
  template: string,
  definedAt: SourceNote | undefined,
  path: readonly TemplateStep[],
  pageUrl: string,
  options: ElementLocatorOptions,
): Promise<FilePosition | undefined> {
  const file = await placeFile(template, pageUrl, options)
  const own = await options.server()
  if (file === undefined || !own || file.startsWith('/')) return file === undefined ? undefined : { file }
  const source = await readSourceFile(own.folder, file)
  if (source === undefined) return { file }
  if (!/\.[cm]?ts$/.test(file)) return { file, ...findInTemplate(source, path) }
  const classLine = definedAt && 'line' in definedAt ? definedAt.line : undefined
  const part = findComponentTemplate(source, classLine)
  if (!part) return { file }
  if ('url' in part) {
    const templateFile = posix.join(posix.dirname(file), part.url)
    const content = await readSourceFile(own.folder, templateFile)
    return content === undefined ? { file } : { file: templateFile, ...findInTemplate(content, path) }
  }
  // The rest of the file becomes spaces, so that the position is one in the file.
  const blank = source.slice(0, part.start).replace(/[^\n]/g, ' ')
  return { file, ...findInTemplate(blank + source.slice(part.start, part.end), path) }
}
