// What V8 counted at a place of a source file: the count of the innermost range around each position of the script that comes from it.

import { parseSourceMap } from '../../../../src/features/sources/parse-map.ts'
import type { CountedModule } from '../../../../src/features/verify/node/server-coverage.ts'

/** The count at the first place of `marker` in the file; undefined if no module is made from it. */
export async function countOf(
  modules: readonly CountedModule[],
  file: string,
  marker: string,
): Promise<number | undefined> {
  const counts = await Promise.all(modules.map((module) => countIn(module, file, marker)))
  const known = counts.filter((count) => count !== undefined)
  return known.length > 0 ? Math.max(...known) : undefined
}

async function countIn(module: CountedModule, file: string, marker: string): Promise<number | undefined> {
  const place = module.files.find((one) => one.file === file)
  if (!place) return undefined
  const index = place.content.indexOf(marker)
  if (index < 0) return undefined
  const offsets =
    place.source === undefined ? [index] : await offsetsOf(module, place.source, lineAt(place.content, index))
  const counts = offsets.flatMap((offset) => countAt(module, offset) ?? [])
  return counts.length > 0 ? Math.min(...counts) : undefined
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length

// Those where a word of the script begins.
async function offsetsOf(
  { json = '', source }: CountedModule,
  name: string,
  line: number,
): Promise<number[]> {
  const map = await parseSourceMap(json, undefined)
  const offsets: number[] = []
  let [lineStart, number] = [0, 1]
  for (const text of source.split('\n')) {
    for (const { index } of text.matchAll(/[\w$'"`]+/g)) {
      const place = map.ok ? await map.value.find({ line: number, column: index + 1 }) : undefined
      if (place?.source === name && place.line === line) offsets.push(lineStart + index)
    }
    lineStart += text.length + 1
    number += 1
  }
  return offsets
}

function countAt({ functions }: CountedModule, offset: number): number | undefined {
  const ranges = functions
    .flatMap((one) => one.ranges)
    .filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
  return ranges.toSorted((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset))[0]?.count
}
