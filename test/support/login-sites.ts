// One site for each kind of login, all on one port, each at a host of its own: form.localhost and so on. A page says in its heading whether it
// knows its user: Welcome ada, or Please log in.

import { createHmac, createPublicKey, randomUUID, verify } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { passkeyRoutes } from './passkey-site.ts'
import { page, type Route, serveSite } from './site.ts'

export const LOGIN_KINDS = [
  'form',
  'totp',
  'passkey',
  'oidc',
  'indexeddb',
  'session-storage',
  'device-bound',
  'idle',
  'basic',
  'client-hints',
] as const

export type LoginKind = (typeof LOGIN_KINDS)[number]

export const PASSWORD = 'tr0ub4dor'
/** The secret of the TOTP site as an authenticator gets it, and its bytes. */
export const TOTP_URI = 'otpauth://totp/site:ada?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const TOTP_KEY = '12345678901234567890'

/** The user of the idle site has to be seen within this time of its clock. */
export const IDLE_LIMIT_MS = 600_000

export interface LoginSites {
  urlOf(kind: LoginKind): string
  /** Moves the clock of the idle site. */
  pass(ms: number): void
  close(): void
}

export async function serveLoginSites(): Promise<LoginSites> {
  const clock = { now: 0 }
  const sites: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
    form: formSite(),
    totp: totpSite(),
    passkey: passkeyRoutes(),
    ...oidcSites(),
    indexeddb: tokenSite(INDEXED_DB),
    'session-storage': tokenSite(SESSION_STORAGE),
    'device-bound': deviceSite(),
    idle: idleSite(clock),
    basic: { '/': basicPage },
    'client-hints': hintsSite(),
  }
  const server = await serveSite({}, (request, response) => {
    const [host = ''] = (request.headers.host ?? '').split('.localhost')
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    const route = sites[host]?.[path]
    if (typeof route === 'function') return route(request, response)
    response.writeHead(route === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(route ?? '')
  })
  const port = new URL(server.url).port
  return {
    urlOf: (kind) => `http://${kind}.localhost:${port}/`,
    pass: (ms) => void (clock.now += ms),
    close: server.close,
  }
}

// --- internal ---

const WELCOME = '<h1>Welcome ada</h1>'
const PLEASE = '<h1>Please log in</h1>'
const FIELDS = '<input name=user aria-label=User> <input name=password type=password aria-label=Password>'
const FORM = (more = '', action = '/login') =>
  `${PLEASE}<form method=post action="${action}">${FIELDS}${more} <button>Log in</button></form>`

const send = (
  response: ServerResponse,
  body: string,
  headers: Record<string, string | string[]> = {},
): void =>
  void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(page(body))
const redirect = (response: ServerResponse, location: string, headers: Record<string, string> = {}): void =>
  void response.writeHead(303, { location, ...headers }).end()
const cookieOf = ({ headers }: IncomingMessage, name: string): string =>
  new RegExp(`(?:^|; )${name}=([^;]*)`).exec(headers.cookie ?? '')?.[1] ?? ''

const onForm =
  (answer: (fields: URLSearchParams, request: IncomingMessage, response: ServerResponse) => void): Route =>
  (request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => answer(new URLSearchParams(text), request, response))
  }
const isRight = (fields: URLSearchParams) =>
  fields.get('user') === 'ada' && fields.get('password') === PASSWORD

/** A cookie that ends with the browser. */
function formSite(): Record<string, Route> {
  const sessions = new Set<string>()
  return {
    '/': (request, response) => send(response, sessions.has(cookieOf(request, 'sid')) ? WELCOME : FORM()),
    '/login': onForm((fields, _request, response) => {
      if (!isRight(fields)) return redirect(response, '/')
      const id = randomUUID()
      sessions.add(id)
      redirect(response, '/', { 'set-cookie': `sid=${id}; HttpOnly; SameSite=Lax` })
    }),
  }
}

function codesOfNow(): string[] {
  return [-1, 0, 1].map((step) => {
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + step))
    const digest = createHmac('sha1', TOTP_KEY).update(counter).digest()
    const code = digest.readUInt32BE((digest.at(-1) ?? 0) & 0xf) & 0x7f_ff_ff_ff
    return String(code % 1_000_000).padStart(6, '0')
  })
}

/** A cookie of 30 days for a device that has shown a code. */
function totpSite(): Record<string, Route> {
  const devices = new Set<string>()
  const code = ' <input name=code autocomplete=one-time-code aria-label=Code>'
  return {
    '/': (request, response) =>
      send(response, devices.has(cookieOf(request, 'device')) ? WELCOME : FORM(code)),
    '/login': onForm((fields, _request, response) => {
      if (!isRight(fields) || !codesOfNow().includes(fields.get('code') ?? '')) return redirect(response, '/')
      const id = randomUUID()
      devices.add(id)
      redirect(response, '/', { 'set-cookie': `device=${id}; HttpOnly; Max-Age=2592000` })
    }),
  }
}

/** The application keeps nothing: each visit goes to the provider, at another site, which has a cookie. */
function oidcSites(): Record<string, Record<string, Route>> {
  const users = new Set<string>()
  const codes = new Set<string>()
  const siteOf = (name: string, { headers }: IncomingMessage) =>
    `http://${name}.localhost:${(headers.host ?? '').split(':')[1]}`
  const query = ({ url = '' }: IncomingMessage, name: string) =>
    new URL(url, 'http://x').searchParams.get(name) ?? ''
  const giveCode = (response: ServerResponse, address: string, headers: Record<string, string> = {}) => {
    const code = randomUUID()
    codes.add(code)
    redirect(response, `${address}?code=${code}`, headers)
  }
  return {
    oidc: {
      '/': (request, response) => {
        const back = encodeURIComponent(`${siteOf('oidc', request)}/callback`)
        redirect(response, `${siteOf('provider', request)}/authorize?redirect_uri=${back}`)
      },
      '/callback': (request, response) =>
        send(response, codes.delete(query(request, 'code')) ? WELCOME : PLEASE),
    },
    provider: {
      '/authorize': (request, response) => {
        const address = query(request, 'redirect_uri')
        if (users.has(cookieOf(request, 'sso'))) return giveCode(response, address)
        send(response, FORM('', `/login?redirect_uri=${encodeURIComponent(address)}`))
      },
      '/login': onForm((fields, request, response) => {
        if (!isRight(fields)) return redirect(response, siteOf('oidc', request))
        const id = randomUUID()
        users.add(id)
        giveCode(response, query(request, 'redirect_uri'), {
          'set-cookie': `sso=${id}; HttpOnly; SameSite=Lax`,
        })
      }),
    },
  }
}

const SESSION_STORAGE = `const read = async () => sessionStorage.getItem('token')
const write = async (token) => sessionStorage.setItem('token', token)`
const INDEXED_DB = `const open = () => new Promise((resolve, reject) => {
  const opening = indexedDB.open('auth', 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore('tokens')
  opening.onsuccess = () => resolve(opening.result)
  opening.onerror = reject
})
const run = async (mode, work) => {
  const database = await open()
  const change = database.transaction('tokens', mode)
  const asked = work(change.objectStore('tokens'))
  await new Promise((resolve, reject) => { change.oncomplete = resolve; change.onerror = reject })
  database.close()
  return asked.result
}
const read = () => run('readonly', (store) => store.get('token'))
const write = (token) => run('readwrite', (store) => store.put(token, 'token'))`
const SHOW = `const show = (isKnown) => {
  document.body.insertAdjacentHTML('afterbegin', isKnown ? '${WELCOME}' : '${PLEASE}')
  login.hidden = isKnown
}`

/** A token that scripts keep, and send with their requests. */
function tokenSite(store: string): Record<string, Route> {
  const tokens = new Set<string>()
  return {
    '/': page(`<button id=login hidden>Log in</button><script type=module>${store}
${SHOW}
login.onclick = async () => { await write(await (await fetch('/token', { method: 'POST' })).text()); location.reload() }
const token = await read()
show(token !== null && token !== undefined && (await fetch('/me', { headers: { authorization: 'Bearer ' + token } })).ok)</script>`),
    '/token': (_, response) => {
      const token = randomUUID()
      tokens.add(token)
      response.end(token)
    },
    '/me': ({ headers }, response) =>
      response.writeHead(tokens.has(String(headers.authorization).slice('Bearer '.length)) ? 200 : 401).end(),
  }
}

/** A key that scripts cannot read, with which the browser signs. */
function deviceSite(): Record<string, Route> {
  const keys = new Set<string>()
  const challenge = randomUUID()
  const onJson = (answer: (body: Record<string, string>) => boolean): Route =>
    onForm(
      (fields, _, response) => void response.writeHead(answer(Object.fromEntries(fields)) ? 200 : 401).end(),
    )
  return {
    '/': page(`<button id=login hidden>Log in</button><script type=module>${INDEXED_DB}
${SHOW}
const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
const post = (path, body) => fetch(path, { method: 'POST', body: new URLSearchParams(body) })
const pair = await read()
const isKnown = async () => {
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, pair.privateKey, new TextEncoder().encode('${challenge}'))
  const key = text(await crypto.subtle.exportKey('spki', pair.publicKey))
  return (await post('/verify', { key, signature: text(signature) })).ok
}
login.onclick = async () => {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
  await post('/register', { key: text(await crypto.subtle.exportKey('spki', pair.publicKey)) })
  await write(pair)
  location.reload()
}
show(pair !== undefined && await isKnown().catch(() => false))</script>`),
    '/register': onJson(({ key = '' }) => keys.add(key).has(key)),
    '/verify': onJson(({ key = '', signature = '' }) => {
      const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
      const isSigned = verify(
        'sha256',
        Buffer.from(challenge),
        { key: publicKey, dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64'),
      )
      return keys.has(key) && isSigned
    }),
  }
}

/** Each page has a new cookie, and the one before it is worth nothing. Who is not seen in time is logged out. */
function idleSite(clock: { readonly now: number }): Record<string, Route> {
  const seenAt = new Map<string, number>()
  const renew = () => {
    const id = randomUUID()
    seenAt.set(id, clock.now)
    return { 'set-cookie': `turn=${id}; HttpOnly; Max-Age=2592000` }
  }
  return {
    '/': (request, response) => {
      const id = cookieOf(request, 'turn')
      const last = seenAt.get(id)
      seenAt.delete(id)
      if (last === undefined || clock.now - last > IDLE_LIMIT_MS) return send(response, FORM())
      send(response, WELCOME, renew())
    },
    '/login': onForm((fields, _request, response) =>
      isRight(fields) ? redirect(response, '/', renew()) : redirect(response, '/'),
    ),
  }
}

const basicPage: Route = ({ headers }, response) => {
  const isKnown = headers.authorization === `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}`
  if (isKnown) return send(response, WELCOME)
  response
    .writeHead(401, { 'www-authenticate': 'Basic realm="site"', 'content-type': 'text/html' })
    .end(page(PLEASE))
}

const HINTS = [
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'sec-ch-ua-platform',
  'sec-ch-ua-platform-version',
  'sec-ch-ua-full-version-list',
]
const HINT_HEADERS = {
  'accept-ch': HINTS.join(', '),
  'critical-ch': HINTS.join(', '),
  vary: HINTS.join(', '),
}

/** A cookie that is worth nothing in a browser that says something else about itself. */
function hintsSite(): Record<string, Route> {
  const browsers = new Map<string, string>()
  const describe = ({ headers }: IncomingMessage) =>
    JSON.stringify([headers['user-agent'], ...HINTS.map((name) => headers[name])])
  return {
    '/': (request, response) => {
      const isKnown = browsers.get(cookieOf(request, 'bound')) === describe(request)
      send(response, isKnown ? WELCOME : FORM(), HINT_HEADERS)
    },
    '/login': onForm((fields, request, response) => {
      if (!isRight(fields)) return redirect(response, '/')
      const id = randomUUID()
      browsers.set(id, describe(request))
      redirect(response, '/', { 'set-cookie': `bound=${id}; HttpOnly; Max-Age=2592000`, ...HINT_HEADERS })
    }),
  }
}
