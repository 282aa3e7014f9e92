// A site whose users register passkeys and log in with them. It verifies signatures, origins and challenges, and refuses a signature counter
// that it has seen, as libraries for servers do.

import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto'
import type { Route } from './site.ts'
import { page } from './site.ts'

interface KnownPasskey {
  readonly publicKey: string
  counter: number
}

/** What its passkeys are, by id; a test may add one that it knows. */
export type KnownPasskeys = Map<string, KnownPasskey>

const PAGE = page(
  `<button id=register>Create a passkey</button> <button id=login>Log in with a passkey</button>
<script>
const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
const show = (words) => { document.querySelector('h1')?.remove(); document.body.append(Object.assign(document.createElement('h1'), { textContent: words })) }
const post = async (path, body) => (await fetch(path, { method: 'POST', body: JSON.stringify(body) })).text()
register.onclick = async () => {
  try {
    const { response, id } = await navigator.credentials.create({ publicKey: {
      challenge: bytes(await post('/challenge')), rp: { name: 'Site', id: location.hostname },
      user: { id: new Uint8Array([1, 2, 3]), name: 'ada', displayName: 'Ada' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }], authenticatorSelection: { residentKey: 'required' } } })
    show(await post('/register', { id, publicKey: text(response.getPublicKey()), client: text(response.clientDataJSON) }))
  } catch (error) { show('Failed: ' + error.name) }
}
login.onclick = async () => {
  try {
    const { response, id } = await navigator.credentials.get({ publicKey: { challenge: bytes(await post('/challenge')), rpId: location.hostname } })
    show(await post('/login', { id, client: text(response.clientDataJSON), data: text(response.authenticatorData), signature: text(response.signature) }))
  } catch (error) { show('Failed: ' + error.name) }
}
</script>`,
  'Passkeys',
)

/** Its routes. The page says Registered, Welcome ada, or why not. */
export function passkeyRoutes(known: KnownPasskeys = new Map()): Readonly<Record<string, Route>> {
  let challenge = ''
  const decode = (text: string) => Buffer.from(text, 'base64')
  const isOurs = (client: Buffer, type: string, host: string) => {
    const data = JSON.parse(String(client))
    const isAsked = data.challenge === decode(challenge).toString('base64url')
    return data.type === type && isAsked && data.origin === `http://${host}`
  }
  const answer =
    (reply: (body: Record<string, string>, host: string) => string): Route =>
    (request, response) => {
      let text = ''
      request.on('data', (chunk) => (text += String(chunk)))
      request.on('end', () => response.end(reply(JSON.parse(text || '{}'), request.headers.host ?? '')))
    }
  return {
    '/': PAGE,
    '/challenge': answer(() => (challenge = randomBytes(32).toString('base64'))),
    '/register': answer(({ id = '', publicKey = '', client = '' }, host) => {
      if (!isOurs(decode(client), 'webauthn.create', host)) return 'Refused'
      known.set(id, { publicKey, counter: 0 })
      return 'Registered'
    }),
    '/login': answer(({ id = '', client = '', data = '', signature = '' }, host) => {
      const passkey = known.get(id)
      if (!passkey) return 'Unknown passkey'
      if (!isOurs(decode(client), 'webauthn.get', host)) return 'Refused'
      const key = createPublicKey({ key: decode(passkey.publicKey), format: 'der', type: 'spki' })
      const signed = Buffer.concat([decode(data), createHash('sha256').update(decode(client)).digest()])
      if (!verify('sha256', signed, key, decode(signature))) return 'Wrong signature'
      const counter = decode(data).readUInt32BE(33)
      if (counter <= passkey.counter) return 'Seen counter'
      passkey.counter = counter
      return 'Welcome ada'
    }),
  }
}
