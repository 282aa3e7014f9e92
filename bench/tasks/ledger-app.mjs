// The application of the task `diagnosis`: what fails is printed on stderr only, with a code that is new in each run.

import { createServer } from 'node:http'
import process from 'node:process'

const code = `LEDGER-${Math.floor(Math.random() * 1e6)}`
let reported = ''

const page = `<!doctype html><title>Ledger</title><h1>Ledger</h1><button>Load report</button><p role="status"></p>
<form method="post" action="/cause"><label>Cause <input name="cause"></label> <button>Report</button></form><script>
document.querySelector('button').onclick = async () => {
  const answer = await fetch('/report')
  await answer.text()
  document.querySelector('[role=status]').textContent = answer.ok ? 'Loaded' : 'The report could not be loaded'
}
</script>`

function loadReport() {
  const row = undefined
  if (row === undefined) throw new Error(`${code}: row 17 of the ledger has no account`)
}

const server = createServer(async (request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  if (request.url === '/done') return response.end(String(reported === code))
  if (request.url === '/cause') {
    let text = ''
    for await (const chunk of request) text += chunk
    reported = new URLSearchParams(text).get('cause') ?? ''
    return response.end('<!doctype html><title>Reported</title><h1>Thank you</h1>')
  }
  if (request.url !== '/report') return response.end(page)
  try {
    loadReport()
  } catch (error) {
    console.error(error)
    response.writeHead(500).end()
  }
})
server.listen(Number(process.env.PORT), '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${server.address().port}`),
)
