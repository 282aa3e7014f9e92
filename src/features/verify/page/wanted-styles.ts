// The lines of files that were changed whose rules of style a page used.

import { pathInside } from '../../../core/base/text/source-path.ts'
import { readSourceFile } from '../../sources/place-source.ts'
import type { ReadStyle } from './reading.ts'
import { findStyleShift, readStyleLines, type StyleLines } from './style-lines.ts'
import type { UsedSheet } from './style-usage.ts'
import type { WantedSources, WorkTree } from './wanted-sources.ts'

/** Files that have rules of style. */
export const STYLED = /\.(?:css|s[ac]ss|less|styl|vue|svelte|astro)$/

export async function readStyle(
  sheet: UsedSheet,
  sources: WantedSources,
  { root, changed }: WorkTree,
): Promise<readonly ReadStyle[]> {
  const lines = readStyleLines(sheet.text, sheet.used)
  const { url, file: named } = placeSheet(sheet.id, root)
  const read = await sources.readMap(url, sheet)
  if (read) return mapLines(sheet, lines, read, sources)
  const file = named ?? (await sources.findServed(url, sheet.text))
  const content = file !== undefined && changed().has(file) ? await readSourceFile(root, file) : undefined
  const shift = content === undefined ? undefined : findStyleShift(sheet.text, content)
  if (file === undefined || content === undefined || shift === undefined) return []
  const move = (numbers: readonly number[]) => numbers.map((line) => line + shift)
  const { used, partly, unused } = lines
  return [{ file, content, used: move(used), partly: move(partly), unused: move(unused) }]
}

// --- internal ---

/** Vite names the path of the machine, others a URL. */
function placeSheet(id: string, root: string): { url: string; file?: string } {
  if (/^https?:/.test(id)) return { url: id }
  const file = pathInside(root, id.replace(/\?.*$/, ''))
  return { url: 'http://localhost/', ...(file !== undefined && { file }) }
}

async function mapLines(
  { text }: UsedSheet,
  lines: StyleLines,
  { map, base }: NonNullable<Awaited<ReturnType<WantedSources['readMap']>>>,
  sources: WantedSources,
): Promise<readonly ReadStyle[]> {
  const texts = text.split('\n')
  const linesByFile = new Map<string, { content: string; lines: Record<keyof StyleLines, number[]> }>()
  for (const state of ['used', 'partly', 'unused'] as const)
    for (const line of lines[state]) {
      const position = await map?.sourceMap.find({ line, column: (texts[line - 1]?.search(/\S/) ?? 0) + 1 })
      const file = position && (await sources.fileOf(position.source, base))
      const content = file === undefined ? undefined : await map?.sourceMap.contentOf(position?.source ?? '')
      if (file === undefined || content === undefined || !position) continue
      const entry = linesByFile.get(file) ?? { content, lines: { used: [], partly: [], unused: [] } }
      entry.lines[state].push(position.line)
      linesByFile.set(file, entry)
    }
  return [...linesByFile].map(([file, entry]) => ({ file, content: entry.content, ...entry.lines }))
}
