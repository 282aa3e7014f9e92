// A small application in a git repository for the benchmarks of `verify`: modules, a form, an async action, a catch, a server with routes, styles.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { git } from '../../test/support/small-shop.ts'

const files: Readonly<Record<string, string>> = {
  'server.js': `const { createServer } = require('http')
const { readFileSync } = require('fs')
const routes = require('./routes.js')

const types = { css: 'text/css', js: 'text/javascript', json: 'application/json' }

createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://x')
  const route = routes[pathname]
  if (route) {
    response.setHeader('content-type', 'application/json')
    return response.end(JSON.stringify(route(request)))
  }
  const file = pathname === '/' ? '/index.html' : pathname === '/cart' ? '/cart.html' : pathname
  try {
    const text = readFileSync(__dirname + '/public' + file, 'utf8')
    response.setHeader('content-type', types[file.split('.').pop()] || 'text/html')
    response.end(text)
  } catch {
    response.statusCode = 404
    response.end('not found')
  }
}).listen(process.env.PORT, () => console.log('http://localhost:' + process.env.PORT))
`,
  'routes.js': `let orders = 0

function price() {
  return { price: 5 }
}

function order() {
  orders += 1
  return { id: orders }
}

function stock() {
  return { left: 7 }
}

module.exports = { '/api/price': price, '/api/order': order, '/api/stock': stock }
`,
  'public/index.html': `<!doctype html><title>Shop</title><link rel="stylesheet" href="/style.css">
<h1>Milk shop</h1>
<p class="lead">Fresh every day</p>
<button id="add">Add</button> <button id="remove">Remove</button>
<button id="stock">Stock</button> <button id="never">Never</button> <button id="other">Other</button>
<p id="count">0 items</p>
<form id="order"><input id="name" aria-label="Name"><button id="send">Order</button></form>
<p id="status">Ready</p>
<a href="/cart">Cart</a>
<script type="module" src="/app.js"></script>
`,
  'public/cart.html': `<!doctype html><title>Cart</title><link rel="stylesheet" href="/style.css">
<h1>Cart</h1>
<p id="price">Loading</p>
<p class="total">Total</p>
<script type="module" src="/cart.js"></script>
`,
  'public/app.js': `import { send } from './orders.js'
import { flags } from './flags.js'
import { format, plural } from './format.js'

let count = 0

const show = (selector, text) => {
  document.querySelector(selector).textContent = text
}

function add() {
  count += 1
  show('#count', plural(count, 'item'))
}

function remove() {
  if (count > 0) {
    count -= 1
  }
  show('#count', plural(count, 'item'))
}

async function submit(event) {
  event.preventDefault()
  try {
    const { id } = await send(document.querySelector('#name').value)
    show('#status', 'Order ' + format(id))
  } catch (error) {
    show('#status', 'Failed: ' + error.message)
  }
}

async function stock() {
  const answer = await fetch('/api/stock')
  const { left } = await answer.json()
  show('#status', left + ' left')
}

function other() {
  show('#status', flags.sale ? 'Sale' : 'No sale')
}

document.querySelector('#add').addEventListener('click', add)
document.querySelector('#remove').addEventListener('click', remove)
document.querySelector('#order').addEventListener('submit', submit)
document.querySelector('#stock').addEventListener('click', stock)
document.querySelector('#other').addEventListener('click', other)
`,
  'public/orders.js': `export async function send(name) {
  if (name === '') {
    throw new Error('no name')
  }
  const answer = await fetch('/api/order', { method: 'POST' })
  return answer.json()
}
`,
  'public/flags.js': `export const flags = { sale: false }
`,
  'public/format.js': `export const format = (value) => '#' + value

export function plural(count, noun) {
  if (count === 1) {
    return '1 ' + noun
  }
  return count + ' ' + noun + 's'
}
`,
  'public/cart.js': `import { format } from './format.js'

const show = (text) => {
  document.querySelector('#price').textContent = text
}

async function load() {
  const answer = await fetch('/api/price')
  const { price } = await answer.json()
  show('Price ' + format(price))
}

load()
`,
  'public/style.css': `body { font: 16px sans-serif; margin: 20px }
.lead { color: #333 }
.total { width: 100px }
button { padding: 8px }
`,
  'test/format.test.js': `import { format } from '../public/format.js'
console.log(format(1) === '#1')
`,
  'README.md': '# Shop\n',
  'shop.config.js': 'module.exports = { port: 1 }\n',
  'public/data.json': '{ "name": "Milk" }\n',
  '.gitignore': 'ignored/\n',
}

/** Writes a file with its folder. */
export function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Writes the application into a folder, with one commit on `main`. */
export function createApplication(folder: string): void {
  for (const [path, text] of Object.entries(files)) write(folder, path, text)
  git(folder, 'init', '--quiet', '--initial-branch=main')
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message=shop')
}

/** As after the commit. */
export function restore(folder: string): void {
  git(folder, 'checkout', '--quiet', 'main')
  git(folder, 'reset', '--quiet', '--hard', 'base')
  git(folder, 'clean', '--quiet', '-fdx')
}

export const read = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8')
