// The paths of sources in source maps. Bundlers name sources by relative paths, by URLs of schemes of their own, by absolute paths of the
// machine, or by URLs of the dev server.

import { decodePart } from '../redaction/encodings.ts'
import { parseUrl } from './parse-url.ts'

/** `file`: an absolute path of the machine; `bundle`: relative to the root of a bundler; `url`: relative to the origin of the script. */
export interface SourcePath {
  readonly kind: 'file' | 'bundle' | 'url'
  readonly path: string
}

/** The path of a source; `base` is the URL of the source map or of its script. Undefined for generated code and paths that leave their root. */
export function readSourcePath(source: string, base: string): SourcePath | undefined {
  if (source.length > SOURCE_LIMIT_CHARS) return undefined
  const text = decodePart(source.replace(/[?#].*$/, '').replaceAll('\\', '/'))
  if (text === '' || /\p{Cc}/u.test(text)) return undefined
  if (/^[a-z]:\//i.test(text)) return filePath(text)
  const server = /^(?:about|rsc):\/\/React\/[^/]+\/(.+)$/.exec(text)
  if (server) return readSourcePath(server[1] ?? '', base)
  const file = /^file:\/\/(?:localhost)?(\/.*)$/.exec(text)
  if (file) return filePath((file[1] ?? '').replace(/^\/(?=[a-z]:\/)/i, ''))
  const bundle = /^(?!https?:)[a-z-]+:\/\/[^/]*\/(.*)$/i.exec(text)
  if (bundle) return bundlePath(bundle[1] ?? '')
  return serverPath(text, base)
}

/** The path relative to `folder`, or undefined if it is outside. Both are absolute and use `/`. */
export function pathInside(folder: string, path: string): string | undefined {
  const root = folder.endsWith('/') ? folder : `${folder}/`
  return path.startsWith(root) && path.length > root.length ? path.slice(root.length) : undefined
}

/** The paths below `folder` that a source may have there, the most probable first: as they are; without the last segments of `folder`, which
 * bundlers of a workspace put in front; for a URL without the base path of the server. */
export function candidatePaths({ kind, path }: SourcePath, folder: string): readonly string[] {
  if (kind === 'file') {
    const relative = pathInside(folder, path)
    return relative === undefined ? [] : [relative]
  }
  const segments = path.split('/')
  const withoutRoot = segments
    .map((_, count) => segments.slice(0, count).join('/'))
    .filter((prefix) => prefix !== '' && folder.endsWith(`/${prefix}`))
    .map((prefix) => path.slice(prefix.length + 1))
  const rest = segments.slice(1).join('/')
  const withoutBase = kind === 'url' && segments.length > 2 ? [rest] : []
  // Nuxt serves its source folder below this path.
  const ofNuxt = kind === 'url' && segments[0] === '_nuxt' ? [`app/${rest}`, rest] : []
  return [path, ...withoutRoot, ...ofNuxt, ...withoutBase]
}

/** Whether a file has code or a template, by its name. */
export const isSourcePath = (path: string): boolean => SOURCE_PATTERN.test(path)

/** Whether a path or URL is one of a library or of a bundler's own code, whose source is no help. */
export const isLibraryPath = (path: string): boolean => LIBRARY_PATH.test(path)

const SOURCE_LIMIT_CHARS = 500
const SOURCE_PATTERN =
  /\.([cm]?[jt]sx?|vue|svelte|astro|mdx|css|scss|sass|less|styl|html?|py|rb|php|go|rs|exs?|heex|l?eex|java|kt|cs|cshtml|razor|ejs|hbs|handlebars|mustache|pug|njk|liquid|haml|slim|erb|jinja2?|twig|tmpl|gohtml|graphql|gql)$/i
const LIBRARY_PATH =
  /(^|[/(\s])node_modules\/|\/\.vite\/deps\/|\/\.vite\/vitest\/|\/@vite\/|\/@react-refresh|\/@id\/__x00__|\/chunks\/(node_modules_|\[turbopack\]|%5Bturbopack%5D|framework-|webpack|polyfills)|webpack\/(runtime|bootstrap)|\/@fs\/.*\/node_modules\/|\(webpack\)/

const hasParent = (path: string): boolean => path.split('/').includes('..')

const filePath = (path: string): SourcePath | undefined =>
  hasParent(path) ? undefined : { kind: 'file', path }

// webpack:///./src/a.js, webpack://app/./src/a.js, webpack-internal:///(layer)/./src/a.js, turbopack:///[project]/app/a.js
function bundlePath(text: string): SourcePath | undefined {
  const path = text.replace(/^\(.*?\)\//, '').replace(/^\[project\]\//, '')
  if (/^\[|^(webpack|turbopack)\/|^external |^ignored|^\(/.test(path)) return undefined
  if (path.startsWith('/')) return filePath(path)
  const relative = path.replace(/^(\.\/)+/, '')
  return relative === '' || hasParent(relative) ? undefined : { kind: 'bundle', path: relative }
}

// A relative path, or a URL of the dev server; `/@fs/` has the paths of the machine.
function serverPath(text: string, base: string): SourcePath | undefined {
  const baseUrl = parseUrl(base)
  if (!baseUrl) return undefined
  const isAbsolute = text.startsWith('/') && !text.startsWith('//')
  const origin = isAbsolute || !/^https?:/.test(base) ? 'http://localhost' : base
  const encoded = encodeURI(text).replaceAll('%25', '%')
  const url = URL.canParse(encoded, origin) ? new URL(encoded, origin) : undefined
  if (!url || (!isAbsolute && url.origin !== baseUrl.origin)) return undefined
  const path = decodePart(url.pathname)
  const machine = /\/@fs(\/.*)$/.exec(path)
  if (machine) return filePath((machine[1] ?? '').replace(/^\/(?=[a-z]:\/)/i, ''))
  return path === '/' ? undefined : { kind: 'url', path: path.slice(1) }
}

// The files of a Next server behind URLs of scripts that no request has. Next answers with the source maps of its files.
/** The file that has a component which ran on the server: React gives its positions URLs of their own. */
export const serverComponentFile = (url: string): string | undefined =>
  /^(?:about|rsc):\/\/React\/[^/]+\/(file:\/\/[^?#]+)/.exec(url)?.[1]

/** The chunk and the module in it that were put into a running page after an edit, in the folders that versions of Next build to, as URLs
 * below `folder`, a `file:` URL. Nothing for other URLs. */
export function updatedModuleFiles(url: string, folder: string): readonly string[] {
  const path = /^https?:\/\/[^?#]+\/_next\/(static\/[^?#]+\?id=.+)$/.exec(url)?.[1]
  return path === undefined ? [] : OUTPUT_FOLDERS.map((output) => `${folder}/${output}/${path}`)
}

const OUTPUT_FOLDERS = ['.next/dev', '.next']

/** More than one line with a path cannot tell which of them led there, a few still can. */
export const PATH_LINE_LIMIT = 2

/** The numbers of the lines, counted from 1, that have this path as a whole string, attribute or argument. A query or a fragment may follow. */
export function linesWithPath(text: string, path: string): number[] {
  if (!text.includes(path)) return []
  const literal = path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const pattern = new RegExp(`["'\`(=]${literal}(?=["'\`)?#\\s>])`)
  return text.split('\n').flatMap((line, index) => (pattern.test(line) ? [index + 1] : []))
}
