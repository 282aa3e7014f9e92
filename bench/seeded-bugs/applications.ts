// The applications that get the bugs: those of test/apps, and one that is a server without a framework. Each run has a copy of its own.

import { placeCopy } from '../../test/apps/place.ts'
import { writeSource } from '../write-source.ts'

/** The command of a dev server on the port `$PORT`. */
export const commands: Readonly<Record<string, string>> = {
  'vite-react': 'npx vite --port $PORT --strictPort',
  'vite-vue': 'npx vite --port $PORT --strictPort',
  'vite-svelte': 'npx vite --port $PORT --strictPort',
  sveltekit: 'npx vite dev --port $PORT --strictPort',
  next: 'npx next dev --port $PORT',
  nuxt: 'npx nuxt dev --port $PORT',
  webpack: 'npx webpack serve --port $PORT',
  angular: 'npx ng serve --port $PORT',
  node: 'node --watch server.mjs',
}

/** Frameworks send nothing about their use. */
export const environment = {
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  NODE_ENV: 'development',
  CI: '1',
}

const nodeFiles = {
  'server.mjs': `import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { listItems } from './api/items.mjs'

const types = { html: 'text/html', js: 'text/javascript' }

createServer(async (request, response) => {
  try {
    if (request.url === '/api/items') return response.end(JSON.stringify(listItems()))
    const file = request.url === '/' ? '/index.html' : request.url
    const text = await readFile(new URL('public' + file, import.meta.url))
    response.setHeader('content-type', types[file.split('.').at(-1)] ?? 'text/plain').end(text)
  } catch (error) {
    if (error.code === 'ENOENT') return response.writeHead(404).end('not found')
    console.error(error)
    response.writeHead(500).end('{"error":"internal"}')
  }
}).listen(process.env.PORT)
`,
  'api/items.mjs': `const items = ['one', 'two']

export function listItems() {
  return items.map((name) => ({ name: name.toUpperCase() }))
}
`,
  'public/index.html': `<!doctype html>
<title>Node</title>
<h1>First title</h1>
<button id="counter">Count: 0</button>
<script type="module" src="/app.js"></script>
`,
  'public/app.js': `const button = document.querySelector('#counter')

button.onclick = async () => {
  const response = await fetch('/api/items')
  button.textContent = response.ok ? \`Count: \${(await response.json()).length}\` : 'Could not load'
}
`,
}

/** Writes an application into an empty folder, with its packages, and answers its own folder in it. */
export async function placeApplication(name: string, folder: string): Promise<string> {
  if (name !== 'node') return placeCopy(name, folder)
  for (const [file, text] of Object.entries(nodeFiles)) writeSource(folder, file, text)
  return folder
}
