// Applications that empty their page: each in the way of its library, with the file whose line is wrong.

export interface BlankWay {
  readonly name: string
  /** Other versions than `VITE_PACKAGES` has. */
  readonly packages?: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, string>>
  /** The button that empties the page; without one the file is edited and the page loaded again. */
  readonly click?: string
  readonly edit?: { readonly file: string; readonly append: string }
  /** The file that the answer must name; none where no error says it. */
  readonly guilty?: string
}

const html = (main: string) =>
  `<!doctype html>\n<title>App</title>\n<div id="root"></div>\n<script type="module" src="/src/${main}"></script>\n`
const config = (name: string, path: string) =>
  `import plugin from '${path}'\nexport default { plugins: [${name}] }\n`
const lib = `export function labelOf(item) {
  return item.label.trim()
}
`
const reactMain = `import { createRoot } from 'react-dom/client'
import App from './app.jsx'
createRoot(document.getElementById('root')).render(<App />)
`
const jsxApp = (head: string, inside: string, state = 'useState') => `${head}
import Form from './form.jsx'
export default function App() {
  const [isOpen, setOpen] = ${state}(false)
  if (isOpen) return <Form item={undefined} />
  return (
    <main>
      <h1>App</h1>
      ${inside}
      <button id="go" ONCLICK={() => setOpen(true)}>Go</button>
    </main>
  )
}
`
const react = (form: string) => ({
  'vite.config.js': config('plugin()', '@vitejs/plugin-react'),
  'index.html': html('main.jsx'),
  'src/main.jsx': reactMain,
  'src/lib.js': lib,
  'src/form.jsx': form,
  'src/app.jsx': jsxApp("import { useState } from 'react'", '<p>Text</p>').replace('ONCLICK', 'onClick'),
})
const plain = (main: string) => ({
  'vite.config.js': 'export default {}\n',
  'index.html': html('main.js'),
  'src/main.js': main,
  'src/lib.js': lib,
})
const vueFiles = {
  'vite.config.js': config('plugin()', '@vitejs/plugin-vue'),
  'index.html': html('main.js'),
  'src/main.js':
    "import { createApp } from 'vue'\nimport App from './App.vue'\ncreateApp(App).mount('#root')\n",
  'src/lib.js': lib,
  'src/Form.vue': `<script setup>
import { labelOf } from './lib.js'
defineProps(['item'])
</script>
<template>
  <p>{{ labelOf(item) }}</p>
</template>
`,
  'src/App.vue': `<script setup>
import { ref } from 'vue'
import Form from './Form.vue'
const isOpen = ref(false)
</script>
<template>
  <Form v-if="isOpen" />
  <main v-else><h1>App</h1><button id="go" @click="isOpen = true">Go</button></main>
</template>
`,
}
const svelteFiles = {
  'vite.config.js':
    "import { svelte } from '@sveltejs/vite-plugin-svelte'\nexport default { plugins: [svelte()] }\n",
  'index.html': html('main.js'),
  'src/main.js':
    "import { mount } from 'svelte'\nimport App from './App.svelte'\nmount(App, { target: document.getElementById('root') })\n",
  'src/lib.js': lib,
  'src/Form.svelte': `<script>
  import { onMount } from 'svelte'
  import { labelOf } from './lib.js'
  let { item } = $props()
  let label = $state('')
  onMount(() => {
    label = labelOf(item)
  })
</script>
<p>{label}</p>
`,
  'src/App.svelte': `<script>
  import Form from './Form.svelte'
  let isOpen = $state(false)
</script>
{#if isOpen}
  <Form />
{:else}
  <main><h1>App</h1><button id="go" onclick={() => (isOpen = true)}>Go</button></main>
{/if}
`,
}
const solidFiles = {
  'vite.config.js': config('plugin()', 'vite-plugin-solid'),
  'index.html': html('main.jsx'),
  'src/main.jsx':
    "import { render } from 'solid-js/web'\nimport App from './app.jsx'\nrender(() => <App />, document.getElementById('root'))\n",
  'src/lib.js': lib,
  'src/form.jsx': `import { createSignal, onMount } from 'solid-js'
import { labelOf } from './lib.js'
export default function Form(props) {
  const [label, setLabel] = createSignal('')
  onMount(() => setLabel(labelOf(props.item)))
  return <p>{label()}</p>
}
`,
  'src/app.jsx': `import { createSignal, Show } from 'solid-js'
import Form from './form.jsx'
export default function App() {
  const [isOpen, setOpen] = createSignal(false)
  return (
    <Show when={!isOpen()} fallback={<Form />}>
      <main><h1>App</h1><button id="go" onClick={() => setOpen(true)}>Go</button></main>
    </Show>
  )
}
`,
}
const preactFiles = {
  'vite.config.js': config('plugin()', '@preact/preset-vite'),
  'index.html': html('main.jsx'),
  'src/main.jsx':
    "import { render } from 'preact'\nimport App from './app.jsx'\nrender(<App />, document.getElementById('root'))\n",
  'src/lib.js': lib,
  'src/form.jsx':
    "import { useLayoutEffect } from 'preact/hooks'\nimport { labelOf } from './lib.js'\nexport default function Form({ item }) {\n  useLayoutEffect(() => {\n    labelOf(item)\n  })\n  return <p></p>\n}\n",
  'src/app.jsx': jsxApp("import { useState } from 'preact/hooks'", '<p>Text</p>').replace(
    'ONCLICK',
    'onClick',
  ),
}
const litFiles = {
  ...plain(`import { html, LitElement } from 'lit'
import './form.js'
class MyApp extends LitElement {
  static properties = { isOpen: { state: true } }
  render() {
    return this.isOpen
      ? html\`<my-form></my-form>\`
      : html\`<main><h1>App</h1><button id="go" @click=\${() => (this.isOpen = true)}>Go</button></main>\`
  }
}
customElements.define('my-app', MyApp)
document.getElementById('root').append(document.createElement('my-app'))
`),
  'src/form.js': `import { html, LitElement } from 'lit'
import { labelOf } from './lib.js'
class MyForm extends LitElement {
  render() {
    return html\`<p>\${labelOf(this.item)}</p>\`
  }
}
customElements.define('my-form', MyForm)
`,
}
const draw = `const root = document.getElementById('root')
root.innerHTML = '<main><h1>App</h1><p>Text</p><button id="go">Go</button></main>'
`
const routerFiles = {
  ...react(''),
  'src/form.jsx': 'export default () => null\n',
  'src/app.jsx': `import { BrowserRouter, Link, Route, Routes } from 'react-router-dom'
export default function App() {
  return (
    <BrowserRouter>
      <Routes>
        <Route path="/" element={<main><h1>App</h1><Link id="go" to="/nowhere">Go</Link></main>} />
      </Routes>
    </BrowserRouter>
  )
}
`,
}

/** The error is in what the application has from elsewhere, which its form uses wrongly. */
const wrapped = {
  ...react(`import { useState } from 'react'
import { Select } from './ui/select.jsx'
export default function Form() {
  const [value] = useState('')
  return <Select value={value} />
}
`),
  'src/ui/select.jsx': `export function Select({ value }) {
  if (value === '') {
    throw new Error('A Select must have a value')
  }
  return <select value={value} />
}
`,
}

export const blankWays: readonly BlankWay[] = [
  {
    name: 'React, error in a component of a library',
    files: wrapped,
    click: '#go',
    // React 19 tells no place of the components above.
    guilty: 'src/ui/select.jsx:3',
  },
  {
    name: 'React 18, error in a component of a library',
    packages: { react: '^18', 'react-dom': '^18' },
    files: wrapped,
    click: '#go',
    // React 18 tells where the component above begins.
    guilty: 'src/form.jsx:4',
  },
  {
    name: 'React, error in a render',
    files: react(
      "import { labelOf } from './lib.js'\nexport default function Form({ item }) {\n  return <p>{labelOf(item)}</p>\n}\n",
    ),
    click: '#go',
    guilty: 'src/form.jsx:3',
  },
  {
    name: 'React, error in an effect',
    files: react(
      "import { useEffect } from 'react'\nimport { labelOf } from './lib.js'\nexport default function Form({ item }) {\n  useEffect(() => {\n    labelOf(item)\n  })\n  return <p>Form</p>\n}\n",
    ),
    click: '#go',
    guilty: 'src/form.jsx:5',
  },
  { name: 'Vue, error in a template', files: vueFiles, click: '#go', guilty: 'src/Form.vue:6' },
  { name: 'Svelte, error in onMount', files: svelteFiles, click: '#go', guilty: 'src/Form.svelte:7' },
  { name: 'Solid, error in onMount', files: solidFiles, click: '#go', guilty: 'src/form.jsx:5' },
  { name: 'Preact, error in a layout effect', files: preactFiles, click: '#go', guilty: 'src/form.jsx:5' },
  { name: 'Lit, error in a render', files: litFiles, click: '#go', guilty: 'src/form.js:5' },
  {
    name: "document.body.innerHTML = ''",
    files: plain(`${draw}document.getElementById('go').onclick = () => (document.body.innerHTML = '')\n`),
    click: '#go',
  },
  { name: 'React Router, no match', files: routerFiles, click: '#go' },
  {
    name: 'a module that throws at a reload',
    files: plain(`import { labelOf } from './lib.js'\nlabelOf({ label: 'x' })\n${draw}`),
    edit: { file: 'src/lib.js', append: 'labelOf({})\n' },
    guilty: 'src/lib.js:4',
  },
]
