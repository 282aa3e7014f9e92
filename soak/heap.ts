// Loaded into the executable by BUN_OPTIONS=--preload: at each SIGUSR2 it collects, and writes what its heap holds to the file that
// FOOTLIGHT_HEAP names. Code that the engine compiled goes by itself: it makes more of it for thousands of calls, whatever is held.

import { heapStats } from 'bun:jsc'
import { renameSync, writeFileSync } from 'node:fs'
import process from 'node:process'

export interface Heap {
  /** Bytes, and how many of them are compiled code. */
  readonly size: number
  readonly code: number
  readonly objects: number
}

const path = process.env['FOOTLIGHT_HEAP']
if (path !== undefined)
  process.on('SIGUSR2', () => {
    Bun.gc(true)
    const { nodes, nodeClassNames } = Bun.generateHeapSnapshot()
    const { heapSize, objectCount } = heapStats()
    const heap = { size: heapSize, code: 0, objects: objectCount }
    // Four numbers for each: its id, its size, its class and flags.
    for (let at = 0; at < nodes.length; at += 4) {
      if (/CodeBlock$/.test(nodeClassNames[nodes[at + 2] ?? 0] ?? '')) heap.code += nodes[at + 1] ?? 0
    }
    writeFileSync(`${path}.new`, JSON.stringify(heap satisfies Heap))
    renameSync(`${path}.new`, path)
  })
