import { expect, test } from 'bun:test'
import { createServer } from 'node:net'
import { createFreePortFinder, isPortFree } from '../../../../src/core/devserver/process/free-port.ts'

test('servers that start at once get different ports, and none that an outgoing connection could take', async () => {
  const findFreePort = createFreePortFinder()
  const ports = await Promise.all(Array.from({ length: 100 }, findFreePort))
  expect(new Set(ports).size).toBe(100)
  // Where Linux begins by default; other systems begin at 49,152.
  expect(Math.max(...ports)).toBeLessThan(32_768)
  expect(Math.min(...ports)).toBeGreaterThanOrEqual(25_000)
})

test('a port on which something listens is left out', async () => {
  const port = await createFreePortFinder()()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  expect(await isPortFree(port)).toBe(false)
  expect(await createFreePortFinder(port - 10)()).not.toBe(port)
  // A command may have another server at PORT + 1.
  expect(await createFreePortFinder(port - 11)()).not.toBe(port - 1)
  await new Promise((resolve) => server.close(resolve))
  expect(await isPortFree(port)).toBe(true)
})

test('there is a gap between the ports of two servers, so that PORT + 1 is in none of them', async () => {
  const findFreePort = createFreePortFinder()
  const ports = (await Promise.all(Array.from({ length: 40 }, findFreePort))).toSorted((a, b) => a - b)
  const gaps = ports.slice(1).map((port, index) => port - (ports[index] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10)
})

test('after the last one comes the first', async () => {
  const findFreePort = createFreePortFinder(31_999)
  expect(await findFreePort()).toBeLessThan(25_100)
})
