// Whether a script was built from a file, by the names that bundlers give to the modules in it.

import { escapeRegExp } from '../../core/base/text/escape-reg-exp.ts'

/** By the text of the script: webpack evaluates modules with their names, Turbopack and esbuild write them before the modules. `path` is
 * relative to the folder of the server. */
export function namesModule(script: string, path: string): boolean {
  if (!script.includes(path)) return false
  const name = escapeRegExp(path)
  const id = path.startsWith('../') ? name : `\\./${name}`
  const ways = [
    `sourceURL=webpack(?:-internal)?://(?:[^\\s/]*/){1,2}${id}["'?\\\\\\n]`,
    `"${id}"(?::|\\r?\\n)`,
    `\\[project\\]/${name}[ "?]`,
    `^ {0,4}// ${name}\\r?$`,
  ]
  return new RegExp(ways.join('|'), 'm').test(script)
}

/** By the name of a source in its source map. `folder` is that of the server. */
export function isSourceOf(source: string, path: string, folder: string): boolean {
  const name = source.replace(/[?#].*$/, '').replace(/^file:\/\//, '')
  if (name.startsWith(`${folder}/`)) return name.slice(folder.length + 1) === path
  return withoutOrigin(name) === withoutOrigin(path)
}

// --- internal ---

// Maps name sources relative to the script, to a root or to a namespace of the bundler.
const withoutOrigin = (name: string): string =>
  name
    .replace(/^[\w.-]+:\/\/[^/]*\//, '')
    .replace(/^\/+/, '')
    .replace(/^\[project\]\//, '')
    .replace(/^(\.{1,2}\/)+/, '')
