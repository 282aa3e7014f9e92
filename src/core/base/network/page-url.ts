// Which URLs a page may navigate to. The scheme rule always applies; host rules are checked separately.

import { type Failure, invalidParameter, type Outcome } from '../failure.ts'
import { err, ok } from '../result.ts'
import { clip } from '../text/clip.ts'
import { parseUrl } from '../text/parse-url.ts'
import type { HostRule } from './host-rule.ts'
import type { Denial, Origin } from './host-rules.ts'

/** The path, query and fragment of a URL if it has the origin of `base`; otherwise all of it. */
export function relativeUrlOf(url: string, base: string): string {
  const origin = parseUrl(base)?.origin
  return origin !== undefined && url.startsWith(`${origin}/`) ? url.slice(origin.length) : url
}

/** The URL that a path, query or fragment names beside `base`, as a link there would. Any other text stays, and so does one that leads to
 * another origin (`//host`). */
export function resolveUrl(input: string, base: string): string {
  const page = parseUrl(base)
  if (!page || !WEB_SCHEMES.includes(page.protocol) || !/^(?:\/|\.{1,2}\/|[?#])/.test(input)) return input
  const url = URL.canParse(input, base) ? new URL(input, base) : undefined
  return url?.origin === page.origin ? url.href : input
}

const WEB_SCHEMES = ['http:', 'https:']

const LOCAL_ADDRESS = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]):\d{1,5}(?:[/?#]|$)/i

/** The canonical form of a URL that `navigate` accepts: http, https, about:blank, the pages of the extension with this id, and data if no host
 * rule is set. */
export function checkUrl(input: string, hasHostRules = false, extensionId?: string): Outcome<string> {
  const received = JSON.stringify(input.slice(0, 200))
  const expected = 'an absolute URL such as http://localhost:3000/, or a path of a dev server or open page'
  // An address of this machine is meant to be opened as it is written.
  const url = parseUrl(LOCAL_ADDRESS.test(input) ? `http://${input}` : input)
  const isSchemeMissing = /^[\w-]+(\.[\w-]+)+:\d+([/?#]|$)/i.test(input.trim()) && !LOCAL_ADDRESS.test(input)
  if (!url || isSchemeMissing) {
    const hint =
      isSchemeMissing || /^[\w.-]+\.\w+(\/|$)/.test(input.trim())
        ? `Did you mean http://${clip(input.trim(), 200)}?`
        : undefined
    return err(invalidParameter('url', expected, received, hint))
  }
  if (extensionId !== undefined && isExtensionPage(url, extensionId)) return ok(url.href)
  const schemes = hasHostRules ? WEB_SCHEMES : [...WEB_SCHEMES, 'data:']
  if (schemes.includes(url.protocol) || `${url.protocol}${url.pathname}` === 'about:blank')
    return ok(url.href)
  const allowed = hasHostRules ? 'http, https and about:blank' : 'http, https, data and about:blank'
  return err({ code: 'ACCESS_DENIED', subject: input.slice(0, 200), rule: `scheme ${url.protocol}`, allowed })
}

export const isExtensionPage = ({ protocol, host }: URL, extensionId: string | undefined): boolean =>
  protocol === 'chrome-extension:' && host === extensionId

export const accessDenied = (subject: string, { host, port, rule, promptable, list }: Denial): Failure => ({
  code: 'ACCESS_DENIED',
  subject: subject.slice(0, 300),
  rule,
  allowed: list
    ? `${describeList(list)}. To allow it, add ${nameOf({ host, port })} to allowedDomains of create_session, and to --allowed-hosts if Footlight was started with it`
    : "the session's dev server, and the hosts in --allowed-hosts and create_session's allowedDomains",
  host,
  port,
  ...(promptable && { promptable }),
})

const LISTED_HOSTS = 10

function describeList(list: readonly HostRule[]): string {
  const names = list.slice(0, LISTED_HOSTS).map((rule) => `${rule.isWildcard ? '*.' : ''}${nameOf(rule)}`)
  const others = list.length > LISTED_HOSTS ? [`${list.length - LISTED_HOSTS} more hosts`] : []
  return [...names, ...others, "the session's dev server"].join(', ')
}

function nameOf({ host, port }: Pick<HostRule, 'host' | 'port'> | Origin): string {
  if (port === undefined || port === 80 || port === 443) return host
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Converts a URL glob, in Playwright's syntax, into the source of a regular expression: `**` is any text, `*` any text without a slash,
 * `{a,b}` an alternative, `\` escapes the next character. Undefined if a brace is nested or unclosed. */
export function globToRegExpSource(glob: string): string | undefined {
  const parts: string[] = []
  let inGroup = false
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] ?? ''
    const nextCharacter = glob[at + 1]
    if (character === '\\' && nextCharacter !== undefined) {
      parts.push(escapeCharacter(nextCharacter))
      at += 1
    } else if (character === '*') {
      const previousCharacter = glob[at - 1]
      const starsStart = at
      while (glob[at + 1] === '*') at += 1
      const isDirectoryGlob = at > starsStart && glob[at + 1] === '/'
      if (at === starsStart) parts.push('[^/]*')
      else if (!isDirectoryGlob) parts.push('.*')
      else parts.push(previousCharacter === '/' ? '(?:.+/)?' : '.*/')
      if (isDirectoryGlob) at += 1
    } else if (character === '{' || character === '}') {
      if (inGroup === (character === '{')) return undefined
      inGroup = !inGroup
      parts.push(inGroup ? '(?:' : ')')
    } else parts.push(character === ',' && inGroup ? '|' : escapeCharacter(character))
  }
  return inGroup ? undefined : `^${parts.join('')}$`
}

const escapeCharacter = (character: string): string =>
  /[\w\s]/.test(character) || character.charCodeAt(0) > 127 ? character : `\\${character}`
