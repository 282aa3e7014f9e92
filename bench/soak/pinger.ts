// Requests the health of a server continuously, in its own process. For each line on stdin it prints the maximum and the 99th percentile of
// the response times since the previous line, in milliseconds.

import process from 'node:process'
import { quantile } from '../measure.ts'

const url = new URL('/health', process.argv[2])
let responseTimes: number[] = []
process.stdin.on('data', () => {
  process.stdout.write(`${JSON.stringify([Math.max(...responseTimes), quantile(responseTimes, 0.99)])}\n`)
  responseTimes = []
})
process.stdin.once('end', () => process.exit(0))
for (;;) {
  const startedAt = performance.now()
  await (await fetch(url)).text()
  responseTimes.push(performance.now() - startedAt)
}
