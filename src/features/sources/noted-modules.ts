// The scripts that files of the dev server became, as far as a framework wrote the places of elements into them.

import { createBoundedMap } from '../../core/base/bounded-collections.ts'
import type { ScriptRequest } from '../../core/sessions/types/sources.ts'
import type { ScriptIndex } from './map-reference.ts'
import { findNotes, findShift, type NotedPlace } from './noted-places.ts'
import { type MappedScript, readText, type ScriptMaps, type ScriptMapsOptions } from './script-maps.ts'
import { findWritten, type WrittenPlace, type WrittenTag } from './written-tag.ts'

/** A place in the file that a script was made of, with the text of that file. */
interface NotedSource {
  readonly place: WrittenPlace
  readonly text: string
}

export interface NotedModules {
  /** What a place that a framework noted for a tag is in the file, whose text is now `current`; undefined if that cannot be told. 'unwritten':
   * no script of the file has it, so it is neither proved nor doubtful. */
  find(
    file: string,
    place: WrittenPlace,
    target: WrittenTag,
    current: string,
  ): Promise<NotedSource | 'unwritten' | undefined>
}

interface NotedModulesOptions extends Pick<ScriptMapsOptions, 'readScript' | 'route'> {
  readonly index: ScriptIndex
  readonly scripts: ScriptMaps
  readonly now: () => number
}

export function createNotedModules({
  index,
  scripts,
  readScript,
  route,
  now,
}: NotedModulesOptions): NotedModules {
  const modules = createBoundedMap<number, Promise<NotedModule | undefined>>(MODULE_LIMIT)
  function load({ seq, url }: ScriptRequest): Promise<NotedModule | undefined> {
    const read = async () => {
      const script = await readText(await readScript(seq), url, route)
      return script && { notes: findNotes(script.text), lineStarts: lineStartsOf(script.text) }
    }
    const module = modules.get(seq) ?? read().catch(() => undefined)
    modules.set(seq, module)
    return module
  }
  return {
    async find(file, place, target, current) {
      const isNoted = ({ line, column }: NotedPlace) => line === place.line && column === place.column
      let isUnread = false
      // Some plugins make several scripts of a file, such as one for its styles.
      for (const request of index.findOfFile(file, now())) {
        const module = await load(request)
        const note = module?.notes.find(isNoted)
        if (module && note)
          return findSource(module, note, target, current, await scripts.load(request.url, request.at))
        isUnread ||= !module
      }
      return isUnread ? undefined : 'unwritten'
    },
  }
}

// --- internal ---

const MODULE_LIMIT = 50

interface NotedModule {
  readonly notes: readonly NotedPlace[]
  readonly lineStarts: readonly number[]
}

async function findSource(
  { notes, lineStarts }: NotedModule,
  note: NotedPlace,
  target: WrittenTag,
  current: string,
  script: MappedScript | undefined,
): Promise<NotedSource | undefined> {
  const mapped = await script?.map.find(positionOf(lineStarts, note.index))
  const text = (mapped && (await script?.map.contentOf(mapped.source))) ?? current
  const shift = findShift(notes, text)
  if (shift !== undefined) return { place: { line: note.line + shift, column: note.column }, text }
  const written = mapped && findWritten(text, mapped, target, true)
  return written && { place: written, text }
}

function lineStartsOf(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function positionOf(lineStarts: readonly number[], index: number): { line: number; column: number } {
  const line = lineStarts.findLastIndex((start) => start <= index) + 1
  return { line, column: index - (lineStarts[line - 1] ?? 0) + 1 }
}
