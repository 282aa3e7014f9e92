// `bun bench/freshness/restarts.ts [NAME ...]`: how long `wait_for {fresh: true}` takes after an edit of a server that is started again by
// itself, beyond the start. Each server is edited ten times; the page is loaded again after each answer. What a command names has to be in
// PATH; what is not there is said.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { connect } from '../../test/support/client.ts'

const EDITS = Number(process.env['EDITS'] ?? 10)
const ASK_INTERVAL_MS = 20
const LIMIT_MS = 60_000

interface Server {
  readonly command: string
  readonly file: string
  readonly text: (word: string) => string
  readonly others?: Readonly<Record<string, string>>
}

const WORD_SERVER = `import { createServer } from 'node:http'
import { word } from './word.mjs'
createServer((request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end('<h1>' + word + '</h1>')
}).listen(process.env.PORT)
`
const node = {
  file: 'word.mjs',
  text: (word: string) => `export const word = '${word}'\n`,
  others: { 'server.mjs': WORD_SERVER },
}
// A parent that looks at the file four times a second.
const POLLING_PARENT = `import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
let child = spawn('node', ['server.mjs'], { stdio: 'inherit' })
let time = statSync('word.mjs').mtimeMs
setInterval(() => {
  const next = statSync('word.mjs').mtimeMs
  if (next === time) return
  time = next
  child.once('exit', () => (child = spawn('node', ['server.mjs'], { stdio: 'inherit' })))
  child.kill()
}, 1000)
process.on('SIGTERM', () => (child.kill(), process.exit()))
`
const flask = {
  file: 'app.py',
  text: (word: string) =>
    `from flask import Flask\napp = Flask(__name__)\n@app.get('/')\ndef index():\n    return '<h1>${word}</h1>'\n`,
}
const django = {
  file: 'app.py',
  text: (word: string) => `import sys
from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpResponse
from django.urls import path
settings.configure(DEBUG=True, ROOT_URLCONF=__name__, SECRET_KEY='key', ALLOWED_HOSTS=['*'])
urlpatterns = [path('', lambda request: HttpResponse('<h1>${word}</h1>'))]
if __name__ == '__main__':
    execute_from_command_line(sys.argv)
`,
}

const SERVERS: Readonly<Record<string, Server>> = {
  'node --watch': { ...node, command: 'node --watch server.mjs' },
  'bun --watch': { ...node, command: `${process.execPath} --watch server.mjs` },
  'a parent that polls': {
    ...node,
    command: 'node parent.mjs',
    others: { ...node.others, 'parent.mjs': POLLING_PARENT },
  },
  nodemon: { ...node, command: 'nodemon --quiet server.mjs' },
  'tsx watch': { ...node, command: 'tsx watch server.mjs' },
  'concurrently, node --watch': { ...node, command: 'concurrently -n web "node --watch server.mjs"' },
  'flask run --debug': { ...flask, command: 'python3 -m flask run --debug -p $PORT' },
  'django runserver': { ...django, command: 'python3 app.py runserver $PORT' },
  'php -S': {
    file: 'index.php',
    text: (word) => `<h1><?= '${word}' ?></h1>\n`,
    command: 'php -S 127.0.0.1:$PORT',
  },
}

const names = process.argv.slice(2)
for (const [name, server] of Object.entries(SERVERS))
  if (names.length === 0 || names.includes(name)) console.log(name, await measure(server))

async function measure({ command, file, text, others = {} }: Server): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'fl-restarts-'))
  for (const [path, content] of Object.entries({ ...others, [file]: text('word-0') }))
    writeFileSync(join(folder, path), content)
  const peer = await connect({ cwd: folder })
  const opened = await peer.call('create_session', { command, cwd: folder })
  if (opened.failed) return `not started: ${opened.data.message.slice(0, 200)}`
  const { sessionId, url } = opened.data
  await peer.call('navigate', { sessionId, url })
  const beyond: number[] = []
  const answers = new Set<string>()
  for (let number = 1; number <= EDITS; number += 1) {
    await Bun.sleep(1000)
    writeFileSync(join(folder, file), text(`word-${number}`))
    const up = untilItHas(url, `word-${number}`)
    const { failed, data } = await peer.call('wait_for', { sessionId, fresh: true, timeout: LIMIT_MS })
    const answeredAt = Date.now()
    answers.add(
      failed ? data.message.replace(/\d+/g, 'N') : (data.freshness ?? 'fresh').replace(/[\d.]+ s/, 'N s'),
    )
    beyond.push(answeredAt - (await up))
    await peer.call('history', { sessionId, direction: 'reload' })
  }
  // Some watchers leave a folder of their own.
  await peer.close().catch((error: unknown) => console.log(String(error)))
  rmSync(folder, { recursive: true, force: true })
  const sorted = beyond.toSorted((a, b) => a - b)
  return `beyond the start: ${sorted[0]} to ${sorted.at(-1)} ms, median ${sorted[Math.floor(EDITS / 2)]}; ${[...answers].join(' | ')}`
}

async function untilItHas(url: string, word: string): Promise<number> {
  for (const end = Date.now() + LIMIT_MS; Date.now() < end; await Bun.sleep(ASK_INTERVAL_MS)) {
    const answer = await fetch(url).then(
      (response) => response.text(),
      () => '',
    )
    if (answer.includes(word)) return Date.now()
  }
  throw new Error(`${url} never had ${word}`)
}
