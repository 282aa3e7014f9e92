// Which URLs a page may navigate to. The scheme rule always applies; host rules are checked separately.

import { clip } from '../text/clip.ts'
import { invalidParameter, type Outcome } from '../failure.ts'
import { err, ok } from '../result.ts'
import { parseUrl } from './parse-url.ts'

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

/** The canonical form of a URL that `navigate` accepts: http, https, about:blank, and data if no host rule is set. */
export function checkUrl(input: string, hasHostRules = false): Outcome<string> {
  const received = JSON.stringify(input.slice(0, 200))
  const expected = 'an absolute URL such as http://localhost:3000/, or a path of a dev server or open page'
  const url = parseUrl(input)
  const isSchemeMissing = /^(localhost|[\w-]+(\.[\w-]+)+):\d+([/?#]|$)/i.test(input.trim())
  if (!url || isSchemeMissing) {
    const hint =
      isSchemeMissing || /^[\w.-]+\.\w+(\/|$)/.test(input.trim())
        ? `Did you mean http://${clip(input.trim(), 200)}?`
        : undefined
    return err(invalidParameter('url', expected, received, hint))
  }
  const schemes = hasHostRules ? WEB_SCHEMES : [...WEB_SCHEMES, 'data:']
  if (schemes.includes(url.protocol) || `${url.protocol}${url.pathname}` === 'about:blank')
    return ok(url.href)
  const allowed = hasHostRules ? 'http, https and about:blank' : 'http, https, data and about:blank'
  return err({ code: 'ACCESS_DENIED', subject: input.slice(0, 200), rule: `scheme ${url.protocol}`, allowed })
}
