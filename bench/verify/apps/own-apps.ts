// Own small applications, one a stack.

import {
  angular,
  astro,
  type Files,
  next,
  type Stack,
  viteLit,
  vitePreact,
  viteReact,
  viteSolid,
  viteSvelte,
  viteVue,
  webpackReact,
  createRoot,
} from '../../stacks.ts'
import { angularFiles } from './angular-files.ts'
import { preactFiles, reactFiles, solidFiles } from './jsx-files.ts'
import { astroFiles, nextAppFiles, nextPagesFiles } from './server-files.ts'
import { domFiles, litFiles, plainFiles, svelteFiles, vueFiles } from './template-files.ts'

export interface App {
  readonly name: string
  /** The folder with `node_modules`, or what npm has to install. */
  readonly packages: Stack['packages'] | string
  /** What is copied first. */
  readonly folder?: string
  readonly files: Files
  readonly dev: string
}

const PLAIN_SERVER = `import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
createServer(async ({ url }, response) => {
  const { pathname } = new URL(url, 'http://x')
  const text = await readFile('.' + (pathname === '/' ? '/index.html' : pathname)).catch(() => undefined)
  response.setHeader('content-type', pathname.endsWith('.js') ? 'text/javascript' : 'text/html')
  response.statusCode = text ? 200 : 404
  response.end(text)
}).listen(process.env.PORT)
`

const litWithOptions: Files = {
  ...litFiles,
  'tsconfig.json': '{"compilerOptions":{"experimentalDecorators":true,"useDefineForClassFields":false}}',
}

/** esbuild comes with Vite. */
const bundled = (main: string, files: Files): Omit<App, 'name'> => ({
  packages: { vite: '^5', react: '^18', 'react-dom': '^18', '@vitejs/plugin-react': '^4' },
  files: { ...files, 'www/index.html': '<div id="root"></div><script src="/main.js"></script>\n' },
  dev: `npx esbuild ${main} --bundle --outdir=www --servedir=www --serve=127.0.0.1:$PORT`,
})

const PLUGIN = '@vitejs/plugin-react'
const SWC = '@vitejs/plugin-react-swc'

export const ownApps: readonly App[] = [
  { name: `React ^19, Vite ^7, ${PLUGIN}`, ...viteReact([PLUGIN, '^5'], '^19', '^7', reactFiles()) },
  { name: `React ^19, Vite ^8, ${PLUGIN}`, ...viteReact([PLUGIN, '^6'], '^19', '^8', reactFiles()) },
  { name: `React ^18, Vite ^5, ${SWC}`, ...viteReact([SWC, '^3'], '^18', '^5', reactFiles()) },
  { name: 'Vue 3, Vite ^8', ...viteVue('^6', '^8', vueFiles) },
  { name: 'Svelte 5, Vite ^8', ...viteSvelte('^5', '^7', '^8', svelteFiles) },
  { name: 'Solid, Vite ^7', ...viteSolid('^7', solidFiles) },
  { name: 'Preact, Vite ^8', ...vitePreact('^8', preactFiles) },
  { name: 'Lit, Vite ^7', ...viteLit('^7', litWithOptions, '<item-list></item-list>') },
  { name: 'Angular ^21', ...angular('^21', '~5.9', angularFiles) },
  { name: 'Astro ^6', ...astro('^6', astroFiles) },
  { name: 'Next ^15, app router', ...next('^15', '^19', nextAppFiles) },
  { name: 'Next ^16, app router', ...next('^16', '^19', nextAppFiles) },
  { name: 'Next ^14, pages', ...next('^14', '^18', nextPagesFiles) },
  {
    name: 'plain page with modules',
    packages: {},
    files: { ...plainFiles, 'server.mjs': PLAIN_SERVER },
    dev: 'node server.mjs',
  },
  { name: 'webpack, source-map', ...webpackReact('^10', 'source-map', reactFiles()) },
  { name: 'webpack, eval-source-map', ...webpackReact('^9', 'eval-source-map', reactFiles()) },
  { name: 'webpack, eval', ...webpackReact('^8', 'eval', reactFiles()) },
  {
    name: 'esbuild, React 18',
    ...bundled('src/main.tsx --sourcemap --jsx=automatic', { ...reactFiles(), 'src/main.tsx': createRoot }),
  },
  { name: 'esbuild, the DOM alone', ...bundled('src/main.ts --sourcemap=inline', domFiles) },
]
