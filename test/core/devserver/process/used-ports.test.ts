// Real processes: a server that listens, and asks another program.

import { afterEach, expect, test } from 'bun:test'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createProcessTree } from '../../../../src/core/devserver/process/process-tree.ts'
import { watchPorts } from '../../../../src/core/devserver/process/used-ports.ts'
import { until } from '../../../support/leftovers.ts'

const children: ChildProcess[] = []
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
})

/** Runs a script in a folder, and answers the lines that it prints. */
function run(script: string, folder: string) {
  const child = spawn('node', ['-e', script], {
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  const lines: AsyncIterator<Buffer> = child.stdout[Symbol.asyncIterator]()
  return {
    pid: child.pid ?? 0,
    next: async () => String((await lines.next()).value).trim(),
    send: (text: string) => child.stdin.write(`${text}\n`),
  }
}

const LISTEN = `const server = require('http').createServer((_, response) => response.end('x'))
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`
/** Asks the port that it reads, and keeps the connection or not. */
const ASK = `process.stdin.on('data', (text) => {
  const [port, way] = String(text).trim().split(' ')
  const agent = new (require('http').Agent)({ keepAlive: way === 'keep' })
  require('http').get({ port, host: '127.0.0.1', agent }, (answer) => answer.resume().on('end', () => console.log('asked')))
})
`

test.if(process.platform === 'linux')(
  'the ports of a server are those of its processes; a port that it asks is foreign, also after a short connection to the same project',
  async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-ports-')))
    const [server, near, far] = [run(LISTEN + ASK, folder), run(LISTEN, folder), run(LISTEN, tmpdir())]
    const [own, nearPort, farPort] = [await server.next(), await near.next(), await far.next()].map(Number)
    const tree = createProcessTree('none', server.pid)
    const read = watchPorts(() => tree, folder)
    expect(read()).toEqual({ own: [own ?? 0], foreign: [] })
    server.send(`${nearPort} close`)
    await server.next()
    // The system shows the end of a connection a moment after its programs know it.
    expect(await until(() => (read()?.foreign.length ?? 0) > 0, 10_000, 20)).toBe(true)
    expect(read()?.foreign).toMatchObject([{ port: nearPort, holder: `node, process ${near.pid}` }])
    // An ended connection to a program elsewhere may be anybody's; one that is open is the server's.
    server.send(`${farPort} close`)
    await server.next()
    expect(read()?.foreign.map(({ port }) => port)).toEqual([nearPort ?? 0])
    server.send(`${farPort} keep`)
    await server.next()
    expect(await until(() => (read()?.foreign.length ?? 0) > 1, 10_000, 20)).toBe(true)
    expect(read()?.foreign).toContainEqual({
      port: farPort ?? 0,
      holder: `node, process ${far.pid}`,
      isConnected: true,
    })
    // What was before is not of now.
    expect(watchPorts(() => tree, folder)()?.foreign.map(({ port }) => port)).toEqual([farPort ?? 0])
    rmSync(folder, { recursive: true })
  },
  60_000,
)
