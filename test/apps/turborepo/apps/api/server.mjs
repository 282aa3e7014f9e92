import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

let notes = []
createServer(async (request, response) => {
  const note = await text(request)
  if (request.method === 'POST') notes.push(note)
  if (request.method === 'DELETE') notes = notes.filter((other) => other !== note)
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(notes))
}).listen(5316, '127.0.0.1', () => console.log('API at http://127.0.0.1:5316/api/notes'))
