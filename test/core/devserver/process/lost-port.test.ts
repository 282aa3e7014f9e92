// Real sockets: those of this process stand for the server's own, and for those of another program.

import { afterEach, expect, test } from 'bun:test'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { createLostPortCheck } from '../../../../src/core/devserver/process/lost-port.ts'

let server: Server | undefined
const listen = async (port = 0): Promise<number> => {
  server = createServer()
  await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
const close = async (): Promise<void> => {
  const closing = server
  server = undefined
  if (closing) await new Promise((resolve) => closing.close(resolve))
}
afterEach(close)

test('a port is lost to a listener that is not the own one, and not to silence', async () => {
  let isOwn = true
  let lookups = 0
  const hasLostPort = createLostPortCheck(() => {
    lookups += 1
    return isOwn
  })
  const port = await listen()
  expect([hasLostPort(port), hasLostPort(port), lookups]).toEqual([false, false, 1])
  await close()
  isOwn = false
  expect(hasLostPort(port)).toBe(false)
  await listen(port)
  expect(hasLostPort(port)).toBe(true)
  isOwn = true
  expect(hasLostPort(port)).toBe(false)
})

test('the listener of a port that a contract named is its own, whatever process it is; the next one is not', async () => {
  const port = await listen()
  const hasLostPort = createLostPortCheck(() => false, port)
  expect(hasLostPort(port)).toBe(false)
  await close()
  await listen(port)
  expect(hasLostPort(port)).toBe(true)
})

test('where the processes are unknown, nothing is lost', async () => {
  const port = await listen()
  expect(createLostPortCheck(() => undefined)(port)).toBe(false)
})
