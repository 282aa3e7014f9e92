// The files of a program: its entry and all that it imports by relative paths.

import { readFileSync, statSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'

const FILE_LIMIT = 2000
const EXTENSIONS = [
  '',
  '.ts',
  '.tsx',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.mts',
  '.cts',
  '/index.ts',
  '/index.js',
]
// TypeScript is often imported by the name of what it is compiled to.
const TYPESCRIPT_EXTENSIONS: Readonly<Record<string, string>> = {
  '.js': '.ts',
  '.mjs': '.mts',
  '.cjs': '.cts',
}
const IMPORT_PATTERN = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.{1,2}\/[^'"\n]+)['"]/g

/** The paths of an entry and its imports relative to `folder`; what lies elsewhere is not followed. */
export function findImportedFiles(entry: string, folder: string): ReadonlySet<string> {
  const paths = new Set<string>()
  const queue = [entry]
  for (let path = queue.pop(); path !== undefined && paths.size < FILE_LIMIT; path = queue.pop()) {
    const relativePath = relative(folder, path)
    if (paths.has(relativePath) || relativePath.startsWith('..')) continue
    paths.add(relativePath)
    for (const specifier of readImports(path)) {
      const imported = resolveFile(resolve(dirname(path), specifier))
      if (imported !== undefined) queue.push(imported)
    }
  }
  return paths
}

// --- internal ---

function readImports(path: string): string[] {
  try {
    return [...readFileSync(path, 'utf8').matchAll(IMPORT_PATTERN)].map((match) => match[1] ?? '')
  } catch {
    return []
  }
}

function resolveFile(path: string): string | undefined {
  const [extension = ''] = /\.[cm]?js$/.exec(path) ?? []
  const source = `${path.slice(0, path.length - extension.length)}${TYPESCRIPT_EXTENSIONS[extension] ?? extension}`
  return [source, ...EXTENSIONS.map((suffix) => path + suffix)].find(isFile)
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}
