// Names that say that their value is a secret. Long words count anywhere in a name, short ones only as a word of their own, because
// "pin" is in "shipping" and "key" in "keyword".

const anywhere =
  /token|secret|passw|passphrase|credential|assertion|saml|jwt|nonce|apikey|privatekey|sessionid|bearer|otpcode/i
const words = new Set([
  'auth',
  'authorization',
  'key',
  'sig',
  'signature',
  'session',
  'sid',
  'code',
  'state',
  'otp',
  'pin',
  'pwd',
  'ticket',
  'email',
  'mail',
  'cvc',
  'cvv',
  'csrf',
  'xsrf',
])

const isPlainly = (name: string): boolean => anywhere.test(name.replace(/[_.\-\s]/g, ''))

export function isSecretKey(name: string): boolean {
  if (isPlainly(name)) return true
  const parts = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
  return parts.some((part) => words.has(part))
}

const pair = /([?&#;]|^)([\w.[\]%-]{1,80})=([^&#;\s"'<>]+)/gm
const long = /^(?:[0-9a-f]{40,}|[\w+/-]{40,}={0,2})$/i
const json = /(\\?["'])([\w.-]{1,80})\1(\s*:\s*)(\\?["'])((?:(?!\4)[^\\]|\\.){1,4000}?)\4/g
const told =
  /\b([\w.-]{0,40}(?:token|secret|passw(?:or)?d|passphrase|pwd|api[_-]?key|authorization|credential)[\w.-]{0,40})(\s*[:=]\s*)(?!["'\s[{])([^\s"'&,;<>]{3,})/gi
// In the source of a page: password: 'x', setItem('token', 'x').
const script = /\b([\w$-]{1,80})(\s*[:=]\s*|["'`]\s*,\s*)(["'`])((?:(?!\3)[^\\\n]|\\.){3,4000}?)\3/g
const cookie = /\b((?:set-)?cookie:\s*)([^\r\n"]+)/gi
const multipart = /(name="([^"]{1,80})"(?:\r?\n[^\r\n]+)*\r?\n\r?\n)([^\r\n]{1,4000})/g

/** Hides what stands behind a secret's name: in addresses, forms, JSON, multipart bodies, cookie lines and plain talk. */
export function keyed(text: string, hidden: string): string {
  return text
    .replace(cookie, (_, head: string, pairs: string) => head + pairs.replace(/=([^;,\s]+)/g, `=${hidden}`))
    .replace(multipart, (all, head: string, name: string) => (isSecretKey(name) ? head + hidden : all))
    .replace(pair, (all, before: string, name: string, value: string, at: number) => {
      // A line of a log may begin with code=… or state=…; in an address or a form those are keys to something.
      const secret = before !== '' || at === 0 ? isSecretKey(plain(name)) : isPlainly(plain(name))
      return secret || (before !== '' && long.test(value)) ? `${before}${name}=${hidden}` : all
    })
    .replace(json, (all, quote: string, name: string, colon: string, open: string) =>
      isSecretKey(name) ? `${quote}${name}${quote}${colon}${open}${hidden}${open}` : all,
    )
    .replace(script, (all, name: string, sign: string, open: string) =>
      isPlainly(name) ? `${name}${sign}${open}${hidden}${open}` : all,
    )
    .replace(told, (all, name: string, sign: string, value: string) =>
      value.startsWith('[redacted') ? all : `${name}${sign}${hidden}`,
    )
}

const plain = (name: string): string => name.replaceAll(/%5B|%5D|[[\]]/gi, ' ')

/** Headers whose values are told. Every other one is known by its name and length only. */
export const harmlessHeaders: ReadonlySet<string> = new Set(
  `accept accept-charset accept-encoding accept-language accept-ranges access-control-allow-credentials access-control-allow-headers
  access-control-allow-methods access-control-allow-origin access-control-expose-headers access-control-max-age
  access-control-request-headers access-control-request-method age allow alt-svc cache-control connection content-disposition
  content-encoding content-language content-length content-range content-security-policy content-security-policy-report-only
  content-type cross-origin-embedder-policy cross-origin-opener-policy cross-origin-resource-policy date device-memory dnt early-data
  expect expires host if-match if-modified-since if-none-match if-range if-unmodified-since keep-alive last-modified link location
  nel origin permissions-policy pragma priority range referer referrer-policy report-to retry-after sec-ch-ua sec-ch-ua-arch
  sec-ch-ua-mobile sec-ch-ua-model sec-ch-ua-platform sec-fetch-dest sec-fetch-mode sec-fetch-site sec-fetch-user sec-gpc
  sec-websocket-accept sec-websocket-extensions sec-websocket-protocol sec-websocket-version server server-timing
  service-worker-allowed service-worker-navigation-preload sourcemap strict-transport-security te timing-allow-origin trailer
  transfer-encoding upgrade upgrade-insecure-requests user-agent vary via warning x-content-type-options x-dns-prefetch-control
  x-frame-options x-permitted-cross-domain-policies x-powered-by x-requested-with x-robots-tag x-ua-compatible x-xss-protection`
    .split(/\s+/)
    .filter(Boolean),
)
