// Which addresses a page may be sent to. Host rules come on top of this; the scheme rule always holds.

import { clip } from '../text/clip.ts'
import { invalidParameter, type Outcome } from '../failure.ts'
import { err, ok } from '../result.ts'
import { parseUrl } from './parse-url.ts'

const WEB_SCHEMES = ['http:', 'https:']

/** The canonical form of an address that `navigate` accepts: http, https, about:blank, and data where no host rule is set. */
export function checkUrl(raw: string, ruled = false): Outcome<string> {
  const received = JSON.stringify(raw.slice(0, 200))
  const expected = 'an absolute URL such as http://localhost:3000/'
  const url = parseUrl(raw)
  const hostFirst = /^(localhost|[\w-]+(\.[\w-]+)+):\d+([/?#]|$)/i.test(raw.trim())
  if (!url || hostFirst) {
    const hint =
      hostFirst || /^[\w.-]+\.\w+(\/|$)/.test(raw.trim())
        ? `Did you mean http://${clip(raw.trim(), 200)}?`
        : undefined
    return err(invalidParameter('url', expected, received, hint))
  }
  const known = ruled ? WEB_SCHEMES : [...WEB_SCHEMES, 'data:']
  if (known.includes(url.protocol) || `${url.protocol}${url.pathname}` === 'about:blank') return ok(url.href)
  const allowed = ruled ? 'http, https and about:blank' : 'http, https, data and about:blank'
  return err({ code: 'ACCESS_DENIED', subject: raw.slice(0, 200), rule: `scheme ${url.protocol}`, allowed })
}
