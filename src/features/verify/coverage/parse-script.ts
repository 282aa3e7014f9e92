// Parses a script as a browser takes it: as a module, or as a classic script.

import { type Options, parse, type Program } from 'acorn'
import { createBoundedMap } from '../../../core/base/bounded-collections.ts'

export interface ParsedScript {
  readonly tree: Program
  readonly isModule: boolean
}

const SCRIPT_LIMIT = 20
const parsedScripts = createBoundedMap<string, ParsedScript | undefined>(SCRIPT_LIMIT)

/** Undefined if it is no JavaScript. The last ones are not parsed again: the same script is read after each call. */
export function parseScript(source: string): ParsedScript | undefined {
  if (!parsedScripts.has(source)) parsedScripts.set(source, parseAnew(source))
  return parsedScripts.get(source)
}

// --- internal ---

function parseAnew(source: string): ParsedScript | undefined {
  const script = tryParse(source, 'script')
  if (script) return { tree: script, isModule: false }
  const module = tryParse(source, 'module')
  return module && { tree: module, isModule: true }
}

function tryParse(source: string, sourceType: Options['sourceType']): Program | undefined {
  try {
    return parse(source, {
      ecmaVersion: 'latest',
      sourceType,
      allowReturnOutsideFunction: true,
      allowHashBang: true,
    })
  } catch {
    return undefined
  }
}
