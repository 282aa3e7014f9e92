// `bun bench/element-sources/main.ts [NAME]`: the source of each element of generated components, as `get_content {format: "source"}`
// answers it, beside the line where it is written. A production build must answer none. The table goes to stdout.

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { connect, type Peer } from '../../test/support/client.ts'
import { install } from '../../test/support/npm.ts'
import { writeSource } from '../write-source.ts'
import { generateComponents, type Generated } from './component-text.ts'
import { type Framework, frameworks } from './frameworks.ts'

interface Counts {
  elements: number
  exact: number
  wrongLine: number
  wrongFile: number
  none: number
}

const COMPONENT_COUNT = 10
const START_LIMIT_MS = 110_000
const WRONG_LIMIT = 5
const READ_IDS = "[...document.querySelectorAll('[id]')].map(({ id }) => id)"

async function measure(
  peer: Peer,
  folder: string,
  command: string,
  { positions }: Generated,
): Promise<Counts> {
  const env = { ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: '' }
  const { data, result } = await peer.call('create_session', {
    command,
    cwd: folder,
    readyTimeout: START_LIMIT_MS,
    env,
  })
  if (data?.url === undefined) throw new Error(JSON.stringify(result.content))
  const { sessionId, url } = data
  await peer.call('navigate', { sessionId, url, timeout: 60_000 })
  await peer.call('wait_for', { sessionId, selector: '#c1-section', state: 'attached', timeout: 60_000 })
  const ids: string[] = (await peer.call('evaluate', { sessionId, script: READ_IDS })).data.result
  const counts: Counts = { elements: 0, exact: 0, wrongLine: 0, wrongFile: 0, none: 0 }
  for (const id of ids) {
    const position = positionOf(id, positions)
    if (position === undefined) continue
    const { data } = await peer.call('get_content', { sessionId, selector: `[id="${id}"]`, format: 'source' })
    const answer = String(data.content ?? JSON.stringify(data)).split('\n')[0] ?? ''
    const kind = judge(answer, position)
    counts.elements += 1
    counts[kind] += 1
    const wrongCount = counts.wrongLine + counts.wrongFile
    if (kind.startsWith('wrong') && wrongCount <= WRONG_LIMIT)
      console.error(`${id}: ${position}, answered ${answer}`)
  }
  await peer.call('close_session', { sessionId })
  return counts
}

// The two elements of the frame have the id of their use.
function positionOf(id: string, positions: Generated['positions']): string | undefined {
  if (id.endsWith('-frame')) return positions.get('frame')
  if (id.endsWith('-frame-inner')) return positions.get('frame-inner')
  return positions.get(id) ?? positions.get(id.replace(/-[a-c]$/, ''))
}

function judge(answer: string, position: string): 'exact' | 'wrongLine' | 'wrongFile' | 'none' {
  const [, named] = /^<[^>]+> (\S+?)(?:, the nearest.*)?$/.exec(answer) ?? []
  if (named === undefined || answer.includes('nearest known')) return 'none'
  if (named === position || named.startsWith(`${position}:`)) return 'exact'
  const file = position.slice(0, position.lastIndexOf(':'))
  return named.startsWith(file) ? (named === file ? 'none' : 'wrongLine') : 'wrongFile'
}

async function measureFramework(peer: Peer, framework: Framework) {
  const fetched = install(...framework.packages)
  const folder = mkdtempSync(join(tmpdir(), 'fl-elements-'))
  try {
    cpSync(join(fetched.folder, 'node_modules'), join(folder, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
    })
    const generated = generateComponents(framework.syntax, COMPONENT_COUNT)
    writeSource(folder, 'package.json', '{ "name": "elements", "private": true, "type": "module" }')
    for (const [file, text] of [...generated.files, ...Object.entries(framework.files)])
      writeSource(folder, file, text)
    const dev = await measure(peer, folder, framework.dev, generated)
    const production = await measure(peer, folder, framework.production, generated)
    return { dev, production }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    fetched.remove()
  }
}

const [name = ''] = process.argv.slice(2)
const peer = await connect({ env: { NODE_ENV: '' } })
console.log('| framework | elements | exact line | wrong line | wrong file | none | named in production |')
console.log('| --- | --- | --- | --- | --- | --- | --- |')
for (const framework of frameworks.filter((one) => one.name.includes(name))) {
  const { dev, production } = await measureFramework(peer, framework)
  const named = production.elements - production.none
  const { elements, exact, wrongLine, wrongFile, none } = dev
  console.log(
    `| ${framework.name} | ${elements} | ${exact} | ${wrongLine} | ${wrongFile} | ${none} | ${named} of ${production.elements} |`,
  )
}
await peer.close()
process.exit(0)
