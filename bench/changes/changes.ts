// Twenty changes of the shop that a user notices, each in five stacks.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const stackNames = ['React', 'Vue', 'Svelte', 'webpack', 'modules'] as const

export interface SeededChange {
  readonly kind: 'style' | 'text' | 'logic' | 'data' | 'handler' | 'request' | '320 px'
  /** The first file that the application has of these. */
  readonly files: readonly string[]
  /** The first text that the file has of these, and what is put in its place. */
  readonly edits: readonly (readonly [before: string, after: string])[]
  /** Where a user can notice it. */
  readonly page: 'list' | 'cart' | 'both'
}

const style = ['public/style.css', 'src/style.css']
const inFolders = (name: string) => [`src/${name}`, `public/${name}`]
const page = (name: string) =>
  ['jsx', 'vue', 'svelte', 'js'].flatMap((type) => inFolders(`${name}-page.${type}`))

const edit = (
  kind: SeededChange['kind'],
  where: SeededChange['page'],
  files: readonly string[],
  ...edits: readonly (readonly [string, string])[]
): SeededChange => ({ kind, page: where, files, edits })

export const changes: readonly SeededChange[] = [
  edit('style', 'cart', style, ['width: 100%; color: #222', 'width: 100%; color: #a00']),
  edit('style', 'both', style, ['font-size: 28px', 'font-size: 30px']),
  edit('style', 'both', style, ['padding: 8px; border', 'padding: 10px; border']),
  edit('style', 'both', style, ['border-radius: 4px', 'border-radius: 12px']),
  edit('text', 'list', page('list'), ['Fresh products', 'Fresh food']),
  edit('text', 'cart', page('cart'), ['Your cart', 'Your basket']),
  edit('text', 'list', page('list'), ['Type a name', 'What is it called?']),
  edit('text', 'both', ['index.html', 'public/index.html'], ['<title>Shop', '<title>Store']),
  edit('logic', 'cart', inFolders('prices.js'), ['TAX = 0.2', 'TAX = 0.25']),
  edit('logic', 'both', inFolders('prices.js'), ['toFixed(2)', 'toFixed(1)']),
  edit('logic', 'list', inFolders('prices.js'), ['startsWith', 'includes']),
  edit('logic', 'list', inFolders('prices.js'), ['a.price - b.price', 'b.price - a.price']),
  edit('data', 'both', inFolders('data.js'), ['price: 1.25', 'price: 1.5']),
  edit('data', 'both', inFolders('data.js'), ["'Bread', price", "'Bread roll', price"]),
  edit('data', 'list', inFolders('data.js'), ["  { id: 'oat', name: 'Oat Milk', price: 2.4 },\n", '']),
  edit(
    'handler',
    'both',
    page('list'),
    ['<button onClick={() => setCount(addToCart(id))}>', '<button>'],
    ['<button @click="count = addToCart(id)">', '<button>'],
    ['<button onclick={() => (count = addToCart(id))}>', '<button>'],
    ["    button.onclick = () => count.replaceChildren(addToCart(id) + ' in the cart')\n", ''],
  ),
  edit(
    'handler',
    'cart',
    page('cart'),
    ['<button onClick={() => pay().then(setMessage)}>', '<button>'],
    ['<button @click="order">', '<button>'],
    ['<button onclick={() => pay().then((answer) => (message = answer))}>', '<button>'],
    ['  button.onclick = () => pay().then((message) => status.replaceChildren(message))\n', ''],
  ),
  edit('request', 'cart', inFolders('api.js'), ['/rates.json', '/rate.json']),
  edit('request', 'cart', inFolders('api.js'), ['/paid.json', '/pay.json']),
  edit('320 px', 'cart', style, ['.total { width: 100%', '.total { width: 420px']),
]

/** Makes the change in an application, and returns the file that it has changed. */
export function seedChange(app: string, { files, edits }: SeededChange): string {
  for (const file of files) {
    const text = readIfExists(join(app, file))
    const found = edits.find(([before]) => text?.includes(before))
    if (text === undefined || !found) continue
    writeFileSync(join(app, file), text.replace(found[0], found[1]))
    return file
  }
  throw new Error(`bench: no file has ${edits[0]?.[0]}`)
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
