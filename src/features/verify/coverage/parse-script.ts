// Parses a script as a browser takes it: as a module, or as a classic script.

import { type Options, parse, type Program } from 'acorn'

export interface ParsedScript {
  readonly tree: Program
  readonly isModule: boolean
}

/** Undefined if it is no JavaScript. */
export function parseScript(source: string): ParsedScript | undefined {
  const script = tryParse(source, 'script')
  if (script) return { tree: script, isModule: false }
  const module = tryParse(source, 'module')
  return module && { tree: module, isModule: true }
}

// --- internal ---

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
