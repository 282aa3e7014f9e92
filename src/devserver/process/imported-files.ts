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
const PYTHON_IMPORT_PATTERN = /^[ \t]*(?:from|import)[ \t]+(\.{0,2}[\w.]+)/gm
const RUBY_IMPORT_PATTERN = /\brequire_relative\s*\(?\s*['"]([^'"\n]+)['"]/g
const IMPORT_PATTERN = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.{1,2}\/[^'"\n]+)['"]/g

/** The paths of an entry and its imports relative to `folder`; what lies elsewhere is not followed. */
export function findImportedFiles(entry: string, folder: string): ReadonlySet<string> {
  const paths = new Set<string>()
  const queue = [entry]
  for (let path = queue.pop(); path !== undefined && paths.size < FILE_LIMIT; path = queue.pop()) {
    const relativePath = relative(folder, path)
    if (paths.has(relativePath) || relativePath.startsWith('..')) continue
    paths.add(relativePath)
    for (const imported of readImports(path)) {
      const file = resolveFile(imported)
      if (file !== undefined) queue.push(file)
    }
  }
  return paths
}

// --- internal ---

/** The paths that a file imports, which may lack their extension. */
function readImports(path: string): string[] {
  const find = (pattern: RegExp) => [...readText(path).matchAll(pattern)].map((match) => match[1] ?? '')
  const folder = dirname(path)
  if (path.endsWith('.rb'))
    return find(RUBY_IMPORT_PATTERN).map((name) => resolve(folder, `${name.replace(/\.rb$/, '')}.rb`))
  if (!path.endsWith('.py')) return find(IMPORT_PATTERN).map((name) => resolve(folder, name))
  return find(PYTHON_IMPORT_PATTERN).flatMap((name) => {
    const module = resolve(
      folder,
      name.startsWith('..') ? '..' : '.',
      name.replace(/^\.+/, '').replaceAll('.', '/'),
    )
    return [`${module}.py`, `${module}/__init__.py`]
  })
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
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
