import { createServer } from 'node:http'

const port = process.env.PORT ?? 4000
createServer((_, response) =>
  response.setHeader('content-type', 'application/json').end('{"api":true}'),
).listen(port, () => console.log(`API at http://localhost:${port}`))
