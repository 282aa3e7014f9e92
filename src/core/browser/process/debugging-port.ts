// The debugging port of a browser that Footlight did not start. A page that reaches it can read and close all tabs of that browser.

import { parseUrl } from '../../base/text/parse-url.ts'

export interface DebuggingPort {
  /** The pattern of the Fetch domain for the URLs at the port. */
  readonly urlPattern: string
  /** Whether a page of this URL is at the port. */
  covers(url: string): boolean
}

/** `endpoint` is the URL of the connection to the browser, http or ws. Where that is on this machine the port is closed at every name. */
export function debuggingPortOf(endpoint: string): DebuggingPort {
  const { host, hostname, port } = new URL(endpoint)
  const isLocal = LOOPBACK_PATTERN.test(hostname) && port !== ''
  return {
    urlPattern: `*://${isLocal ? `*:${port}` : host}/*`,
    covers(url) {
      const page = parseUrl(url)
      return page !== undefined && (isLocal ? page.port === port : page.host === host)
    },
  }
}

const LOOPBACK_PATTERN = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/
