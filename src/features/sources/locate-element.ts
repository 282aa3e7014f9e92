// Finds where an element and its components are written, from what frameworks note about them. A line is answered only if the tag stands there.

import { posix } from 'node:path'
import { isLoopbackHost } from '../../core/base/network/http-guard.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { parseUrl } from '../../core/base/text/parse-url.ts'
import { isLibraryPath, readSourcePath } from '../../core/base/text/source-path.ts'
import type {
  ElementOrigin,
  ElementSource,
  FilePosition,
  LocatedSource,
  SourceNote,
  TemplateStep,
} from '../../core/sessions/types/sources.ts'
import type { NotedModules } from './noted-modules.ts'
import { placeSource, readSourceFile } from './place-source.ts'
import type { ServerFolder } from './script-maps.ts'
import { findCurrentLine, findPositions, type ScriptPosition } from './script-positions.ts'
import { findComponentTemplate, findInTemplate, findTagStart } from './template-match.ts'
import { findOnlyWritten, findWritten, type WrittenPlace, type WrittenTag } from './written-tag.ts'

interface ElementLocatorOptions {
  readonly locate: (
    positions: readonly ScriptPosition[],
    timeoutMs: number,
  ) => Promise<readonly (LocatedSource | undefined)[]>
  readonly server: () => Promise<ServerFolder | undefined>
  readonly modules: NotedModules
  /** The longest wait for scripts and source maps. */
  readonly timeoutMs: number
}

/** The source of an element of the page at `pageUrl`. */
export async function locateElement(
  { element, ancestor, position, template, path = [], components, testId }: ElementOrigin,
  pageUrl: string,
  options: ElementLocatorOptions,
): Promise<ElementSource> {
  const { tag, attributes } = ancestor ?? element
  const target = { name: tag, isComponent: false, attributes }
  const [own, ...used] = await Promise.all([
    template === undefined
      ? locateNote(position, target, pageUrl, options)
      : locateInTemplate(template, components[0]?.position, path, pageUrl, options),
    ...components.map(({ name, position: usedAt }) =>
      locateNote(usedAt, { name, isComponent: true }, pageUrl, options),
    ),
  ])
  return {
    element: `<${element.tag}>`,
    position: own,
    ...(own && ancestor && { ancestor: `<${ancestor.tag}>` }),
    components: components.flatMap(({ name }, index) => {
      const usedAt = used[index]
      // Of production builds only names are left, which are no help.
      return usedAt || own ? [{ name, position: usedAt }] : []
    }),
    testId,
  }
}

// --- internal ---

const FRAME_LIMIT = 12

async function locateNote(
  note: SourceNote | undefined,
  target: WrittenTag,
  pageUrl: string,
  options: ElementLocatorOptions,
): Promise<FilePosition | undefined> {
  if (!note) return undefined
  if ('stack' in note) return locateStack(note.stack, target, options)
  const { line, column, isTagEnd = false } = note
  const file = await placeFile(note.file, pageUrl, options)
  if (file === undefined || line === undefined) return file === undefined ? undefined : { file }
  const own = await options.server()
  const text = own && (await readSourceFile(own.folder, file))
  if (text === undefined) return { file }
  if (isTagEnd) return { file, ...findTagStart(text, target.name, { line, column: column ?? 1 }) }
  const place = { line, column }
  return { file, ...(await findPlace(file, place, target, text, options)) }
}

async function findPlace(
  file: string,
  place: WrittenPlace,
  target: WrittenTag,
  text: string,
  { modules, timeoutMs }: ElementLocatorOptions,
): Promise<WrittenPlace | undefined> {
  const source = await settleWithin(timeoutMs, modules.find(file, place, target, text))
  if (source === 'unwritten') return findWritten(text, place, target, false) ?? findOnlyWritten(text, target)
  const proved = source instanceof Error ? undefined : source
  const line = proved && findCurrentLine(proved.text, text, proved.place.line)
  const writtenAt =
    line === undefined ? undefined : findWritten(text, { ...proved?.place, line }, target, true)
  return writtenAt ?? findOnlyWritten(text, target)
}

// The first frame outside of libraries, up to the frame with which React calls the component. If that frame has no source map, the next one
// would be another place.
async function locateStack(
  stack: string,
  target: WrittenTag,
  { locate, server, timeoutMs }: ElementLocatorOptions,
): Promise<FilePosition | undefined> {
  const [ownFrames = ''] = stack.split(/react[_-]stack[_-]bottom[_-]frame/)
  const positions = findPositions(ownFrames, FRAME_LIMIT).filter(({ url }) => !isLibraryPath(url))
  const sources = await locate(positions, timeoutMs)
  const source = sources.find((candidate) => !candidate || !isLibraryPath(candidate.file))
  if (!source) return undefined
  const { file, line, column, content } = source
  const own = await server()
  const current = own && (await readSourceFile(own.folder, file))
  const text = current ?? content
  // A file that cannot be read has the line that the source map of its own script names.
  if (text === undefined) return { file, line, column }
  const currentLine = content === undefined ? line : findCurrentLine(content, text, line)
  const place = currentLine === undefined ? undefined : { line: currentLine, column }
  return { file, ...((place && findWritten(text, place, target, true)) ?? findOnlyWritten(text, target)) }
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
