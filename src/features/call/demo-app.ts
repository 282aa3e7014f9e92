// The small application of the demo, with a server that fails when a list is saved; served from inside the executable.

import { createServer } from 'node:http'
import process from 'node:process'
import { readRegularFile } from '../../core/base/files/read-regular-file.ts'

const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Stage list</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 3rem auto; color: #222 }
  input, button { font: inherit; padding: .4rem .7rem; border: 1px solid #999; border-radius: 6px }
  button { background: #223; color: #fff; cursor: pointer } li { margin: .3rem 0 }
  #notice { position: fixed; inset: 0; background: #fffd; display: grid; place-items: center }
</style>
<h1>Stage list</h1>
<form id="form"><input id="item" aria-label="New item" placeholder="What is missing?"> <button>Add</button></form>
<ul id="list"></ul>
<p><button id="send">Send the list</button> <output id="state"></output></p>
<script>
  form.onsubmit = async (event) => {
    event.preventDefault()
    const row = document.createElement('li')
    row.textContent = item.value
    list.append(row)
    item.value = ''
    if (list.children.length !== 2) return
    const saved = await fetch('/save', { method: 'POST' })
    console.error('the list was not saved: ' + saved.status)
    const notice = document.createElement('div')
    notice.id = 'notice'
    notice.innerHTML = '<p>Could not save. <button id="close">Close</button></p>'
    document.body.append(notice)
    notice.querySelector('button').onclick = () => notice.remove()
  }
</script><script src="/send.js"></script></html>`

export const SEND_SCRIPT_NAME = 'send.js'
export const SEND_SCRIPT = `send.onclick = () => {
  state.textContent = 'Sent ' + list.children.length + ' items'
}
`

/** Serves the application on PORT, as a dev server would, until the process ends. */
export function serveDemoApp(): void {
  const server = createServer((request, response) => {
    if (request.url === '/save') {
      process.stderr.write('POST /save: the disk of the demo is full\n')
      response.statusCode = 500
      return response.end()
    }
    if (request.url === `/${SEND_SCRIPT_NAME}`) {
      response.setHeader('content-type', 'text/javascript; charset=utf-8')
      return response.end(readRegularFile(SEND_SCRIPT_NAME) ?? SEND_SCRIPT)
    }
    response.setHeader('content-type', 'text/html; charset=utf-8')
    return response.end(html)
  })
  const port = Number(process.env['PORT'] ?? 0)
  server.listen(port, '127.0.0.1', () =>
    process.stdout.write(`stage list ready on http://127.0.0.1:${port}/\n`),
  )
}
