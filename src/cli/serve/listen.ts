// The server that the HTTP options ask for.

import { readFileSync } from 'node:fs'
import process from 'node:process'
import type { Settings } from '../options/options.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { Authenticate } from '../../mcp/http/authentication.ts'
import type { HttpOptions, HttpServer } from '../../mcp/http/http-server.ts'

type Rest = Omit<HttpOptions, 'host' | 'port' | 'authenticate' | 'origins'>

/** Begins to listen. An error is a sentence. */
export async function listen(settings: Settings, rest: Rest): Promise<Result<HttpServer, string>> {
  const { host, http, publicUrl, issuer, auth } = settings
  const fallback = Number(process.env['PORT'] ?? '') || 3000
  const port = typeof http === 'number' ? http : fallback
  const authenticate = await authenticator(settings)
  if (!authenticate.ok) return authenticate
  const { serveHttp } = await import('../../mcp/http/http-server.ts')
  try {
    const server = await serveHttp({
      ...rest,
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

async function authenticator(settings: Settings): Promise<Result<Authenticate | undefined, string>> {
  const { auth, tokenFile, issuer = '', audience = '', jwks } = settings
  if (auth === 'none') return ok(undefined)
  const { bearer, oauth } = await import('../../mcp/http/authentication.ts')
  try {
    if (auth === 'bearer') {
      const token =
        tokenFile === undefined ? process.env['FOOTLIGHT_TOKEN'] : readFileSync(tokenFile, 'utf8').trim()
      return token && token.length >= 16
        ? ok(bearer(token))
        : err('--auth bearer: the token must have at least 16 characters')
    }
    const local = jwks !== undefined && !/^https?:/.test(jwks)
    const keys = local ? (JSON.parse(readFileSync(jwks, 'utf8')) as { keys: object[] }) : jwks
    return ok(oauth({ issuer, audience, ...(keys !== undefined && { jwks: keys }) }))
  } catch (error) {
    return err(`--auth ${auth}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
