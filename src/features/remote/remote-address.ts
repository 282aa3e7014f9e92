import type { RemoteAddress } from './remote-release.ts'

/** The address in `text`, a valid URL. Its user information becomes a header, because `fetch` refuses it in a URL. */
export function parseRemoteAddress(text: string): RemoteAddress {
  const url = new URL(text)
  const { username, password } = url
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  url.username = ''
  url.password = ''
  const label = new URL(url)
  label.search = ''
  return {
    url: url.href,
    headers:
      credentials === ':' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    label: label.href.replace(/\/$/, ''),
  }
}

/** The URL of a path below the address, whose query it keeps. */
export function urlBelow({ url }: Pick<RemoteAddress, 'url'>, path: string): string {
  const below = new URL(url)
  below.pathname = `${below.pathname.replace(/\/$/, '')}${path}`
  return below.href
}
