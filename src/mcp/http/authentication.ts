// Who a request comes from. Tokens are checked by jose, never here; what is decided here is what a refusal says.

import { createHash, timingSafeEqual } from 'node:crypto'
import { createLocalJWKSet, createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose'

export const SCOPE = 'mcp:execute'

export type Identity =
  | { readonly subject: string }
  | {
      readonly status: 401 | 403
      readonly error: 'invalid_token' | 'invalid_request' | 'insufficient_scope'
      readonly text: string
    }

/** Reads the Authorization header. */
export type Authenticate = (authorization: string | undefined) => Promise<Identity>

export interface OauthSettings {
  readonly issuer: string
  readonly audience: string
  /** The keys, or where they are; without it the issuer's metadata says. */
  readonly jwks?: string | { readonly keys: readonly object[] }
}

const MISSING: Identity = {
  status: 401,
  error: 'invalid_request',
  text: 'a bearer token is required in the Authorization header',
}

const tokenOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization ?? '')?.[1]

/** One shared token. The comparison takes the same time wherever it fails. */
export function bearer(expected: string): Authenticate {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const wanted = digest(expected)
  return async (authorization) => {
    const token = tokenOf(authorization)
    if (token === undefined) return MISSING
    if (timingSafeEqual(digest(token), wanted)) return { subject: 'bearer' }
    return { status: 401, error: 'invalid_token', text: 'the token does not match the token of this server' }
  }
}

/** An OAuth 2.1 resource server: signature, issuer, audience, time and scope of a JWT. */
export function oauth({ issuer, audience, jwks }: OauthSettings): Authenticate {
  let keys: Promise<JWTVerifyGetKey> | undefined
  return async (authorization) => {
    const token = tokenOf(authorization)
    if (token === undefined) return MISSING
    try {
      keys ??= keysFrom(issuer, jwks)
      const { payload } = await jwtVerify(token, await keys, {
        issuer,
        audience,
        algorithms,
        requiredClaims: ['exp', 'sub'],
      })
      return identityIn(payload)
    } catch (error) {
      // Keys that could not be had now may be had for the next request.
      if (!(error instanceof errors.JOSEError)) keys = undefined
      return { status: 401, error: 'invalid_token', text: reasonOf(error) }
    }
  }
}

// --- internal ---

const invalidToken = (text: string): Identity => ({ status: 401, error: 'invalid_token', text })

// What is signed may still be of any type.
function identityIn({ sub, scope, scp }: Readonly<Record<string, unknown>>): Identity {
  if (typeof sub !== 'string' || sub.trim() === '')
    return invalidToken("the token's sub is not a non-empty string")
  const [first, second] = [scopesIn(scope), scopesIn(scp)]
  if (!first) return invalidToken("the token's scope is not a list of strings")
  if (!second) return invalidToken("the token's scp is not a list of strings")
  if ([...first, ...second].includes(SCOPE)) return { subject: sub }
  return { status: 403, error: 'insufficient_scope', text: `the token lacks the scope ${SCOPE}` }
}

// A text with spaces between, or a list of texts; undefined for what is neither.
function scopesIn(claim: unknown): readonly string[] | undefined {
  if (claim === undefined) return []
  if (typeof claim === 'string') return claim.split(' ')
  return Array.isArray(claim) && claim.every((one) => typeof one === 'string') ? claim : undefined
}

// Signatures only: a secret that is shared is no proof of who signed, and `none` is no signature.
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

async function keysFrom(issuer: string, jwks: OauthSettings['jwks']): Promise<JWTVerifyGetKey> {
  if (typeof jwks === 'object')
    return createLocalJWKSet({ keys: [...jwks.keys] } as Parameters<typeof createLocalJWKSet>[0])
  return createRemoteJWKSet(new URL(jwks ?? (await keysUrl(issuer))))
}

async function keysUrl(issuer: string): Promise<string> {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]
  for (const place of places) {
    const answer = await fetch(place, { signal: AbortSignal.timeout(5000), redirect: 'error' })
    const metadata = answer.ok ? ((await answer.json()) as { issuer?: string; jwks_uri?: string }) : {}
    if (metadata.issuer === issuer && metadata.jwks_uri) return metadata.jwks_uri
  }
  throw new Error(`the metadata of ${issuer} has no jwks_uri; pass --jwks`)
}

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired'
  if (error instanceof errors.JWTClaimValidationFailed) return `the token's ${error.claim} is not accepted`
  if (error instanceof errors.JOSEAlgNotAllowed) return "the token's algorithm is not accepted"
  if (error instanceof errors.JOSEError) return 'the token cannot be verified'
  return 'the keys of the issuer could not be fetched'
}
