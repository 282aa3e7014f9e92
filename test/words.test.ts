// Names that were retired do not return. A word is banned in every identifier and file name of its folder; what to write instead
// stands beside it. A folder whose names have been cleaned gets a line in `folders`.

import { Glob } from 'bun'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { identifiersIn, wordsOf } from './support/identifiers.ts'

/** Words of the project's former private language, wherever they stand in a name. */
const metaphors: Readonly<Record<string, string>> = {
  desk: 'sessionManager',
  sight: 'actionability',
  rescue: 'hangRecovery',
  traffic: 'networkLog',
  neighbour: 'otherSession',
  house: 'the thing itself',
  hands: 'the thing itself',
}

/** Words that no name consists of: say what the value holds. */
const participles = ['noted', 'handed']

/** What is banned on top of that where the names have been cleaned. */
const folders: Readonly<Record<string, { metaphors?: readonly string[]; participles?: readonly string[] }>> =
  {}

const root = join(import.meta.dir, '..')
const files = [...new Glob('src/**/*.ts').scanSync(root)].map((file) => file.replaceAll('\\', '/')).sort()

const bannedIn = (file: string) => {
  const rules = Object.entries(folders).flatMap(([folder, rule]) =>
    file.startsWith(`${folder}/`) ? [rule] : [],
  )
  return {
    words: new Set([...Object.keys(metaphors), ...rules.flatMap((rule) => rule.metaphors ?? [])]),
    names: new Set([...participles, ...rules.flatMap((rule) => rule.participles ?? [])]),
  }
}

const violationsIn = (file: string, text: string): string[] => {
  const { words, names } = bannedIn(file)
  const fileName = file.slice(file.lastIndexOf('/') + 1, -'.ts'.length)
  return [fileName, ...identifiersIn(text)].filter(
    (name) => names.has(name) || wordsOf(name).some((word) => words.has(word)),
  )
}

test('no retired name in identifiers and file names', () => {
  const violations = files.flatMap((file) =>
    violationsIn(file, readFileSync(join(root, file), 'utf8')).map((name) => `${file}: ${name}`),
  )
  expect(violations).toEqual([])
})

test('identifiers are told from comments, strings, regular expressions and templates', () => {
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
