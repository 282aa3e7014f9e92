import { createServer } from 'node:http'
import process from 'node:process'
import { title } from './title.js'

createServer((_, response) => {
  response.setHeader('content-type', 'text/html')
  response.end(`<h1>${title}</h1>`)
}).listen(Number(process.env['PORT']))
