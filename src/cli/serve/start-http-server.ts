import { readFileSync } from 'node:fs'
import process from 'node:process'
import type { Settings } from '../options/options.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { Authenticate } from '../../mcp/http/authentication.ts'
import type { HttpOptions, HttpServer } from '../../mcp/http/http-options.ts'

type Handlers = Omit<HttpOptions, 'host' | 'port' | 'publicUrl' | 'issuer' | 'authenticate' | 'origins'>

const DEFAULT_PORT = 3000
const TOKEN_MINIMUM_CHARS = 16

/** Listens as the HTTP options say. The error is a message for the user. */
export async function startHttpServer(
  settings: Settings,
  handlers: Handlers,
): Promise<Result<HttpServer, string>> {
  const { host, http, publicUrl, issuer, auth } = settings
  const fallbackPort = Number(process.env['PORT'] ?? '') || DEFAULT_PORT
  const port = typeof http === 'number' ? http : fallbackPort
  const authenticate = await createAuthenticate(settings)
  if (!authenticate.ok) return authenticate
  const { serveHttp } = await import('../../mcp/http/http-server.ts')
  try {
    const server = await serveHttp({
      ...handlers,
      host,
      port,
      publicUrl,
      issuer: auth === 'oauth' ? issuer : undefined,
      authenticate: authenticate.value,
      origins: settings.allowedOrigins?.split(/[\s,]+/).filter(Boolean) ?? [],
    })
    return ok(server)
  } catch (error) {
    return err(
      `--http: ${host}:${port} failed to listen (${error instanceof Error ? error.message : String(error)})`,
    )
  }
}

async function createAuthenticate(settings: Settings): Promise<Result<Authenticate | undefined, string>> {
  const { auth, tokenFile, issuer = '', audience = '', jwks } = settings
  if (auth === 'none') return ok(undefined)
  const { createBearerAuthentication, createOauthAuthentication } =
    await import('../../mcp/http/authentication.ts')
  try {
    if (auth === 'bearer') {
      const token =
        tokenFile === undefined ? process.env['FOOTLIGHT_TOKEN'] : readFileSync(tokenFile, 'utf8').trim()
      return token && token.length >= TOKEN_MINIMUM_CHARS
        ? ok(createBearerAuthentication(token))
        : err('--auth bearer: the token must have at least 16 characters')
    }
    const isFile = jwks !== undefined && !/^https?:/.test(jwks)
    const keys = isFile ? (JSON.parse(readFileSync(jwks, 'utf8')) as { keys: object[] }) : jwks
    return ok(createOauthAuthentication({ issuer, audience, ...(keys !== undefined && { jwks: keys }) }))
  } catch (error) {
    return err(`--auth ${auth}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
