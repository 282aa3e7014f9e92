import type { RemoteAddress } from '../../core/grid-release.ts'

/** The address in `text`, a valid URL. Its user information becomes a header, because `fetch` refuses it in a URL. */
export function parseRemoteAddress(
  text: string,
  headers: Readonly<Record<string, string>> = {},
): RemoteAddress {
  const url = new URL(text)
  const { username, password } = url
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  url.username = ''
  url.password = ''
  const label = new URL(url)
  label.search = ''
  return {
    url: withoutSlash(url.href),
    headers: {
      ...(credentials !== ':' && { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
      ...headers,
    },
    label: withoutSlash(label.href),
  }
}

const withoutSlash = (url: string): string => url.replace(/\/$/, '')
