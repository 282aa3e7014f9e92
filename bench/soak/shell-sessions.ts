// `bun bench/soak/shell-sessions.ts [--sessions 200]`: sessions one after the other through the shell, against one server. Prints the memory
// of the server and of its browser at the start, in the middle and at the end.

import { readFileSync } from 'node:fs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { openShell } from '../../test/support/shell.ts'
import { page, serveSite } from '../../test/support/site.ts'
import { tableOf } from '../measure.ts'

const { values } = parseArgs({ options: { sessions: { type: 'string', default: '200' } } })
const sessionCount = Number(values.sessions)
/** The first sessions load what all others use. */
const WARM_UP_COUNT = 10
const reportedCounts = [WARM_UP_COUNT, Math.round(sessionCount / 2), sessionCount]

const site = await serveSite({
  '/': page('<label>Name <input></label><button onclick="this.textContent = \'Saved\'">Save</button>', 'App'),
})
const shell = openShell()

async function run(...words: readonly string[]): Promise<void> {
  const { code, out, err } = await shell.run(...words)
  if (code !== 0) throw new Error(`${words.join(' ')}: ${out}${err}`)
}

const residentMb = (pid: number): number => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return 0
  }
}

function measureMemory(count: number): readonly string[] {
  const processes = shell.trace.processes()
  const servers = processes.filter(({ command }) => /footlight serve-shell/.test(command))
  // The shell that waits for the server has its words too.
  const server = servers.find(({ command }) => !command.startsWith('sh '))?.pid ?? 0
  const others = processes.filter(({ pid }) => pid !== server)
  const othersMb = others.reduce((sum, { pid }) => sum + residentMb(pid), 0)
  return [count, residentMb(server).toFixed(0), othersMb.toFixed(0), others.length].map(String)
}

// One session stays open, as that of an agent that works all day.
await run('-s', 'day', 'open', site.url)
const rows: (readonly string[])[] = []
for (let count = 1; count <= sessionCount; count += 1) {
  const name = ['-s', `s${count}`]
  await run(...name, 'do', `open ${site.url}`, 'snap')
  await run(...name, 'fill', 'Name', `Ada ${count}`)
  await run(...name, 'click', 'button:Save')
  await run(...name, 'shot')
  await run(...name, 'close')
  if (reportedCounts.includes(count)) rows.push(measureMemory(count))
}
await shell.close()
site.close()
console.log(tableOf([['sessions', 'server, MB', 'all others, MB', 'processes'], ...rows]))
process.exit(0)
