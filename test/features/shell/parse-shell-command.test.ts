import { describe, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer'
import { isCommandName } from '../../../src/core/cli/commands/commands.ts'
import { everyTool } from '../../../src/core/cli/tools/catalogue.ts'
import { parseInput } from '../../../src/core/mcp/calls/parse-input.ts'
import { AGENT_HELP } from '../../../src/features/shell/agent-help.ts'
import {
  parseShellCommand,
  type ShellAction,
  type ShellCall,
} from '../../../src/features/shell/parse-shell-command.ts'
import { splitWords } from '../../../src/features/shell/split-words.ts'
import { optionsOfVerb, verbHelp } from '../../../src/features/shell/verb-help.ts'
import { findVerb, shownVerbs, verbNames, verbs } from '../../../src/features/shell/verbs.ts'

const cwd = resolve('/work-tree')
const parse = (...argv: string[]) => parseShellCommand({ argv, cwd, stdin: 'open /\nsnap' })
const wordsOf = (line: string): readonly string[] => {
  const words = splitWords(line)
  return words.ok ? words.value : []
}
const callsOf = (action: ShellAction): readonly ShellCall[] => {
  if (action.kind === 'call') return [action]
  if (action.kind === 'open') return [action.create, ...(action.load ? [action.load] : []), action.navigate]
  return action.kind === 'steps' ? [...(action.opening ? [action.opening.create] : []), ...action.calls] : []
}
/** The calls of a line, as tool and input. */
const read = (line: string) => {
  const command = parse(...wordsOf(line))
  return command.ok
    ? callsOf(command.value.action).map(({ tool, input }) => [tool.name, input])
    : command.error
}

test('the help of a verb has its options, without what its words are', () => {
  const optionsOf = (name: string) => {
    const verb = findVerb(name)
    return verb ? optionsOfVerb(verb).map(({ name: option, type }) => `${option} ${type}`.trim()) : []
  }
  expect(optionsOf('fill')).toEqual(['--delay number', '--timeout integer', '--submit', '--json', '--raw'])
  expect(optionsOf('wait')).toContain('--gone string')
  expect(optionsOf('up')).toEqual(
    expect.arrayContaining(['--env NAME=VALUE', '--ignore-https-errors', '--headed', '--no-port']),
  )
  expect(optionsOf('up')).not.toContain('--name string')
})

test('no verb has the name of a command', () => {
  expect(verbNames.filter((name) => isCommandName(name))).toEqual([])
})

test('the page for agents is short, and all of its commands are', () => {
  expect(countTokens(AGENT_HELP)).toBeLessThanOrEqual(1500)
  const words = new Set(AGENT_HELP.match(/[a-z]+/g))
  const rare = [
    'create-session',
    'steps',
    'history',
    'fill-form',
    'dom-snapshot',
    'mouse',
    'touch',
    'trace',
    'pdf',
    'video',
    'page-tools',
  ]
  expect(shownVerbs.filter((verb) => !words.has(verb))).toEqual(rare)
})

test('every tool has its verb, in both spellings', () => {
  for (const { name } of everyTool) {
    expect(findVerb(name)?.tools.map((tool) => tool.name)).toContain(name)
    expect(findVerb(name.replaceAll('_', '-'))).toBe(findVerb(name))
  }
  expect(new Set(verbNames).size).toBe(verbNames.length)
})

describe.each(verbs.map((verb) => [verb.names[0] ?? '', verb] as const))('%s', (name, verb) => {
  test('its examples are commands of it, its help has its names, fields and examples', () => {
    const help = verbHelp(verb)
    expect(verb.examples).toHaveLength(2)
    for (const example of verb.examples) {
      const words = wordsOf(example.replace(/ < .*/, ''))
      expect([example, parse(...words)]).toMatchObject([example, { ok: true }])
      expect(verb.names).toContain(words[0] ?? '')
      expect(help).toContain(`  footlight ${example}\n`.trimEnd())
    }
    for (const word of [...verb.names, verb.usage]) expect(help).toContain(word)
    for (const { name: option } of optionsOfVerb(verb)) expect(help).toContain(`  ${option}`)
    expect(parse(name, '--help')).toMatchObject({ ok: true, value: { action: { kind: 'help' } } })
  })
})

describe('words and options become the fields of tools', () => {
  const selector = (text: string) => `getByText(${JSON.stringify(text)})`
  const label = (text: string) => `getByLabel("${text}").or(getByPlaceholder("${text}"))`
  test.each<[string, unknown]>([
    ['click e12 --click-count 2 --force', [['click', { ref: 'e12', clickCount: 2, force: true }]]],
    [
      'click --ref e12 --no-force --modifiers Shift --modifiers Alt',
      [['click', { ref: 'e12', force: false, modifiers: ['Shift', 'Alt'] }]],
    ],
    [
      'click e1 --clickCount=2 --click_count=3',
      'click: --click-count was given twice. For example: footlight click e12',
    ],
    ['shot e3', [['screenshot', { ref: 'e3' }]]],
    ['shot "#logo" a.JPG', [['screenshot', { selector: '#logo', format: 'jpeg' }]]],
    ['type hello', [['type', { text: 'hello' }]]],
    ['type e5 5', [['type', { ref: 'e5', text: '5' }]]],
    ['fill Email "" --submit', [['type', { clear: true, selector: label('Email'), text: '', submit: true }]]],
    [
      'fill Email a e9 true --submit',
      [
        [
          'fill_form',
          {
            submit: true,
            fields: [
              { selector: label('Email'), value: 'a' },
              { ref: 'e9', value: 'true' },
            ],
          },
        ],
      ],
    ],
    ['check e9', [['fill_form', { fields: [{ ref: 'e9', value: true }] }]]],
    [
      'uncheck Terms --timeout 9',
      [['fill_form', { timeout: 9, fields: [{ selector: label('Terms'), value: false }] }]],
    ],
    ['select e7 S M', [['select', { ref: 'e7', values: ['S', 'M'] }]]],
    ['press Enter', [['press_key', { key: 'Enter' }]]],
    ['press e5 Enter --hold 10', [['press_key', { ref: 'e5', key: 'Enter', hold: 10 }]]],
    ['drag e3 "button:To"', [['drag', { ref: 'e3', toSelector: 'getByRole(\'button\', { name: "To" })' }]]],
    [
      'upload e4 a.png b/c.png',
      [['upload_file', { ref: 'e4', paths: [resolve(cwd, 'a.png'), resolve(cwd, 'b/c.png')] }]],
    ],
    ['dialog accept yes', [['handle_dialog', { accept: true, promptText: 'yes' }]]],
    ['tabs new example.org', [['tabs', { action: 'new', url: 'https://example.org' }]]],
    ['tabs close t2', [['tabs', { action: 'close', tabId: 't2' }]]],
    ['wait "Order placed"', [['wait_for', { text: 'Order placed' }]]],
    ['wait Saved --is hidden', [['wait_for', { selector: selector('Saved'), is: 'hidden' }]]],
    [
      'wait e4 --not --gone Loading --url /done',
      [['wait_for', { ref: 'e4', not: true, textGone: 'Loading', url: '/done' }]],
    ],
    ["find '/total|price/'", [['snapshot', { pattern: 'total|price' }]]],
    ["find 'Price ('", [['snapshot', { pattern: 'Price \\(' }]]],
    ['net 31 body', [['network_requests', { id: 31, part: 'body' }]]],
    ['net /api/', [['network_requests', { pattern: '/api/' }]]],
    ['net failed', [['network_requests', { filter: 'failed' }]]],
    ['console warn --limit 5', [['console_messages', { level: 'warn', limit: 5 }]]],
    ['eval "[1,2]" --arg 5', [['evaluate', { script: '[1,2]', arg: 5 }]]],
    [
      'emulate --viewport 800x600 --headers a=b=c --headers \'{"d":"e"}\'',
      [['emulate', { viewport: { width: 800, height: 600 }, headers: { a: 'b=c', d: 'e' } }]],
    ],
    ['mock /price 503', [['mock', { url: '/price', answer: { status: 503 } }]]],
    [
      'mock /price \'{"path":"p.json"}\'',
      [['mock', { url: '/price', answer: { path: resolve(cwd, 'p.json') } }]],
    ],
    ['mock --har net.har', [['mock', { har: resolve(cwd, 'net.har') }]]],
    ['mock --har record', [['mock', { har: 'record' }]]],
    ['storage load ada.json', [['storage_state', { action: 'load', path: resolve(cwd, 'ada.json') }]]],
    ['storage set theme dark', [['storage_state', { action: 'set', name: 'theme', value: 'dark' }]]],
    ['mouse wheel 10 20 --delta-y -30', [['mouse', { action: 'wheel', x: 10, y: 20, deltaY: -30 }]]],
    ['test', [['run_test', { path: cwd }]]],
    ['save a.spec.ts', [['save_test', { path: resolve(cwd, 'a.spec.ts') }]]],
    ['reload', [['history', { direction: 'reload' }]]],
    [
      'open localhost:5173/a --timeout 9',
      [
        ['create_session', { name: 'default' }],
        ['navigate', { url: 'http://localhost:5173/a', timeout: 9 }],
      ],
    ],
    [
      '-s ada open /a --headed --restore ada',
      [
        ['create_session', { name: 'ada', headless: false, restore: 'ada' }],
        ['navigate', { url: '/a' }],
      ],
    ],
    [
      'open /a --storage-state ada.json',
      [
        ['create_session', { name: 'default' }],
        ['storage_state', { action: 'load', path: resolve(cwd, 'ada.json') }],
        ['navigate', { url: '/a' }],
      ],
    ],
    [
      'up "npm run dev"',
      [
        ['create_session', { name: 'default', cwd, command: 'npm run dev' }],
        ['navigate', { url: '/' }],
      ],
    ],
    ...['--no-port', '--port none', '--port 3919'].map((option): [string, unknown] => [
      `up "npm run dev" ${option}`,
      [
        [
          'create_session',
          { name: 'default', cwd, command: 'npm run dev', port: option.endsWith('9') ? 3919 : 'none' },
        ],
        ['navigate', { url: '/' }],
      ],
    ]),
    [
      'up "npm run dev" /login --cwd web --env A=1 --env B=x=y',
      [
        [
          'create_session',
          { name: 'default', cwd: resolve(cwd, 'web'), command: 'npm run dev', env: { A: '1', B: 'x=y' } },
        ],
        ['navigate', { url: '/login' }],
      ],
    ],
    [
      "do '# a' 'click e4' '' 'type \"a b\" --submit' 'goto /'",
      [
        ['click', { ref: 'e4' }],
        ['type', { text: 'a b', submit: true }],
        ['navigate', { url: '/' }],
      ],
    ],
    [
      'do',
      [
        ['create_session', { name: 'default' }],
        ['snapshot', {}],
      ],
    ],
    ['type -- --draft', [['type', { text: '--draft' }]]],
  ])('%s', (line, calls) => expect(read(line)).toEqual(calls as never))
})

describe('mistakes get the closest name and an example', () => {
  test.each([
    ['', 'a verb is missing. For example: footlight open localhost:5173'],
    ['clik e1', 'unknown verb "clik". Did you mean footlight click e12?'],
    [
      'frobnicate',
      'unknown verb "frobnicate". footlight help agent lists the verbs. For example: footlight snap',
    ],
    ['--json snap', 'the verb comes before its options. For example: footlight snap --json'],
    ['-s', '-s needs the name of a session. For example: footlight -s ada open localhost:5173'],
    ['snap -s ada', 'snap: -s NAME comes before the verb. For example: footlight snap'],
    ['click', 'click: TARGET is missing. For example: footlight click e12'],
    [
      'click e1 e2',
      'click: "e2" is one word too many; texts with spaces need quotes. For example: footlight click e12',
    ],
    [
      'emulate --device x',
      'emulate: --device was removed. Device, locale and time zone cannot change in an open session any more: create_session (in the shell: open) takes device, locale and timezone. For example: footlight emulate --viewport 390x844',
    ],
    [
      'emulate x',
      'emulate: "x" is one word too many; texts with spaces need quotes. Device, locale and time zone cannot change in an open session any more: create_session (in the shell: open) takes device, locale and timezone. For example: footlight emulate --viewport 390x844',
    ],
    [
      'click e1 --forse',
      'click: unknown option --forse. Did you mean --force? For example: footlight click e12',
    ],
    [
      'click e1 --zzz',
      'click: unknown option --zzz. A word that begins with -- comes after --. For example: footlight click e12',
    ],
    ['click e1 --timeout', 'click: --timeout needs a value. For example: footlight click e12'],
    [
      'click e1 --timeout soon',
      'click: timeout: expected a number, received "soon". For example: footlight click e12',
    ],
    ['up x --env A', 'up: --env expects NAME=VALUE. For example: footlight up "npm run dev"'],
    [
      'fill e1 a e2',
      'fill: "e2" has no TEXT after it. For example: footlight fill e5 ada@example.org --submit',
    ],
    [
      'dialog maybe',
      'dialog: accept: expected true or false, received "maybe". For example: footlight dialog accept',
    ],
    [
      'shot e3 page.gif',
      'shot: format: expected "png" or "jpeg", received "gif". For example: footlight shot page.png --full-page',
    ],
    [
      "do 'shot page.png'",
      "do: line 1: \"shot page.png\" is a command of its own. For example: footlight do 'fill e3 ada' 'click e4' snap",
    ],
    [
      "do 'clik e1'",
      "do: line 1: unknown verb \"clik\". Did you mean footlight click e12? For example: footlight do 'fill e3 ada' 'click e4' snap",
    ],
    [
      "do snap 'close --all'",
      "do: line 2: \"close --all\" is a command of its own. For example: footlight do 'fill e3 ada' 'click e4' snap",
    ],
    [
      "do 'snap --json'",
      "do: line 1: --json and --raw belong to do. For example: footlight do 'fill e3 ada' 'click e4' snap",
    ],
  ])('%s', (line, error) => expect(parse(...wordsOf(line))).toEqual({ ok: false, error }))

  test('do without lines', () => {
    expect(parseShellCommand({ argv: ['do'], cwd })).toMatchObject({ ok: false })
  })
})

const argument = fc.oneof(
  fc.constantFrom(
    'e1',
    'button:Save',
    '#a',
    'Save',
    '"x"',
    '{"a":1}',
    '[1]',
    '5',
    'true',
    '',
    '--',
    '-s',
    '--json',
    '--no-force',
    '--timeout',
    '--env',
    'A=1',
    '__proto__',
    '--__proto__',
    '--constructor=1',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const argv = fc
  .tuple(
    fc.constantFrom([], ['-s', 'a'], ['-s=a']),
    fc.oneof(fc.constantFrom(...verbNames), fc.string()),
    fc.array(argument, { maxLength: 6 }),
  )
  .map(([session, verb, words]) => [...session, verb, ...words])

test('no command line throws, and every call that one makes has an input that its tool takes', () => {
  fc.assert(
    fc.property(argv, fc.string({ unit: 'binary' }), (words, stdin) => {
      const command = parseShellCommand({ argv: words, cwd, stdin })
      if (!command.ok) return expect(command.error).not.toBe('')
      for (const { tool, input } of callsOf(command.value.action))
        expect([tool.name, parseInput(tool, input).ok]).toEqual([tool.name, true])
    }),
    { numRuns: 3000 },
  )
})

test('words of a line are those of a POSIX shell', () => {
  expect(wordsOf(`a 'b c' "d \\"e\\" \\f" g\\ h i'j'"k" '' ''`)).toEqual([
    'a',
    'b c',
    'd "e" \\f',
    'g h',
    'ijk',
    '',
    '',
  ])
  expect(splitWords('a "b')).toEqual({ ok: false, error: 'a quote " has no end.' })
  const locators = [
    "getByRole('link', { name: 'Docs' })",
    'getByRole("row", {name: "a (b)"}).getByText(\'x y\')',
    "getByRole('listitem').filter({ hasText: 'Tea', has: page.getByRole('button') }).first()",
    "locator('#a > b')",
  ]
  for (const locator of locators)
    expect(splitWords(`fill ${locator} 'two words'`)).toEqual({
      ok: true,
      value: ['fill', locator, 'two words'],
    })
  const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
      expect(splitWords(words.map(quoted).join(' '))).toEqual({ ok: true, value: words })
    }),
  )
})
