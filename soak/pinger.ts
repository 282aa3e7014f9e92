// Asks a server for its health without pause, in a process of its own. For each line on stdin it prints the longest and the slowest
// percent of the answers since the line before, in milliseconds.

import process from 'node:process'
import { quantile } from '../bench/measure.ts'

const url = new URL('/health', process.argv[2])
let waits: number[] = []
process.stdin.on('data', () => {
  process.stdout.write(`${JSON.stringify([Math.max(...waits), quantile(waits, 0.99)])}\n`)
  waits = []
})
process.stdin.once('end', () => process.exit(0))
for (;;) {
  const since = performance.now()
  await (await fetch(url)).text()
  waits.push(performance.now() - since)
}
