// The order of the checks is fixed: Host and Origin, then authentication, then rate limits, then the path.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { SCOPE } from './authentication.ts'
import { REQUEST_BODY_LIMIT_BYTES, type Connections } from './connections.ts'
import { sendJson, sendPlainText, sendRpcError } from './http-answers.ts'
import type { HttpOptions } from './http-options.ts'
import { readBody, type RpcBody } from './request-body.ts'
import { refuseTooManyValues } from '../too-many-values.ts'
import { isModernRequest, type StatelessRequests } from './stateless-requests.ts'
import { refuseTooMany } from './too-many-requests.ts'
import { clientKeyOf } from '../../core/network/client-key.ts'
import { findRefusal, type AllowedHosts } from '../../core/network/http-guard.ts'

/** Known once the server listens. */
export interface Endpoint {
  readonly url: string
  readonly allowed: AllowedHosts
}

export interface HandlerContext {
  readonly options: HttpOptions
  readonly connections: Connections
  readonly statelessRequests: StatelessRequests
  readonly endpoint: () => Endpoint
}

const mcpPaths = ['/mcp', '/message']
const METADATA_PATH = '/.well-known/oauth-protected-resource'
const PATH_LIMIT_CHARS = 100

export async function handleRequest(
  context: HandlerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { options, connections, endpoint } = context
  const refusal = findRefusal(
    { hosts: headersOf(request, 'host'), origins: headersOf(request, 'origin'), target: request.url ?? '' },
    endpoint().allowed,
  )
  if (refusal !== undefined) return sendJson(response, 403, { error: refusal })
  const path = pathOf(request)
  if (path === '/health') return sendHealth(options, response)
  if (path.startsWith(METADATA_PATH)) return sendMetadata(context, response)
  const subject = await identify(context, request, response)
  if (subject === undefined) return
  const caller = {
    subject: options.authenticate ? subject : undefined,
    client: clientFor(options, request, subject),
  }
  const isMcpPath = mcpPaths.includes(path)
  if (request.method === 'POST' && isMcpPath) return servePost(context, request, response, caller)
  if (isRateLimited(options, response, caller.client)) return
  if (path === '/metrics') return sendPlainText(response, options.metrics())
  if (!isMcpPath)
    return sendJson(response, 404, {
      error: `not found: ${path.slice(0, PATH_LIMIT_CHARS)}; MCP clients use /mcp`,
    })
  return connections.serve(request, response, caller)
}

export const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?')[0] ?? ''

// --- internal ---

async function servePost(
  { options, connections, statelessRequests }: HandlerContext,
  request: IncomingMessage,
  response: ServerResponse,
  caller: Parameters<Connections['serve']>[2],
): Promise<void> {
  const body = await readBody(request, REQUEST_BODY_LIMIT_BYTES)
  const readableBody = typeof body === 'string' ? undefined : body
  if (isRateLimited(options, response, caller.client, readableBody) || body === 'aborted') return
  if (body === 'too large')
    return sendJson(response, 413, { error: `the maximum request size is ${REQUEST_BODY_LIMIT_BYTES} bytes` })
  if (body === 'not JSON') return sendRpcError(response, 400, -32_700, 'Parse error: the body is not JSON.')
  const refusal = refuseTooManyValues(body.value)
  if (refusal) return sendJson(response, 400, refusal)
  const { serve } = isModernRequest(request, body) ? statelessRequests : connections
  await serve(request, response, caller, body)
}

// The subject, or undefined where a refusal has been sent. Failed attempts count for the address that they come from.
async function identify(
  { options, endpoint }: HandlerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<string | undefined> {
  const { authenticate, issuer } = options
  if (!authenticate) return ''
  const identity = await authenticate(request.headers.authorization)
  if ('subject' in identity) return identity.subject
  if (isRateLimited(options, response, clientFor(options, request))) return undefined
  const { status, error, text } = identity
  const metadata = issuer === undefined ? '' : `, resource_metadata="${endpoint().url}${METADATA_PATH}"`
  response.setHeader(
    'WWW-Authenticate',
    `Bearer error="${error}", error_description="${text}", scope="${SCOPE}"${metadata}`,
  )
  sendJson(response, status, { error, error_description: text })
  return undefined
}

const clientFor = ({ authenticate }: HttpOptions, request: IncomingMessage, subject?: string): string =>
  clientKeyOf(authenticate ? subject : undefined, request.socket.remoteAddress)

const isRateLimited = (
  { limiter }: HttpOptions,
  response: ServerResponse,
  client: string,
  body?: RpcBody,
): boolean => limiter !== undefined && refuseTooMany(response, limiter, client, body)

function sendHealth(options: HttpOptions, response: ServerResponse): void {
  const { ok, body } = options.health()
  sendJson(response, ok ? 200 : 503, body)
}

function sendMetadata({ options, endpoint }: HandlerContext, response: ServerResponse): void {
  if (options.issuer === undefined)
    return sendJson(response, 404, { error: 'no authorization server is configured' })
  sendJson(response, 200, {
    resource: `${endpoint().url}/mcp`,
    authorization_servers: [options.issuer],
    scopes_supported: [SCOPE],
    bearer_methods_supported: ['header'],
    resource_name: 'Footlight',
  })
}

// `request.headers` joins repeated headers, but each one must be checked.
function headersOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.flatMap((header, index) =>
    index % 2 === 0 && header.toLowerCase() === name ? [rawHeaders[index + 1] ?? ''] : [],
  )
}
