// A small shop, written in five stacks that share the modules for data, prices and requests.

import { type stackNames } from './changes.ts'

type Files = Readonly<Record<string, string>>

export interface ShopStack {
  readonly name: (typeof stackNames)[number]
  /** The application of test/apps whose packages it runs with; a stack without packages has none. */
  readonly packages?: string
  readonly command: string
  readonly files: Files
}

const data = `export const products = [
  { id: 'milk', name: 'Milk', price: 1.25 },
  { id: 'oat', name: 'Oat Milk', price: 2.4 },
  { id: 'bread', name: 'Bread', price: 3.55 },
]
`

const prices = `export const TAX = 0.2

export const format = (value) => '€' + value.toFixed(2)

export const total = (items) => items.reduce((sum, { price }) => sum + price, 0) * (1 + TAX)

export const search = (products, text) => products.filter(({ name }) => name.startsWith(text))

export const sort = (products) => products.toSorted((a, b) => a.price - b.price)
`

const api = `const read = (path) => fetch(path).then((response) => response.json())

export const loadRate = () => read('/rates.json').then(({ usd }) => usd)

export const pay = () => read('/paid.json').then(({ message }) => message)
`

const cart = `import { products } from './data.js'

const ids = () => JSON.parse(localStorage.getItem('cart') ?? '[]')

export const readCart = () => ids().flatMap((id) => products.find((product) => product.id === id) ?? [])

export function addToCart(id) {
  localStorage.setItem('cart', JSON.stringify([...ids(), id]))
  return ids().length
}
`

const style = `body { font: 16px sans-serif; margin: 16px; color: #222 }
h1 { font-size: 28px }
.card { padding: 8px; border: 1px solid #ccc }
.total { width: 100%; color: #222 }
button { border-radius: 4px; padding: 6px }
`

const shared = (folder: string): Files => ({
  [`${folder}/data.js`]: data,
  [`${folder}/prices.js`]: prices,
  [`${folder}/api.js`]: api,
  [`${folder}/cart.js`]: cart,
  [`${folder}/style.css`]: style,
})

const answers: Files = { 'rates.json': '{"usd":1.1}', 'paid.json': '{"message":"Paid"}' }
const answersIn = (folder: string): Files =>
  Object.fromEntries(Object.entries(answers).map(([name, text]) => [`${folder}/${name}`, text]))

const document = (root: string, script: string) => `<!doctype html>
<html lang="en">
<title>Shop</title>
<meta name="viewport" content="width=device-width">
<body>
<div id="${root}"></div>
<script type="module" src="${script}"></script>
</body>
</html>
`

const react: ShopStack = {
  name: 'React',
  packages: 'vite-react',
  command: 'npx vite --port $PORT --strictPort',
  files: {
    ...shared('src'),
    ...answersIn('public'),
    'index.html': document('root', '/src/main.jsx'),
    'src/main.jsx': `import { createRoot } from 'react-dom/client'
import { Cart } from './cart-page.jsx'
import { List } from './list-page.jsx'
import './style.css'

createRoot(document.getElementById('root')).render(location.pathname === '/cart' ? <Cart /> : <List />)
`,
    'src/list-page.jsx': `import { useState } from 'react'
import { addToCart, readCart } from './cart.js'
import { products } from './data.js'
import { format, search, sort } from './prices.js'

export function List() {
  const [text, setText] = useState('')
  const [count, setCount] = useState(readCart().length)
  return (
    <main>
      <h1>Fresh products</h1>
      <input
        aria-label="Search"
        placeholder="Type a name"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <ul>
        {sort(search(products, text)).map(({ id, name, price }) => (
          <li key={id} className="card">
            <span>{name} {format(price)}</span>
            <button onClick={() => setCount(addToCart(id))}>Add {name}</button>
          </li>
        ))}
      </ul>
      <p>{count} in the cart</p>
    </main>
  )
}
`,
    'src/cart-page.jsx': `import { useEffect, useState } from 'react'
import { loadRate, pay } from './api.js'
import { readCart } from './cart.js'
import { format, total } from './prices.js'

export function Cart() {
  const items = readCart()
  const [rate, setRate] = useState()
  const [message, setMessage] = useState('')
  useEffect(() => void loadRate().then(setRate), [])
  return (
    <main>
      <h1>Your cart</h1>
      <ul>
        {items.map(({ id, name, price }) => (
          <li key={id} className="card">{name} {format(price)}</li>
        ))}
      </ul>
      <p className="total">Total {format(total(items))}</p>
      {rate && <p>In dollars {(total(items) * rate).toFixed(3)}</p>}
      <label><input type="checkbox" /> Gift wrap</label>
      <button onClick={() => pay().then(setMessage)}>Pay</button>
      <p role="status">{message}</p>
    </main>
  )
}
`,
  },
}

const vue: ShopStack = {
  name: 'Vue',
  packages: 'vite-vue',
  command: 'npx vite --port $PORT --strictPort',
  files: {
    ...shared('src'),
    ...answersIn('public'),
    'index.html': document('app', '/src/main.js'),
    'src/main.js': `import { createApp } from 'vue'
import Cart from './cart-page.vue'
import List from './list-page.vue'
import './style.css'

createApp(location.pathname === '/cart' ? Cart : List).mount('#app')
`,
    'src/list-page.vue': `<script setup>
import { computed, ref } from 'vue'
import { addToCart, readCart } from './cart.js'
import { products } from './data.js'
import { format, search, sort } from './prices.js'

const text = ref('')
const count = ref(readCart().length)
const found = computed(() => sort(search(products, text.value)))
</script>

<template>
  <main>
    <h1>Fresh products</h1>
    <input v-model="text" aria-label="Search" placeholder="Type a name" />
    <ul>
      <li v-for="{ id, name, price } in found" :key="id" class="card">
        <span>{{ name }} {{ format(price) }}</span>
        <button @click="count = addToCart(id)">Add {{ name }}</button>
      </li>
    </ul>
    <p>{{ count }} in the cart</p>
  </main>
</template>
`,
    'src/cart-page.vue': `<script setup>
import { onMounted, ref } from 'vue'
import { loadRate, pay } from './api.js'
import { readCart } from './cart.js'
import { format, total } from './prices.js'

const items = readCart()
const rate = ref()
const message = ref('')
onMounted(async () => (rate.value = await loadRate()))
const order = async () => (message.value = await pay())
</script>

<template>
  <main>
    <h1>Your cart</h1>
    <ul>
      <li v-for="{ id, name, price } in items" :key="id" class="card">{{ name }} {{ format(price) }}</li>
    </ul>
    <p class="total">Total {{ format(total(items)) }}</p>
    <p v-if="rate">In dollars {{ (total(items) * rate).toFixed(3) }}</p>
    <label><input type="checkbox" /> Gift wrap</label>
    <button @click="order">Pay</button>
    <p role="status">{{ message }}</p>
  </main>
</template>
`,
  },
}

const svelte: ShopStack = {
  name: 'Svelte',
  packages: 'vite-svelte',
  command: 'npx vite --port $PORT --strictPort',
  files: {
    ...shared('src'),
    ...answersIn('public'),
    'index.html': document('app', '/src/main.js'),
    'src/main.js': `import { mount } from 'svelte'
import Cart from './cart-page.svelte'
import List from './list-page.svelte'
import './style.css'

mount(location.pathname === '/cart' ? Cart : List, { target: document.getElementById('app') })
`,
    'src/list-page.svelte': `<script>
  import { addToCart, readCart } from './cart.js'
  import { products } from './data.js'
  import { format, search, sort } from './prices.js'

  let text = $state('')
  let count = $state(readCart().length)
</script>

<main>
  <h1>Fresh products</h1>
  <input bind:value={text} aria-label="Search" placeholder="Type a name" />
  <ul>
    {#each sort(search(products, text)) as { id, name, price } (id)}
      <li class="card">
        <span>{name} {format(price)}</span>
        <button onclick={() => (count = addToCart(id))}>Add {name}</button>
      </li>
    {/each}
  </ul>
  <p>{count} in the cart</p>
</main>
`,
    'src/cart-page.svelte': `<script>
  import { loadRate, pay } from './api.js'
  import { readCart } from './cart.js'
  import { format, total } from './prices.js'

  const items = readCart()
  let rate = $state()
  let message = $state('')
  loadRate().then((loaded) => (rate = loaded))
</script>

<main>
  <h1>Your cart</h1>
  <ul>
    {#each items as { id, name, price } (id)}
      <li class="card">{name} {format(price)}</li>
    {/each}
  </ul>
  <p class="total">Total {format(total(items))}</p>
  {#if rate}<p>In dollars {(total(items) * rate).toFixed(3)}</p>{/if}
  <label><input type="checkbox" /> Gift wrap</label>
  <button onclick={() => pay().then((answer) => (message = answer))}>Pay</button>
  <p role="status">{message}</p>
</main>
`,
  },
}

const elements = `export function element(name, fields = {}, ...children) {
  const made = Object.assign(document.createElement(name), fields)
  made.append(...children)
  return made
}
`

const listPage = `import { addToCart, readCart } from './cart.js'
import { products } from './data.js'
import { element } from './element.js'
import { format, search, sort } from './prices.js'

export function list() {
  const count = element('p', {}, readCart().length + ' in the cart')
  const rows = element('ul')
  const field = element('input', { ariaLabel: 'Search', placeholder: 'Type a name' })
  const show = () => rows.replaceChildren(...sort(search(products, field.value)).map(row))
  const row = ({ id, name, price }) => {
    const button = element('button', {}, 'Add ' + name)
    button.onclick = () => count.replaceChildren(addToCart(id) + ' in the cart')
    return element('li', { className: 'card' }, element('span', {}, name + ' ' + format(price)), button)
  }
  field.oninput = show
  show()
  return element('main', {}, element('h1', {}, 'Fresh products'), field, rows, count)
}
`

const cartPage = `import { loadRate, pay } from './api.js'
import { readCart } from './cart.js'
import { element } from './element.js'
import { format, total } from './prices.js'

export function cart() {
  const items = readCart()
  const dollars = element('p')
  const status = element('p', { role: 'status' })
  const button = element('button', {}, 'Pay')
  button.onclick = () => pay().then((message) => status.replaceChildren(message))
  loadRate().then((rate) => dollars.replaceChildren('In dollars ' + (total(items) * rate).toFixed(3)))
  return element(
    'main',
    {},
    element('h1', {}, 'Your cart'),
    element('ul', {}, ...items.map(({ name, price }) => element('li', { className: 'card' }, name + ' ' + format(price)))),
    element('p', { className: 'total' }, 'Total ' + format(total(items))),
    dollars,
    element('label', {}, element('input', { type: 'checkbox' }), ' Gift wrap'),
    button,
    status,
  )
}
`

const mainModule = `import { cart } from './cart-page.js'
import { list } from './list-page.js'

document.body.append(location.pathname === '/cart' ? cart() : list())
`

const webpack: ShopStack = {
  name: 'webpack',
  packages: 'webpack',
  command: 'npx webpack serve --port $PORT',
  files: {
    ...shared('src'),
    ...answersIn('public'),
    'webpack.config.js': `const HtmlWebpackPlugin = require('html-webpack-plugin')

module.exports = {
  mode: 'development',
  devServer: { historyApiFallback: true },
  plugins: [new HtmlWebpackPlugin({ template: 'index.html', publicPath: '/' })],
}
`,
    'index.html': `<!doctype html>
<html lang="en">
<title>Shop</title>
<meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/style.css">
<body></body>
</html>
`,
    'public/style.css': style,
    'src/index.js': mainModule,
    'src/element.js': elements,
    'src/list-page.js': listPage,
    'src/cart-page.js': cartPage,
  },
}

const modules: ShopStack = {
  name: 'modules',
  command: 'node server.js',
  files: {
    ...shared('public'),
    ...answersIn('public'),
    'server.js': `const { createServer } = require('http')
const { readFileSync } = require('fs')
createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://x')
  const file = pathname === '/' || pathname === '/cart' ? '/index.html' : pathname
  const types = { css: 'text/css', js: 'text/javascript', json: 'application/json' }
  try {
    const text = readFileSync(__dirname + '/public' + file)
    response.setHeader('content-type', types[file.split('.').pop()] || 'text/html')
    response.end(text)
  } catch {
    response.statusCode = 404
    response.end('not found')
  }
}).listen(process.env.PORT, () => console.log('http://localhost:' + process.env.PORT))
`,
    'public/index.html': `<!doctype html>
<html lang="en">
<title>Shop</title>
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
<body>
<script type="module" src="/main.js"></script>
</body>
</html>
`,
    'public/main.js': mainModule,
    'public/element.js': elements,
    'public/list-page.js': listPage,
    'public/cart-page.js': cartPage,
  },
}

export const stacks: readonly ShopStack[] = [react, vue, svelte, webpack, modules]

/** What is done in both versions: the first steps on the list, the others in the cart. */
export const flow = `import { expect, test } from '@playwright/test';

test('order', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Add Milk' }).click();
  await page.getByRole('button', { name: 'Add Bread' }).click();
  await page.getByLabel('Search').fill('Mi');
  await page.goto('/cart');
  await page.getByLabel('Gift wrap').check();
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.getByText('Paid')).toBeVisible();
});
`
export const CART_STEP = 5
