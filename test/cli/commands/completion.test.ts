// The completion scripts, asked by the shells that they are for.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandNames, shells, type Shell } from '../../../src/cli/commands/commands.ts'
import { completionScript } from '../../../src/cli/commands/completion-script.ts'
import { toKebabCase, optionNames } from '../../../src/cli/options/options.ts'

let folder: string
const file = (shell: Shell) => join(folder, `footlight.${shell}`)
const script = (shell: string) => {
  const made = completionScript([shell])
  if (!made.ok) throw new Error(made.error)
  return made.value
}
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fl-completion-'))
  for (const shell of shells) writeFileSync(file(shell), script(shell))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(program: string, args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 120_000, cwd: folder })
  expect(stderr).toBe('')
  return stdout
}

// What each shell offers for a line; the last word is the one being typed.
const ask: Record<Shell, (line: string) => string[]> = {
  bash: (line) => {
    // Bash itself breaks words at =.
    const words = line.split(/ |(=)/).filter((word) => word !== undefined)
    const list = words.map((word) => `'${word}'`).join(' ')
    const asked = `source '${file('bash')}'; COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _footlight; printf '%s\\n' "\${COMPREPLY[@]}"`
    return run('bash', ['--norc', '-c', asked]).split('\n').filter(Boolean)
  },
  fish: (line) =>
    run('fish', ['--no-config', '-c', `source '${file('fish')}'; complete -C '${line}'`])
      .split('\n')
      .filter(Boolean)
      .map((row) => row.split('\t')[0] ?? ''),
  // Zsh completes only on a terminal, so the script runs in zsh and what it hands to zsh's own functions is read here.
  zsh: (line) => {
    const words = line.split(' ')
    const stubs = `compdef() { : }; _describe() { print -l -- \${\${(P)4}%%:*} }; _arguments() { print -l -- "$@" }`
    const list = words.map((word) => `'${word}'`).join(' ')
    const asked = `${stubs}; source '${file('zsh')}'; words=(${list}); CURRENT=${words.length}; _footlight`
    const specs = run('zsh', ['-f', '-c', asked]).split('\n')
    const typed = words.at(-1) ?? ''
    const wanted = [`${words.at(-2)}=`, '*:'].find((start) => specs.some((spec) => spec.startsWith(start)))
    const values = specs.find((spec) => wanted !== undefined && spec.startsWith(wanted))
    const flags = specs.map((spec) => spec.replace(/[=[].*/, ''))
    const offered = typed.startsWith('-')
      ? flags
      : (/\(([^()]*)\)$/.exec(values ?? '')?.[1]?.split(' ') ?? specs)
    return offered.filter((word) => word.startsWith(typed))
  },
}

const lines: readonly (readonly [line: string, holds: readonly string[], lacks: readonly string[]])[] = [
  ['footlight --brow', ['--browser'], ['--headless', 'setup']],
  ['footlight se', ['setup'], ['demo']],
  ['footlight --browser fire', ['firefox'], ['chromium']],
  ['footlight --tools +', ['+mouse'], ['core']],
  ['footlight setup c', ['claude-code', 'cursor', 'codex'], ['zed', 'call']],
  ['footlight setup --scope pro', ['project'], ['user']],
  ['footlight version --', ['--json'], ['--browser']],
  ['footlight call nav', ['navigate'], ['snapshot']],
  ['footlight call navigate sna', ['snapshot'], ['navigate']],
  ['footlight tools pre', ['press_key'], ['click']],
  ['footlight sn', ['snap'], ['setup']],
  ['footlight open --', ['--browser', '--headed', '--help'], ['--pattern']],
  ['footlight net --filter fa', ['failed'], ['all']],
  ['footlight browsers ', ['install', 'pack'], ['firefox']],
  ['footlight browsers install ', ['chromium', 'firefox'], ['install', 'pack']],
  ['footlight browsers pack --', ['--out'], ['--json', '--full']],
  ['footlight login --', ['--save', '--browser'], ['--http', '--max-sessions', '--tools']],
  ['footlight help re', ['record'], ['call']],
]

describe.each(shells)('%s', (shell) => {
  const there = Bun.which(shell) !== null
  test('the script has every command and option', () => {
    const text = script(shell)
    for (const name of [...commandNames, ...optionNames.map((option) => toKebabCase(option))])
      expect(text).toContain(name)
  })
  // zsh and fish are not on every machine, and nothing else can say what they would offer.
  test.skipIf(!there).each(lines)(
    `%s${there ? '' : ` (no ${shell} on this machine)`}`,
    (line, holds, lacks) => {
      const offered = ask[shell](line).map((word) => word.replace(/=$/, ''))
      expect(offered).toEqual(expect.arrayContaining([...holds]))
      for (const word of lacks) expect(offered).not.toContain(word)
    },
  )
})

test('bash completes behind = as well, and paths where a path is meant', () => {
  expect(ask.bash('footlight --browser=web')).toEqual(['webkit'])
  expect(ask.bash('footlight --config foot').sort()).toEqual(
    shells.map((shell) => `footlight.${shell}`).sort(),
  )
})

test('a shell that is not known is refused with the nearest', () => {
  expect(completionScript(['zs'])).toMatchObject({ error: expect.stringContaining('Did you mean zsh?') })
  expect(completionScript([])).toMatchObject({ error: expect.stringContaining('bash, zsh, fish') })
})
