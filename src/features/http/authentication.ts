// Authentication of HTTP requests. jose verifies the tokens; this file checks the claims.

import { createHash, timingSafeEqual } from 'node:crypto'
import { createLocalJWKSet, createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose'

export const SCOPE = 'mcp:execute'

const METADATA_TIMEOUT_MS = 5000

type Identity =
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
  /** The keys or their URL; by default the issuer's metadata has the URL. */
  readonly jwks?: string | { readonly keys: readonly object[] }
}

const MISSING_TOKEN: Identity = {
  status: 401,
  error: 'invalid_request',
  text: 'a bearer token is required in the Authorization header',
}

const tokenOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization ?? '')?.[1]

/** One shared token, compared in constant time. */
export function createBearerAuthentication(expected: string): Authenticate {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const expectedDigest = digest(expected)
  return async (authorization) => {
    const token = tokenOf(authorization)
    if (token === undefined) return MISSING_TOKEN
    if (timingSafeEqual(digest(token), expectedDigest)) return { subject: 'bearer' }
    return { status: 401, error: 'invalid_token', text: 'the token does not match the token of this server' }
  }
}

/** An OAuth 2.1 resource server: signature, issuer, audience, time and scope of a JWT. */
export function createOauthAuthentication({ issuer, audience, jwks }: OauthSettings): Authenticate {
  let keys: Promise<JWTVerifyGetKey> | undefined
  return async (authorization) => {
    const token = tokenOf(authorization)
    if (token === undefined) return MISSING_TOKEN
    try {
      keys ??= loadKeys(issuer, jwks)
      const { payload } = await jwtVerify(token, await keys, {
        issuer,
        audience,
        algorithms,
        requiredClaims: ['exp', 'sub'],
      })
      return identityIn(payload)
    } catch (error) {
      // Loading the keys failed: the next request tries again.
      if (!(error instanceof errors.JOSEError)) keys = undefined
      return { status: 401, error: 'invalid_token', text: reasonOf(error) }
    }
  }
}

// --- internal ---

const invalidToken = (text: string): Identity => ({ status: 401, error: 'invalid_token', text })

// Claims of a valid signature can have any type.
function identityIn({ sub, scope, scp }: Readonly<Record<string, unknown>>): Identity {
  if (typeof sub !== 'string' || sub.trim() === '')
    return invalidToken("the token's sub is not a non-empty string")
  const scopes = scopesIn(scope)
  const scpScopes = scopesIn(scp)
  if (!scopes) return invalidToken("the token's scope is not a list of strings")
  if (!scpScopes) return invalidToken("the token's scp is not a list of strings")
  if ([...scopes, ...scpScopes].includes(SCOPE)) return { subject: sub }
  return { status: 403, error: 'insufficient_scope', text: `the token lacks the scope ${SCOPE}` }
}

// A string with spaces between, or an array of strings; undefined otherwise.
function scopesIn(claim: unknown): readonly string[] | undefined {
  if (claim === undefined) return []
  if (typeof claim === 'string') return claim.split(' ')
  return Array.isArray(claim) && claim.every((entry) => typeof entry === 'string') ? claim : undefined
}

// Asymmetric signatures only: with a shared secret any of its holders could have signed.
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

async function loadKeys(issuer: string, jwks: OauthSettings['jwks']): Promise<JWTVerifyGetKey> {
  if (typeof jwks === 'object')
    return createLocalJWKSet({ keys: [...jwks.keys] } as Parameters<typeof createLocalJWKSet>[0])
  return createRemoteJWKSet(new URL(jwks ?? (await findKeysUrl(issuer))))
}

async function findKeysUrl(issuer: string): Promise<string> {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const metadataUrls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]
  for (const metadataUrl of metadataUrls) {
    const response = await fetch(metadataUrl, {
      signal: AbortSignal.timeout(METADATA_TIMEOUT_MS),
      redirect: 'error',
    })
    const metadata = response.ok ? ((await response.json()) as { issuer?: string; jwks_uri?: string }) : {}
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
