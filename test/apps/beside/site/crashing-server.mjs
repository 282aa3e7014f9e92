// A server that ends when its interface is asked.

import { createServer } from 'node:http'
import process from 'node:process'

const html = `<!doctype html><title>Orders</title><button onclick="fetch('/api').then(() => (state.textContent = 'Saved'), () => (state.textContent = 'Failed'))">Save order</button><output id="state">Unsaved</output>`
createServer((request, response) => {
  if (request.url !== '/api') return response.writeHead(200, { 'content-type': 'text/html' }).end(html)
  console.error('Error: database is locked')
  process.exit(1)
}).listen(Number(process.env.PORT), () => console.log(`http://localhost:${process.env.PORT}`))
