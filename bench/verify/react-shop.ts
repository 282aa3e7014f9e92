// The same with Vite and React: what the benchmark of claims and that of edits do in an application that puts edits into the open page.

import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '../../test/support/small-shop.ts'
import { installPackages } from '../install-packages.ts'
import { write } from './shop.ts'

const files: Readonly<Record<string, string>> = {
  'package.json': '{ "private": true, "type": "module" }\n',
  'vite.config.js': `import react from '@vitejs/plugin-react'

export default { plugins: [react()], server: { host: 'localhost', port: Number(process.env.PORT), strictPort: true } }
`,
  'index.html': `<!doctype html>
<title>Shop</title>
<div id="root"></div>
<script type="module" src="/src/main.jsx"></script>
`,
  'src/main.jsx': `import { createRoot } from 'react-dom/client'
import { Shop } from './shop.jsx'
import './style.css'

createRoot(document.getElementById('root')).render(<Shop />)
`,
  'src/shop.jsx': `import { useState } from 'react'
import { Cart } from './cart.jsx'
import { load } from './load.js'

export function Shop() {
  const [count, setCount] = useState(0)
  const [status, setStatus] = useState('Ready')
  const stock = async () => {
    try {
      const { name } = await load(count)
      setStatus(name)
    } catch (error) {
      setStatus('Failed: ' + error.message)
    }
  }
  return (
    <main>
      <h1>Milk shop</h1>
      <button id="add" onClick={() => setCount(count + 1)}>
        Add
      </button>
      <button id="stock" onClick={stock}>
        Stock
      </button>
      <button id="other" onClick={() => setStatus('Other')}>
        Other
      </button>
      <p id="status">{status}</p>
      <Cart count={count} />
    </main>
  )
}
`,
  'src/cart.jsx': `export function Cart({ count }) {
  if (count > 1) {
    return <p className="many">{count} items</p>
  }
  return <p className="few">{count === 1 ? 'One item' : 'No item'}</p>
}
`,
  'src/load.js': `export async function load(count) {
  if (count > 1) {
    throw new Error('too many')
  }
  const answer = await fetch('/data.json')
  return answer.json()
}
`,
  'src/style.css': `.few { color: #333 }
.many { color: #222 }
`,
  'public/data.json': '{ "name": "Milk" }\n',
  '.gitignore': 'node_modules\n',
}

export const reactCommand = ['node', 'node_modules/vite/bin/vite.js']

/** Writes the application with its packages into a folder, with one commit on `main`. */
export function createReactApplication(folder: string): void {
  const packages = { vite: '^7', react: '^19', 'react-dom': '^19', '@vitejs/plugin-react': '^5' }
  const installed = installPackages('footlight-source-lines', packages)
  for (const [path, text] of Object.entries(files)) write(folder, path, text)
  symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'))
  git(folder, 'init', '--quiet', '--initial-branch=main')
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message=shop')
}
