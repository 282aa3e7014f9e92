// The lines of files that were changed whose rules of style a page used.

import { openDocument } from '../../../core/base/files/open-document.ts'
import { pathInside } from '../../../core/base/text/source-path.ts'
import { readSourceFile } from '../../sources/place-source.ts'
import type { ReadStyle } from './reading.ts'
import { foldLines, usedStyle } from './style-lines.ts'
import type { UsedSheet } from './style-usage.ts'
import type { WantedSources, WorkTree } from './wanted-sources.ts'

/** Files that have rules of style. */
export const STYLED = /\.(?:css|s[ac]ss|less|styl|vue|svelte|astro)$/

export async function readStyle(
  sheet: UsedSheet,
  sources: WantedSources,
  { root, changed }: WorkTree,
): Promise<readonly ReadStyle[]> {
  const { url, file: named } = placeSheet(sheet.id, root)
  const read = await sources.readMap(url, sheet)
  const used = sheet.used.map(({ startOffset }) => startOffset)
  if (read) return mapRules((await ask({ sheet: sheet.text, used }))?.places ?? [], read, sources)
  const file = named ?? (await sources.findServed(url, sheet.text))
  const content = file !== undefined && changed().has(file) ? await readSourceFile(root, file) : undefined
  if (file === undefined || content === undefined) return []
  const lines = (await ask({ sheet: sheet.text, used, source: { file, content } }))?.lines
  return lines ? [{ file, content, ...lines }] : []
}

// --- internal ---

const READ_TIMEOUT_MS = 10_000

async function ask(input: Parameters<typeof usedStyle.open>[0]) {
  const document = await openDocument(usedStyle, input, READ_TIMEOUT_MS)
  if (!document.ok) return undefined
  const answer = await document.value.ask('read')
  document.value.close()
  return answer
}

/** Vite names the path of the machine, others a URL. */
function placeSheet(id: string, root: string): { url: string; file?: string } {
  if (/^https?:/.test(id)) return { url: id }
  const file = pathInside(root, id.replace(/\?.*$/, ''))
  return { url: 'http://localhost/', ...(file !== undefined && { file }) }
}

async function mapRules(
  places: NonNullable<NonNullable<Awaited<ReturnType<typeof ask>>>['places']>,
  { map, base }: NonNullable<Awaited<ReturnType<WantedSources['readMap']>>>,
  sources: WantedSources,
): Promise<readonly ReadStyle[]> {
  const positions = (await map?.sourceMap.findAll(places)) ?? []
  const notes = new Map<string, (readonly [number, boolean])[]>()
  for (const [index, { isUsed }] of places.entries()) {
    const position = positions[index]
    if (!position) continue
    const known = notes.get(position.source) ?? []
    notes.set(position.source, known)
    known.push([position.line, isUsed])
  }
  const styles: ReadStyle[] = []
  for (const [source, own] of notes) {
    const file = await sources.fileOf(source, base)
    const content = file === undefined ? undefined : await map?.sourceMap.contentOf(source)
    if (file !== undefined && content !== undefined) styles.push({ file, content, ...foldLines(own) })
  }
  return styles
}
