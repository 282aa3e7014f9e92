// Responses outside MCP.

import type { ServerResponse } from 'node:http'

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
  response.end(JSON.stringify(body))
}

export const sendRpcError = (response: ServerResponse, status: number, code: number, message: string): void =>
  sendJson(response, status, { jsonrpc: '2.0', error: { code, message }, id: null })

export function sendPlainText(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
  response.end(body)
}
