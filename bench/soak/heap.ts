// Loaded into the executable by BUN_OPTIONS=--preload: on SIGUSR2 it collects garbage and writes the heap size to the file in
// FOOTLIGHT_HEAP. Compiled code is counted separately: the engine compiles more of it during thousands of calls.

import { heapStats } from 'bun:jsc'
import { renameSync, writeFileSync } from 'node:fs'
import process from 'node:process'

export interface Heap {
  /** Size in bytes, and the part of it that is compiled code. */
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
    // Four numbers for each node: id, size, class and flags.
    for (let index = 0; index < nodes.length; index += 4) {
      if (/CodeBlock$/.test(nodeClassNames[nodes[index + 2] ?? 0] ?? '')) heap.code += nodes[index + 1] ?? 0
    }
    writeFileSync(`${path}.new`, JSON.stringify(heap satisfies Heap))
    renameSync(`${path}.new`, path)
  })
