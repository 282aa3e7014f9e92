import { expect, test } from 'bun:test'
import { createProgressLine } from '../../../src/core/cli/terminal/progress.ts'

function run(isTTY: boolean, seconds: number): string {
  let output = ''
  let now = 5000
  const write = (text: string | Uint8Array) => {
    output += String(text)
    return true
  }
  const progress = createProgressLine({ isTTY, columns: 41, write }, () => now)
  for (let second = 1; second <= seconds; second += 1) {
    now += 1000
    progress.show(`waiting for the server, ${second} s; last line: compiling`)
  }
  progress.clear()
  return output
}

test('a terminal has one line, which fits it and is removed in the end', () => {
  const lines = run(true, 60).split('\r')
  expect(lines).toHaveLength(62)
  expect(lines[1]).toBe('\u001b[Kfootlight: … waiting for the server, 1 s')
  expect(lines.at(-1)).toBe('\u001b[K')
})

test('elsewhere there is a line every ten seconds, and none for a short wait', () => {
  expect(run(false, 60).trimEnd().split('\n')).toHaveLength(6)
  expect(run(false, 9)).toBe('')
})
