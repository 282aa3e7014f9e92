// The texts of the pages and servers that many of the forty have.

export const counterPage = (script = '', title = 'Counter'): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>
<button id="counter">Count: 0</button>
${script ? `<script type="module" src="${script}"></script>` : `<script>${COUNTER_SCRIPT}</script>`}</html>
`

export const COUNTER_SCRIPT = `let count = 0
document.getElementById('counter').addEventListener('click', (event) => {
  count += 1
  event.target.textContent = 'Count: ' + count
})
`

interface NodeServer {
  /** The arguments of `listen`, without its callback. */
  readonly listen?: string
  /** What it prints when it listens. */
  readonly printed?: string
  /** Statements before a request is answered; `q` and `r` are the request and its answer. */
  readonly before?: string
  /** Statements before it listens. */
  readonly start?: string
}

/** A program of Node that answers every request with `index.html`. */
export const nodeServer = ({
  listen = 'process.env.PORT',
  printed = "console.log('Listening on http://localhost:' + server.address().port)",
  before = '',
  start = '',
}: NodeServer = {}): string => `import http from 'node:http'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
${start}
const server = http.createServer(async (q, r) => {
  ${before}
  r.setHeader('content-type', 'text/html')
  r.end(readFileSync('index.html'))
})
server.listen(${listen}, () => { ${printed} })
`

export const manifest = (scripts: Readonly<Record<string, string>>, more: object = {}): string =>
  JSON.stringify({ name: 'one-of-forty', private: true, type: 'module', scripts, ...more })

export const reactPage = `'use client'
import { useState } from 'react'
export default function Page() {
  const [count, setCount] = useState(0)
  return <main><h1>Counter</h1><button id="counter" onClick={() => setCount(count + 1)}>Count: {count}</button></main>
}
`

export const reactLayout = `export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>
}
`

export const playwrightConfig = (body: string): string => `import { defineConfig } from '@playwright/test';

export default defineConfig({ ${body} });
`
