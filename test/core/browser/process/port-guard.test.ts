// Whether a connection of another user to the debugging port of a browser that starts is noticed. Root alone can act as another user.

import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { guardDebuggingPorts } from '../../../../src/core/browser/process/launch-browser.ts'
import { until } from '../../../support/leftovers.ts'

const NOBODY = 65_534
const listen = `const server = require('net').createServer(() => console.log('connected'))
server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

test.skipIf(process.getuid?.() !== 0).each([
  ['another user', NOBODY, '--remote-debugging-port=0', true],
  ['its own user', 0, '--remote-debugging-port=0', false],
  ['another user, and the program is no browser', NOBODY, '--port=0', false],
])('%s connects', async (_, uid, argument, isIntruded) => {
  const ended: number[] = []
  const guard = guardDebuggingPorts((pid) => ended.push(pid))
  const browser = spawn('node', ['-e', listen, '--', argument], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: browser.stdout })
  const [port] = await once(lines, 'line')
  const visitor = spawn('bash', ['-c', `exec 3<>/dev/tcp/127.0.0.1/${port}; read -r line`], {
    uid,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  await once(lines, 'line')
  if (isIntruded) expect(await until(() => ended.length > 0)).toBe(true)
  // Ten looks later.
  else await Bun.sleep(40)
  guard.stop()
  expect([new Set(ended), guard.isIntruded()]).toEqual([
    new Set(isIntruded ? [browser.pid ?? 0] : []),
    isIntruded,
  ])
  for (const child of [visitor, browser]) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})
