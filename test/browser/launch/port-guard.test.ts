// Whether a connection of another user to the debugging port is noticed. Root alone can act as another user.

import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import process from 'node:process'
import { createPortGuard } from '../../../src/browser/launch/port-guard.ts'
import { until } from '../../support/leftovers.ts'

const NOBODY = 65_534

test.skipIf(process.getuid?.() !== 0).each([
  [NOBODY, true],
  [0, false],
])('a connection of user %d ends the browser: %s', async (uid, isIntruded) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const ended: number[] = []
  const guard = createPortGuard((pid) => ended.push(pid))
  const print = (text: string) => guard.logger.log('browser', 'info', text, [], {})
  print('<launched> pid=4711')
  print(`[pid=4711][err] WebDriver BiDi listening on ws://127.0.0.1:${port}`)
  const connected = once(server, 'connection')
  const code = `exec 3<>/dev/tcp/127.0.0.1/${port}; read -r line`
  const child = spawn('bash', ['-c', code], { uid, stdio: ['pipe', 'ignore', 'ignore'] })
  await connected
  if (isIntruded) expect(await until(() => ended.length > 0)).toBe(true)
  // Several looks later.
  else await new Promise((resolve) => setTimeout(resolve, 50))
  expect([ended, guard.isIntruded()]).toEqual([isIntruded ? [4711] : [], isIntruded])
  guard.stop()
  child.stdin.end()
  await once(child, 'exit')
  server.close()
})
