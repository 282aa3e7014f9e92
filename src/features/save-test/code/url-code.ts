// URLs, and the patterns that they are compared with.

import { globToRegExpSource } from '../../../core/base/network/page-url.ts'
import { escapeRegExp } from '../../../core/base/text/escape-reg-exp.ts'
import { quoteText, regExpLiteral } from '../../lib/replay/literals.ts'
import type { CodeScope } from './code-scope.ts'

/** The path of a URL below the origin of the test, with its query; otherwise the whole URL. All names of this machine are the same. */
export function pathOf(url: string, origin: string | undefined): string {
  const base = origin && withLocalName(origin).replace(/\/$/, '')
  const local = withLocalName(url)
  if (base === undefined || !local.startsWith(base)) return url
  const path = local.slice(base.length)
  if (path === '') return '/'
  if (path.startsWith('/')) return path
  // http://localhost:80801 is not below http://localhost:8080.
  return /^[?#]/.test(path) ? `/${path}` : url
}

/** What `toHaveURL` gets for a part of a URL or a glob; `url` is the one that it matched. */
export function expectedUrlCode(part: string, url: string, scope: CodeScope): string {
  const path = pathOf(url, scope.origin)
  const isWhole = !part.includes('*') && (part === url || part === path)
  return isWhole ? scope.text.url(path) : partCode(part, scope)
}

/** What `route` gets for the URL of a mock: a text that the URL contains, a glob or a regular expression. */
export function routedUrlCode(url: string | undefined, scope: CodeScope): string {
  if (url === undefined) return quoteText('**/*')
  const relative = withoutOrigin(url, scope.origin)
  const isGlob = url.includes('*') && !/^\/.+\/$/s.test(url)
  return isGlob && isPortableGlob(relative) ? scope.text.url(relative) : urlExpressionCode(url, scope)
}

function urlExpressionCode(url: string, scope: CodeScope): string {
  const source = /^\/(.+)\/$/s.exec(url)?.[1]
  if (source === undefined) return partCode(url, scope)
  const flags = /^\(\?([is]+)\)/.exec(source)?.[1] ?? ''
  return patternCode(flags === '' ? source : source.slice(flags.length + 3), scope.text, flags)
}

// --- internal ---

/** A part of a URL, or a glob, as a regular expression. */
const partCode = (part: string, { origin, text }: CodeScope): string =>
  patternCode(
    part.includes('*')
      ? (readableSource(withoutOrigin(part, origin)) ?? escapeRegExp(part))
      : escapeRegExp(pathOf(part, origin)),
    text,
  )

const withLocalName = (url: string): string =>
  url.replace(/^(https?:\/\/)(?:127\.0\.0\.1|\[::1\])(?=[:/?#]|$)/, '$1localhost')

const patternCode = (source: string, text: CodeScope['text'], flags = ''): string =>
  text.literal(regExpLiteral(text.pattern(source), flags))

// A glob is compared with the whole URL.
function withoutOrigin(glob: string, origin: string | undefined): string {
  const path = pathOf(glob, origin)
  return path === glob ? glob : `**${path}`
}

/** Without what it says about any text before and after it. */
function readableSource(glob: string): string | undefined {
  const source = globToRegExpSource(glob)?.replace(/^\^(?:\.\*\/|\.\*)/, (start) =>
    start.endsWith('/') ? '/' : '',
  )
  return source
    ?.replace(/\.\*\$$/, '')
    .replaceAll('\\-', '-')
    .replaceAll('\\/', '/')
}

/** Whether all versions of Playwright read the glob as it is meant here. */
const isPortableGlob = (glob: string): boolean =>
  /^(?:\*|https?:\/\/)/.test(glob) &&
  !/[?[\]\\{}]/.test(glob) &&
  [...glob.matchAll(/\*{2,}/g)].every(({ 0: stars, index }) => {
    const [before, after] = [glob[index - 1], glob[index + stars.length]]
    return (
      stars.length === 2 && (before === undefined || before === '/') && (after === undefined || after === '/')
    )
  })
