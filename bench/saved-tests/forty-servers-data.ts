// Forty servers as people have them: what is in the folder, the command, and what is done in a session with it.

import {
  COUNTER_SCRIPT,
  counterPage,
  manifest,
  nodeServer,
  playwrightConfig,
  reactLayout,
  reactPage,
} from './server-sources.ts'

type Act = { readonly fill: string; readonly value: string } | { readonly click: string }

export interface TestedServer {
  readonly name: string
  /** Packages of npm, as `npm install` takes them. */
  readonly packages?: string
  /** An application of test/apps in the place of `files`. */
  readonly app?: string
  /** A folder of test/apps/servers that is copied before `files`. */
  readonly copied?: string
  readonly files?: Readonly<Record<string, string>>
  readonly command?: string
  /** More options of the session. */
  readonly session?: Readonly<Record<string, unknown>>
  readonly path?: string
  readonly acts?: readonly Act[]
  /** The text that is expected at the end. */
  readonly text?: string
  /** Which variables a run of the tests needs. */
  readonly needs?: Readonly<Record<string, string>>
  /** No test can start it at a second time at the same address. */
  readonly isRefused?: boolean
  /** A port that another program has while the session starts, and not later. */
  readonly takenPort?: number
}

const dev = (script: string, files: Readonly<Record<string, string>> = {}) => ({
  files: { 'package.json': manifest({ dev: script }), ...files },
})
const ofNode = (server: Parameters<typeof nodeServer>[0], files: Readonly<Record<string, string>> = {}) =>
  dev('node server.mjs', { 'server.mjs': nodeServer(server), 'index.html': counterPage(), ...files })
const withModule = { 'index.html': counterPage('/src/main.js'), 'src/main.js': COUNTER_SCRIPT }
const NOTES = {
  acts: [{ fill: 'input[name=text]', value: 'Milk' }, { click: 'text=Add' }, { click: 'text=Remove' }],
  text: '0 in the list',
}
const VITE = 'vite@8.3.8 @vitejs/plugin-basic-ssl@2'
const BUNDLERS = 'parcel@2.16.4 @rsbuild/core@2 webpack@5 webpack-cli webpack-dev-server'
const NEXT = 'next@16.4.6 react react-dom'
const astroFiles = {
  'package.json': manifest({ dev: 'astro dev --port $PORT' }, { dependencies: { astro: '*' } }),
  'astro.config.mjs': 'export default { devToolbar: { enabled: false } }\n',
  'src/pages/index.astro': counterPage().replace('<script>', '<script is:inline>'),
}
const LONG = { readyTimeout: 120_000 }
const env = (values: Readonly<Record<string, string>>) => ({ session: { ...LONG, env: values } })
const API = `import http from 'node:http'
let count = 0
http.createServer((q, r) => {
  if (q.method === 'POST') count += 1
  r.end(JSON.stringify({ count }))
}).listen(5391, () => console.log('api: http://localhost:5391'))
`

export const servers: readonly TestedServer[] = [
  { name: 'node, PORT', ...ofNode({}) },
  { name: 'node, fixed port', ...ofNode({ listen: '5380' }) },
  { name: 'node, 127.0.0.1 only', ...ofNode({ listen: "process.env.PORT, '127.0.0.1'" }) },
  {
    name: 'node, ::1 only',
    ...ofNode({
      listen: "process.env.PORT, '::1'",
      printed: "console.log('Listening on http://[::1]:' + process.env.PORT)",
    }),
  },
  {
    name: 'node, root is 404',
    ...ofNode({ before: "if (!q.url.startsWith('/app/')) { r.statusCode = 404; return r.end('no') }" }),
    path: '/app/',
  },
  { name: 'node, starts in 8 s', ...ofNode({ start: 'await delay(8000)' }) },
  {
    name: 'node, first page takes 12 s',
    ...ofNode({
      start: 'let built; const build = () => (built ??= delay(12_000))',
      before: "if (q.url === '/page') await build()",
    }),
    path: '/page',
  },
  {
    name: 'node, logs much',
    ...ofNode({
      before: "for (let i = 0; i < 20_000; i += 1) console.log('request', q.url, i, 'x'.repeat(80))",
    }),
  },
  {
    name: 'node, two addresses',
    ...ofNode({
      start: "http.createServer((q, r) => r.end('metrics')).listen(5381)",
      listen: '5382',
      printed: "console.log('Metrics: http://localhost:5381/\\nApp: http://localhost:5382/')",
    }),
  },
  {
    name: 'node, address without newline',
    ...ofNode({
      listen: '5383',
      printed: "process.stdout.write('ready at http://localhost:5383')",
    }),
  },
  { name: 'node, random port', ...ofNode({ listen: '0' }), isRefused: true },
  {
    name: 'node, needed variables',
    ...ofNode({
      start: "if (process.env.API_TOKEN !== 'abc123xyz') throw new Error('API_TOKEN is missing')",
    }),
    session: { env: { API_TOKEN: 'abc123xyz' } },
    needs: { API_TOKEN: 'abc123xyz' },
  },
  {
    name: 'node, respawned by a supervisor',
    isRefused: true,
    ...dev('node supervisor.mjs', {
      'index.html': counterPage(),
      'server.mjs': nodeServer(),
      'supervisor.mjs': `import { spawn } from 'node:child_process'
process.on('SIGTERM', () => {})
process.on('SIGINT', () => {})
const start = () => spawn(process.execPath, ['server.mjs'], { stdio: 'inherit', detached: true }).on('exit', () => setTimeout(start, 20))
start()
`,
    }),
  },
  {
    name: 'configuration with two servers',
    ...dev('node api.mjs & node server.mjs', {
      'index.html': counterPage(),
      'server.mjs': nodeServer({ listen: '5384' }),
      'api.mjs': API,
      'playwright.config.ts': playwrightConfig(
        "testDir: './e2e', use: { baseURL: 'http://localhost:5384' }, webServer: [{ command: 'node api.mjs', url: 'http://localhost:5391' }, { command: 'node server.mjs', url: 'http://localhost:5384' }]",
      ),
    }),
  },
  {
    name: 'configuration with its own port and testDir',
    ...ofNode(
      {},
      {
        'playwright.config.ts': playwrightConfig(
          "testDir: 'e2e', use: { baseURL: 'http://127.0.0.1:5385' }, webServer: { command: 'npm run dev', url: 'http://127.0.0.1:5385', env: { PORT: '5385' } }",
        ),
      },
    ),
  },
  {
    name: 'express',
    packages: 'express@5',
    ...dev('node server.mjs', {
      'server.mjs': `import express from 'express'
const app = express()
app.get('/', (q, r) => r.sendFile('index.html', { root: import.meta.dirname }))
app.listen(3000, () => console.log('Example app listening on port 3000'))
`,
      'index.html': counterPage(),
    }),
  },
  {
    name: 'http-server',
    packages: 'http-server@14.1.1',
    ...dev('http-server -p 5386 public', { 'public/index.html': counterPage() }),
  },
  {
    name: 'http-server, its port taken',
    packages: 'http-server@14.1.1',
    ...dev('http-server public', { 'public/index.html': counterPage() }),
    takenPort: 8080,
    session: { port: 'none' },
    isRefused: true,
  },
  { name: 'vite', packages: VITE, ...dev('vite', withModule) },
  { name: 'vite, react', app: 'vite-react' },
  { name: 'vite, vue', app: 'vite-vue' },
  { name: 'vite, svelte', app: 'vite-svelte' },
  {
    name: 'vite, base path',
    packages: VITE,
    ...dev('vite', { ...withModule, 'vite.config.js': "export default { base: '/shop/' }\n" }),
    path: '/shop/',
  },
  {
    name: 'vite, https',
    packages: VITE,
    ...dev('vite', {
      ...withModule,
      'vite.config.js': "import ssl from '@vitejs/plugin-basic-ssl'\nexport default { plugins: [ssl()] }\n",
    }),
  },
  {
    name: 'vite with a proxy to an API',
    packages: `${VITE} concurrently@9`,
    ...dev('concurrently "node api.mjs" "vite --port 5387 --strictPort"', {
      'index.html': counterPage('/src/main.js'),
      'src/main.js': `const button = document.getElementById('counter')
button.onclick = async () => {
  const { count } = await (await fetch('/api', { method: 'POST' })).json()
  button.textContent = count > 0 ? 'Count: 1' : 'none'
}
`,
      'api.mjs': API,
      'vite.config.js': "export default { server: { proxy: { '/api': 'http://localhost:5391' } } }\n",
    }),
  },
  { name: 'vite preview', packages: VITE, ...dev('vite build && vite preview', withModule) },
  { name: 'next dev', app: 'next', ...env({ NEXT_TELEMETRY_DISABLED: '1' }) },
  {
    name: 'next dev, basePath',
    packages: NEXT,
    ...dev('next dev', {
      'next.config.mjs': "export default { basePath: '/shop', devIndicators: false }\n",
      'app/layout.jsx': reactLayout,
      'app/page.jsx': reactPage,
    }),
    ...env({ NEXT_TELEMETRY_DISABLED: '1' }),
    path: '/shop',
  },
  {
    name: 'next build and start',
    packages: NEXT,
    ...dev('next build && next start', { 'app/layout.jsx': reactLayout, 'app/page.jsx': reactPage }),
    ...env({ NEXT_TELEMETRY_DISABLED: '1' }),
  },
  { name: 'nuxt', app: 'nuxt', ...env({ NUXT_TELEMETRY_DISABLED: '1' }) },
  { name: 'astro 5', packages: 'astro@5', files: astroFiles, ...env({ ASTRO_TELEMETRY_DISABLED: '1' }) },
  {
    name: 'astro 6',
    packages: 'astro@6 node@22',
    files: astroFiles,
    ...env({ ASTRO_TELEMETRY_DISABLED: '1' }),
  },
  {
    name: 'astro 7',
    packages: 'astro@7 node@22',
    files: astroFiles,
    ...env({ ASTRO_TELEMETRY_DISABLED: '1' }),
  },
  { name: 'webpack-dev-server', app: 'webpack' },
  {
    name: 'rsbuild',
    packages: BUNDLERS,
    ...dev('rsbuild dev', {
      'rsbuild.config.mjs':
        "export default { source: { entry: { index: './src/index.js' } }, html: { template: './src/page.html' } }\n",
      'src/page.html': counterPage().replace(/<script>[^]*<\/script>/, ''),
      'src/index.js': COUNTER_SCRIPT,
    }),
  },
  {
    name: 'parcel',
    packages: BUNDLERS,
    ...dev('parcel src/index.html', {
      'src/index.html': counterPage('./main.js'),
      'src/main.js': COUNTER_SCRIPT,
    }),
    session: LONG,
  },
  {
    name: 'docusaurus',
    packages: '@docusaurus/core@3.10.2 @docusaurus/preset-classic@3.10.2 react@19 react-dom@19',
    files: {
      'package.json': JSON.stringify({ private: true, scripts: { start: 'docusaurus start --no-open' } }),
      'docusaurus.config.js':
        "module.exports = { title: 'Site', url: 'http://localhost', baseUrl: '/site/', presets: [['classic', { docs: { routeBasePath: '/' }, blog: false, theme: {} }]] }\n",
      'docs/intro.md': '---\nslug: /\n---\n# Intro\n\n[Next page](next.md)\n',
      'docs/next.md': '# Following\n\nsecond words\n',
    },
    command: 'npm start',
    session: LONG,
    path: '/site/',
    acts: [{ click: 'article a:has-text("Next page")' }],
    text: 'second words',
  },
  { name: 'sveltekit', app: 'sveltekit', session: LONG },
  {
    name: 'storybook',
    app: 'storybook',
    path: '/iframe.html?id=counter--primary&viewMode=story',
    ...env({ STORYBOOK_DISABLE_TELEMETRY: '1' }),
  },
  { name: 'angular', app: 'angular', ...env({ NG_CLI_ANALYTICS: 'false' }) },
  { name: 'json-server', app: 'json-server', ...NOTES },
  { name: 'concurrently', app: 'concurrently' },
  { name: 'turbo', app: 'turborepo', session: LONG, ...NOTES },
  { name: 'php', copied: 'php', command: 'php -S 127.0.0.1:5388', ...NOTES },
  {
    name: 'python http.server',
    files: { 'index.html': counterPage() },
    command: '/usr/bin/python3 -m http.server 5389',
  },
  { name: 'flask', copied: 'flask', command: 'python3 -m flask run --debug', ...NOTES },
  {
    name: 'django',
    copied: 'django',
    command: '/usr/bin/python3 manage.py migrate && /usr/bin/python3 manage.py runserver',
    ...NOTES,
  },
  {
    name: 'bun',
    packages: 'bun@1',
    ...dev('bun server.ts', {
      'server.ts':
        "const server = Bun.serve({ port: 5390, fetch: () => new Response(Bun.file('index.html')) })\nconsole.log(`Listening on ${server.url}`)\n",
      'index.html': counterPage(),
    }),
  },
]
