// Twelve stacks, each in three versions of its plugin, with the page of the benchmark.

import {
  angular,
  astro,
  next,
  type Stack as Application,
  vitePreact,
  viteReact,
  viteSolid,
  viteSvelte,
  viteVue,
  webpackReact,
} from '../stacks.ts'
import { angularFiles } from './angular-files.ts'
import { astroFiles, jsxFiles, svelteFiles, vueFiles } from './templates.ts'

interface Version extends Application {
  readonly name: string
}

export interface Stack {
  readonly name: string
  readonly versions: readonly Version[]
}

const reactImport = "import React from 'react'\n"
const reactFiles = jsxFiles({ children: 'any' })
const classicFiles = jsxFiles({ before: reactImport, children: 'any' })
const oldRender = `${reactImport}import ReactDOM from 'react-dom'
import { App } from './App'

ReactDOM.render(<App />, document.querySelector('#root'))
`
const nextFiles = {
  ...jsxFiles({ before: "'use client'\n\n", children: 'any' }),
  'app/page.tsx':
    "import { App } from '../src/App'\n\nexport default function Page() {\n  return <App />\n}\n",
  'app/layout.tsx':
    'export default function Layout({ children }: { children: any }) {\n  return <html><body>{children}</body></html>\n}\n',
}
const solidFiles = {
  ...reactFiles,
  // A tag in a variable is a component of Solid.
  'src/styled.tsx': `import { Dynamic } from 'solid-js/web'
import { made } from './at'

export const styled = (tag: string, name: string) => (props: Record<string, unknown>) => (
  <Dynamic component={tag} {...made('wrapped')} data-style={name} {...props} />
)
`,
}

const PLUGIN = '@vitejs/plugin-react'
const SWC = '@vitejs/plugin-react-swc'

const react = (plugin: string, range: string, vite: string, version: string): Version => ({
  name: `${plugin} ${range}, Vite ${vite}`,
  ...viteReact([plugin, range], version, vite, reactFiles),
})
const react17 = (vite: string, range: string): Version => ({
  name: `${PLUGIN} ${range}, Vite ${vite}, classic`,
  ...viteReact([PLUGIN, range], '^17', vite, classicFiles, {
    main: oldRender,
    options: "{ jsxRuntime: 'classic' }",
  }),
})
const webpack = (loader: string, devtool: string): Version => ({
  name: `babel-loader ${loader}, ${devtool}`,
  ...webpackReact(loader, devtool, reactFiles),
})
const svelte = (version: string, range: string, vite: string): Version => ({
  name: `Svelte ${version}, plugin ${range}, Vite ${vite}`,
  ...viteSvelte(version, range, vite, svelteFiles),
})

export const stacks: readonly Stack[] = [
  { name: 'React 17', versions: [react17('^4', '^3'), react17('^5', '^4'), react17('^7', '^5')] },
  {
    name: 'React 18',
    versions: [
      react(PLUGIN, '^4', '^5', '^18'),
      react(PLUGIN, '^5', '^7', '^18'),
      react(PLUGIN, '^6', '^8', '^18'),
    ],
  },
  {
    name: 'React 19',
    versions: [
      react(PLUGIN, '^4', '^5', '^19'),
      react(PLUGIN, '^5', '^7', '^19'),
      react(PLUGIN, '^6', '^8', '^19'),
    ],
  },
  {
    name: 'React 18, SWC',
    versions: [react(SWC, '^3', '^5', '^18'), react(SWC, '^4', '^7', '^18'), react(SWC, '^4', '^8', '^18')],
  },
  {
    name: 'React 18, webpack',
    versions: [webpack('^8', 'eval'), webpack('^9', 'eval-source-map'), webpack('^10', 'source-map')],
  },
  {
    name: 'Next',
    versions: [
      { name: 'Next ^14', ...next('^14', '^18', nextFiles) },
      { name: 'Next ^15', ...next('^15', '^19', nextFiles) },
      { name: 'Next ^16', ...next('^16', '^19', nextFiles) },
    ],
  },
  {
    name: 'Vue 3',
    versions: [
      { name: '@vitejs/plugin-vue ^4, Vite ^4', ...viteVue('^4', '^4', vueFiles) },
      { name: '@vitejs/plugin-vue ^5, Vite ^5', ...viteVue('^5', '^5', vueFiles) },
      { name: '@vitejs/plugin-vue ^6, Vite ^8', ...viteVue('^6', '^8', vueFiles) },
    ],
  },
  {
    name: 'Svelte',
    versions: [svelte('^3', '^2', '^4'), svelte('^4', '^3', '^5'), svelte('^5', '^7', '^8')],
  },
  {
    name: 'Preact',
    versions: ['^5', '^7', '^8'].map((vite) => ({
      name: `@preact/preset-vite ^2, Vite ${vite}`,
      ...vitePreact(vite, reactFiles),
    })),
  },
  {
    name: 'Solid',
    versions: ['^5', '^6', '^7'].map((vite) => ({
      name: `vite-plugin-solid ^2 with solid-devtools, Vite ${vite}`,
      ...viteSolid(vite, solidFiles, { hasDevtools: true }),
    })),
  },
  {
    name: 'Astro',
    versions: ['^5', '^6', '^7'].map((range) => ({ name: `Astro ${range}`, ...astro(range, astroFiles) })),
  },
  {
    name: 'Angular',
    versions: [
      { name: 'Angular ^20', ...angular('^20', '~5.9', angularFiles) },
      { name: 'Angular ^21', ...angular('^21', '~5.9', angularFiles) },
      { name: 'Angular ^22', ...angular('^22', '~6.0', angularFiles) },
    ],
  },
]
