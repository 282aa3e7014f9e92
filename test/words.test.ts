// Names that were retired do not return: a banned word stands in no identifier and no file name of src. The exceptions are terms of a
// standard or keys that users see.

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { identifiersIn, wordsOf } from './support/identifiers.ts'

/** Banned wherever they are a word of a name, with what to write instead. */
const words: Readonly<Record<string, string>> = {
  desk: 'sessionManager',
  room: 'openSession, remainingChars',
  rooms: 'openSessions',
  visit: 'toolCall',
  visits: 'toolCalls',
  visitor: 'client',
  turn: 'the place in the call queue',
  turns: 'the steps',
  gate: 'egressProxy',
  gates: 'egressProxies',
  exchange: 'networkRequest',
  traffic: 'networkLog',
  surface: 'tab',
  channel: 'cdpSession',
  rescue: 'hangRecovery',
  swift: 'fastClick, fastFill',
  strokes: 'keystrokes',
  sight: 'actionability',
  trial: 'interceptHitTarget',
  flood: 'consoleThrottle',
  soon: 'settleWithin',
  passage: 'progress',
  misfortune: 'fault',
  neighbour: 'otherSession',
  neighbours: 'otherSessions',
  house: 'the thing itself',
  hands: 'the thing itself',
  mend: 'fix',
  mended: 'fixed',
  told: 'message, reported',
}

/** Banned as a whole name: a name says what the value holds. */
const participles = new Set([
  'said',
  'asked',
  'kept',
  'held',
  'met',
  'given',
  'wanted',
  'begun',
  'meant',
  'seen',
  'found',
  'shown',
  'noted',
  'handed',
  'lost',
  'gone',
  'done',
  'odd',
  'near',
  'plain',
  // Names of outcomes: openResult, startResult, or the thing itself.
  'accepted',
  'answered',
  'bound',
  'captured',
  'completed',
  'disconnected',
  'downloaded',
  'ended',
  'inspected',
  'installed',
  'launched',
  'located',
  'opened',
  'parsed',
  'raced',
  'released',
  'reopened',
  'reported',
  'resized',
  'resolved',
  'restarted',
  'retried',
  'saved',
  'settled',
  'started',
  'stopped',
  'unpacked',
])

/** Banned as a whole name, with what to write instead. */
const names: Readonly<Record<string, string>> = {
  Call: 'Deadline',
  RunningCall: 'SessionCall',
  remainingTime: 'deadline.remaining',
  remainingCall: 'deadline',
  attemptCall: 'deadline',
}

/** Banned in the titles of tests and in what the programs that measure print. */
const titleWords = /\b(?:told|gates?|desk)\b/i

/** By file or folder. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // Standard terms of the web, of Playwright and of iterators.
  'src/core/browser/in-page/actions': ['MessageChannel'],
  'src/core/browser/process/launch-options.ts': ['channel'],
  'src/features/run-test/in-playwright/reporter.ts': ['channel'],
  'src/core/browser/actions/hover-and-drag.ts': ['trial'],
  'src/features/touch/touch.ts': ['trial'],
  // The state of a process.
  'src/core/devserver/start/direct-server.ts': ['stopped'],
  'src/features/browsers/unpack-kit.ts': ['done'],
  // An option that users write.
  'src/features/shell/verbs.ts': ['gone'],
  // A call waits for its turn in the call queue.
  'src/core/sessions': ['waitForTurn', 'runInTurn'],
  // A field of the details of TIMEOUT.
  'src/core/base/failure.ts': ['begun'],
  'src/core/base/failure-records.ts': ['begun'],
  'src/core/mcp/answers/failure-text.ts': ['begun'],
  'src/core/sessions/call/stop-failures.ts': ['begun'],
  // A key of the output of verify.
  'src/features/verify': ['seen'],
  // Keys of the output of `footlight doctor --json` and `footlight browsers --json`.
  'src/features/doctor': ['found'],
  'src/features/browsers/browser-listing.ts': ['found', 'asked'],
}

const root = join(import.meta.dir, '..')
const files = [...new Glob('src/**/*.ts').scanSync(root)].map((file) => file.replaceAll('\\', '/')).sort()

const isException = (file: string, name: string): boolean =>
  Object.entries(exceptions).some(
    ([path, names]) => (file === path || file.startsWith(`${path}/`)) && names.includes(name),
  )

const isRetired = (name: string): boolean =>
  Object.hasOwn(names, name) ||
  participles.has(name.toLowerCase()) ||
  wordsOf(name).some((word) => Object.hasOwn(words, word))

const violationsIn = (file: string, text: string): string[] => {
  const fileName = file.slice(file.lastIndexOf('/') + 1, -'.ts'.length)
  return [fileName, ...identifiersIn(text)].filter((name) => isRetired(name) && !isException(file, name))
}

test('no retired name in identifiers and file names', () => {
  const violations = files.flatMap((file) =>
    violationsIn(file, readFileSync(join(root, file), 'utf8')).map((name) => `${file}: ${name}`),
  )
  expect(violations).toEqual([])
})

test('identifiers are distinguished from comments, strings, regular expressions and templates', () => {
  const source = [
    '// comment',
    "const first = 'string' /* block */",
    'const second = `text ${third + `inner ${fourth}`} more`',
    'const fifth = first.replace(/regex[/]x/g, "double") / sixth',
  ].join('\n')
  expect(identifiersIn(source).sort()).toEqual([
    'const',
    'fifth',
    'first',
    'fourth',
    'replace',
    'second',
    'sixth',
    'third',
  ])
  expect(wordsOf('openHTTPDesk_COUNT')).toEqual(['open', 'http', 'desk', 'count'])
  expect(violationsIn('src/x/desk-open.ts', 'const deskCount = 1, noted = 2, desktop = 3')).toEqual([
    'desk-open',
    'deskCount',
    'noted',
  ])
})

// A title or a cell of a table: a string with several words.
const sentencesIn = (text: string): string[] =>
  [...text.matchAll(/(?<=[([,]\s*|^\s*)(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/gm)]
    .map(([sentence]) => sentence)
    .filter((sentence) => sentence.includes(' '))

test('no retired name in the titles of tests and in the tables of soak and bench', () => {
  const sources = ['test/**/*.test.ts', 'bench/**/*.ts']
    .flatMap((pattern) => [...new Glob(pattern).scanSync(root)])
    .filter((file) => !file.endsWith('words.test.ts'))
  const violations = sources.flatMap((file) =>
    sentencesIn(readFileSync(join(root, file), 'utf8'))
      .filter((sentence) => titleWords.test(sentence))
      .map((sentence) => `${file}: ${sentence}`),
  )
  expect(violations).toEqual([])
  expect(
    sentencesIn("test('a call is told', () => run('told', 'by x'))").filter((sentence) =>
      titleWords.test(sentence),
    ),
  ).toEqual(["'a call is told'"])
})

test('every exception is still needed', () => {
  const unused = Object.entries(exceptions).flatMap(([path, names]) => {
    const texts = files
      .filter((file) => file === path || file.startsWith(`${path}/`))
      .flatMap((file) => [
        file.slice(file.lastIndexOf('/') + 1, -'.ts'.length),
        ...identifiersIn(readFileSync(join(root, file), 'utf8')),
      ])
    return names.filter((name) => !texts.includes(name)).map((name) => `${path}: ${name}`)
  })
  expect(unused).toEqual([])
})
