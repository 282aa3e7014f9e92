// Applications of the frameworks, each with the same components.

import { astroSyntax, jsxSyntax, type Syntax } from './component-text.ts'

export interface Framework {
  readonly name: string
  /** Packages as name@version. */
  readonly packages: readonly string[]
  readonly syntax: Syntax
  /** The files beside the components. */
  readonly files: Readonly<Record<string, string>>
  /** Commands with `$PORT`: the dev server, and the production build with its server. */
  readonly dev: string
  readonly production: string
}

const VITE = 'vite@8.3.8'
const html = '<!doctype html>\n<div id="root"></div>\n<script type="module" src="/src/main.jsx"></script>\n'
const viteCommands = {
  dev: 'npx vite --port $PORT --strictPort',
  production: 'npx vite build && npx vite preview --port $PORT --strictPort',
}

const viteFiles = (plugin: string, main: string) => ({
  'index.html': html,
  'vite.config.js': `${plugin}\n`,
  'src/main.jsx': `import { C1 } from './c1.jsx'\n${main}\n`,
})

const preact = (version: string): Framework => ({
  name: `Preact ${version}`,
  packages: [VITE, `preact@${version}`, '@preact/preset-vite@2.10.6', '@babel/core@7'],
  syntax: jsxSyntax('class'),
  files: viteFiles(
    "import preact from '@preact/preset-vite'\nexport default { plugins: [preact()] }",
    "import { render } from 'preact'\nrender(<C1 />, document.getElementById('root'))",
  ),
  ...viteCommands,
})

const solid = (name: string, packages: readonly string[], plugins: string): Framework => ({
  name,
  packages: [VITE, 'solid-js@1.9.19', 'vite-plugin-solid@2.11.14', ...packages],
  syntax: jsxSyntax('class'),
  files: viteFiles(
    `import solid from 'vite-plugin-solid'\n${plugins}`,
    "import { render } from 'solid-js/web'\nrender(() => <C1 />, document.getElementById('root'))",
  ),
  ...viteCommands,
})

export const frameworks: readonly Framework[] = [
  {
    name: 'React 18',
    packages: [VITE, 'react@18.3.1', 'react-dom@18.3.1', '@vitejs/plugin-react@6.3.0'],
    syntax: jsxSyntax('className'),
    files: viteFiles(
      "import react from '@vitejs/plugin-react'\nexport default { plugins: [react()] }",
      "import { createRoot } from 'react-dom/client'\ncreateRoot(document.getElementById('root')).render(<C1 />)",
    ),
    ...viteCommands,
  },
  preact('10'),
  preact('11.2.0'),
  solid('Solid', [], 'export default { plugins: [solid()] }'),
  solid(
    'Solid with solid-devtools',
    ['solid-devtools@0.34.5'],
    "import devtools from 'solid-devtools/vite'\nexport default { plugins: [devtools({ autoname: true, locator: { targetIDE: 'vscode', componentLocation: true, jsxLocation: true } }), solid()] }",
  ),
  {
    name: 'Astro',
    packages: ['astro@5.9.4'],
    syntax: astroSyntax,
    files: {
      'astro.config.mjs': 'export default {}\n',
      'src/pages/index.astro': "---\nimport C1 from '../c1.astro'\n---\n<html><body><C1 /></body></html>\n",
    },
    dev: 'npx astro dev --port $PORT',
    production: 'npx astro build && npx astro preview --port $PORT',
  },
]
