// The browser of the other side, as docs/browsers.md says: a network namespace stands for the subsystem or the container, and this machine for
// Windows or the host, with a Chrome on its loopback and a forwarder before it.

import { expect, test } from 'bun:test'
import { execFile, spawnSync } from 'node:child_process'
import { connect as connectTo, createServer } from 'node:net'
import process from 'node:process'
import { promisify } from 'node:util'
import { gatewayOf } from '../../src/features/doctor/host-browser.ts'
import { binary, callOrThrow, connect } from '../support/client.ts'
import { startOwnChrome } from '../support/own-chrome.ts'
import { serveSite } from '../support/site.ts'

const run = (...[program = '', ...args]: string[]) => spawnSync(program, args, { encoding: 'utf8' })
const name = `fl${process.pid}`
const HERE = '10.231.7.1'
const canMakeNamespace = run('ip', 'netns', 'add', `${name}t`).status === 0
if (canMakeNamespace) run('ip', 'netns', 'del', `${name}t`)

test('the gateway is read from the routes', () => {
  expect(
    gatewayOf('Iface\tDestination\tGateway\neth0\t0007E70A\t00000000\neth0\t00000000\t0107E70A\t0003'),
  ).toBe(HERE)
  expect(gatewayOf('Iface\tDestination\tGateway')).toBeUndefined()
})

// Without the right to make a network namespace there is no other side.
test.skipIf(!canMakeNamespace)(
  'doctor finds it from the other side, and its line starts sessions in it',
  async () => {
    const inside = ['ip', 'netns', 'exec', name]
    for (const step of [
      `netns add ${name}`,
      `link add ${name}a type veth peer name ${name}b`,
      `link set ${name}b netns ${name}`,
      `addr add ${HERE}/30 dev ${name}a`,
      `link set ${name}a up`,
      `-n ${name} addr add 10.231.7.2/30 dev ${name}b`,
      `-n ${name} link set ${name}b up`,
      `-n ${name} link set lo up`,
      `-n ${name} route add default via ${HERE}`,
    ])
      expect([step, run('ip', ...step.split(' ')).status]).toEqual([step, 0])
    const chrome = await startOwnChrome(0)
    const port = Number(new URL(chrome.endpoint).port)
    const site = await serveSite({ '/': '<!doctype html><title>Here</title><h1>Here</h1>' })
    let forwarder: ReturnType<typeof createServer> | undefined
    try {
      // The forwarder is in this process.
      const doctor = async () => {
        const { stdout } = await promisify(execFile)('ip', [...inside.slice(1), binary, 'doctor', '--json'])
        return JSON.parse(stdout).checks.find((row: { check: string }) => row.check === 'other side')
      }
      // What `netsh interface portproxy` does.
      forwarder = createServer((socket) => {
        const other = connectTo(port, '127.0.0.1')
        socket.pipe(other).pipe(socket)
        socket.on('error', () => other.destroy())
        other.on('error', () => socket.destroy())
      })
      await new Promise<void>((resolve) => forwarder?.listen(9222, HERE, () => resolve()))
      const row = await doctor()
      // Only a container has another side; this machine need not be one.
      if (!/no container/.test(row.found))
        expect(row).toMatchObject({
          state: 'ok',
          next: `footlight --cdp-endpoint http://${HERE}:9222 uses it`,
        })
      const peer = await connect({
        command: ['ip', ...inside.slice(1), binary],
        args: ['--headless', '--cdp-endpoint', `http://${HERE}:9222`],
      })
      try {
        const sessionId = await peer.session()
        await callOrThrow(peer, 'navigate', { sessionId, url: site.url })
        expect((await callOrThrow(peer, 'get_content', { sessionId })).content).toContain('Here')
      } finally {
        await peer.close()
      }
    } finally {
      forwarder?.close()
      site.close()
      await chrome.close()
      run('ip', 'netns', 'del', name)
      run('ip', 'link', 'del', `${name}a`)
    }
  },
  120_000,
)
