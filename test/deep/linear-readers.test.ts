// Whatever reads the texts of pages, style sheets, bundles, source maps, ledgers, templates and git takes time that grows with the text alone.
// The same pieces for all: what is repeated, what opens and is never closed, lines that are long. A file that reads texts and is not here is
// named by the last test.

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasFewValues } from '../../src/core/base/text/json-size.ts'
import { createLineReader } from '../../src/core/base/text/line-reader.ts'
import { linesWithPath, readSourcePath } from '../../src/core/base/text/source-path.ts'
import { parseDiff } from '../../src/features/lib/changes/changed-file.ts'
import { selectorsAround } from '../../src/features/lib/changes/selectors-around.ts'
import { remoteHostOf } from '../../src/features/lib/pull-request/git-remote.ts'
import { isSourceOf, namesModule } from '../../src/features/sources/bundled-names.ts'
import { createCodeFrame } from '../../src/features/sources/code-frame.ts'
import { decodeMap } from '../../src/features/sources/map-cache.ts'
import { findMapReference, findModuleMap } from '../../src/features/sources/map-reference.ts'
import { measureMap } from '../../src/features/sources/measure-map.ts'
import { findModuleCode, findSourceLine } from '../../src/features/sources/module-lines.ts'
import { findNotes, findShift } from '../../src/features/sources/noted-places.ts'
import { parseOrigin } from '../../src/features/sources/parse-origin.ts'
import {
  findCurrentLine,
  findPositions,
  replacePositions,
} from '../../src/features/sources/script-positions.ts'
import {
  findComponentTemplate,
  findInTemplate,
  findTagStart,
} from '../../src/features/sources/template-match.ts'
import { columnsOf, findOnlyWritten, findWritten } from '../../src/features/sources/written-tag.ts'
import type { ChangedPath } from '../../src/features/verify/change/changed-path.ts'
import { readLineRuns } from '../../src/features/verify/coverage/read-line-runs.ts'
import { findLineChanges, hashLines } from '../../src/features/verify/flows/line-changes.ts'
import { parseEntry, type RunEntry } from '../../src/features/verify/ledger/entry.ts'
import { keepNewest } from '../../src/features/verify/ledger/keep-newest.ts'
import { countNamedLines, parseLines } from '../../src/features/verify/ledger/line-ranges.ts'
import { runsOfContent } from '../../src/features/verify/ledger/runs-of-content.ts'
import { functionEntriesOf } from '../../src/features/verify/ledger/source-functions.ts'
import { hashText } from '../../src/features/verify/ledger/text-hash.ts'
import { readModule } from '../../src/features/verify/node/read-module.ts'
import { findEvaluated } from '../../src/features/verify/page/evaluated-text.ts'
import { readRules } from '../../src/features/verify/page/style-rules.ts'
import { isDocumentation } from '../../src/features/verify/pieces/documentation.ts'
import { piecesOf } from '../../src/features/verify/pieces/pieces.ts'
import { parseMarkup } from '../../src/features/verify/source/parse-markup.ts'
import { parseStyle } from '../../src/features/verify/source/parse-style.ts'
import { judge } from '../../src/features/verify/verdict/verdict.ts'
import { expectLinear } from '../support/growth.ts'

const URL_OF_MODULE = 'webpack-internal:///./a.js'
const PIECES = [
  ...[
    'a',
    'A',
    '0',
    'ü',
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\\',
    '"',
    "'",
    '`',
    ',',
    ';',
    ':',
    '.',
    '/',
    '*',
    '@',
    '-',
    '=',
  ],
  ...[
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    '<',
    '>',
    '/*',
    '*/',
    '//',
    '<!--',
    '-->',
    '<a',
    '<a>',
    '</a>',
    '<a b="',
    '{{',
  ],
  ...[
    '../',
    'http://a/a.js:1:1',
    'a@',
    '0-9,',
    '[{',
    '{"a":',
    '"a",',
    '\\"',
    'return ',
    'type A =',
    'import ',
  ],
  ...[
    '//# sourceMappingURL=',
    `//# sourceURL=${URL_OF_MODULE}\\n`,
    'eval("',
    '")',
    '<template>',
    '@Component',
  ],
]
/** Statements, so that the whole can be parsed. */
const STATEMENTS = [
  ...[
    'a();\n',
    'a();',
    'function a() { b() }\n',
    'if (a) { b() } else c();\n',
    'x = (a) => b(a);\n',
    ';',
    '\n',
  ],
  ...[
    'try { a() } catch { b() }\n',
    'for (const a of b) c(a);\n',
    'class A { b = 1; c() { d() } }\n',
    'a = `${b}`;\n',
  ],
]
const RULES = [
  'a { b: c }\n',
  '.a, .b { c: d; }',
  '@media a { b { c: d } }\n',
  '/* a */',
  '\n',
  'a b > c {}\n',
  '@import "a";\n',
]

const target = { name: 'a', isComponent: false, attributes: { b: 'c' } }
const step = { tag: 'a', attributes: {}, text: 'a', isDirect: false, index: 0, count: 1 }
const run = (content: string, functions: Parameters<typeof functionEntriesOf>[0]): RunEntry => ({
  ...{ kind: 'run', at: 1, session: 's', file: 'a.js', content: 'old', call: 'c' },
  functions: functionEntriesOf(functions, content, 'a.js'),
})
const everyThirdLine = (text: string) =>
  text
    .split('\n')
    .flatMap((_, index) =>
      index % 3 === 0
        ? [{ firstLine: index + 1, lastLine: index + 2, ran: [index + 1], partly: [], notRun: [] }]
        : [],
    )
const lineCountOf = (text: string) => text.split('\n').length
const turned = (text: string) => text.split('\n').reverse().join('\n')

const edited = (text: string): ChangedPath => ({
  ...{ path: 'a.js', change: 'edited', content: text, removals: [] },
  lines: [...text.split('\n').keys()],
})

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  createLineReader: (text) => createLineReader(10_000, () => {})(Buffer.from(text)),
  hasFewValues: (text) => hasFewValues(Buffer.from(text), Infinity),
  readSourcePath: (text) => [
    readSourcePath(text, 'http://a/'),
    readSourcePath(`webpack://${text}`, 'http://a/'),
  ],
  linesWithPath: (text) => linesWithPath(text, 'a'),
  parseDiff: (text) => parseDiff(`diff --git a/a b/a\n@@ -1 +1 @@\n${text}`),
  selectorsAround: (text) => selectorsAround(text)(3),
  remoteHostOf,
  namesModule: (text) => namesModule(`${text}a/b.js`, 'a/b.js'),
  isSourceOf: (text) => isSourceOf(text, 'a.js', '/a'),
  createCodeFrame: (text) => createCodeFrame(text, lineCountOf(text), (part) => part),
  decodeMap: (text) => [decodeMap({ base64: text }), decodeMap({ encoded: text })],
  findMapReference: (text) =>
    [text, `//# sourceMappingURL=${text}`].map((one) => findMapReference(one, 'a', 1e7)),
  findModuleMap: (text) => findModuleMap(`${text}//# sourceURL=${URL_OF_MODULE}\\n`, URL_OF_MODULE, 1e7),
  'measureMap, of a text': (text) => measureMap(text, Infinity),
  'measureMap, of mappings': (text) =>
    measureMap(JSON.stringify({ version: 3, sources: [text], sourceRoot: text, mappings: text }), Infinity),
  'measureMap, of sections': (text) =>
    measureMap(
      JSON.stringify({
        sections: [...text].map((_, line) => ({
          offset: { line, column: 0 },
          map: { sources: [], mappings: '' },
        })),
      }),
      Infinity,
    ),
  findModuleCode: (text) => findModuleCode(`eval("${text}//# sourceURL=${URL_OF_MODULE}\\n")`, URL_OF_MODULE),
  findSourceLine: (text) => [text, turned(text)].map((other) => findSourceLine(text, other, 3)),
  findNotes: (text) => findShift(findNotes(text), text),
  parseOrigin: (text) => parseOrigin({ element: { tag: text, attributes: { class: text } }, path: [text] }),
  findCurrentLine: (text) =>
    [`${text}x`, turned(text), `x\n${text}`].map((other) => findCurrentLine(text, other, 3)),
  findPositions: (text) => findPositions(text, Infinity),
  replacePositions: (text) => replacePositions(text, () => undefined),
  findInTemplate: (text) =>
    [text, `<template>${text}</template>`].map((one) => findInTemplate(one, [step, step])),
  findComponentTemplate: (text) => findComponentTemplate(`@Component({ template: '${text}`, undefined),
  findTagStart: (text) => findTagStart(text, 'a', { line: lineCountOf(text), column: 100 }),
  findWritten: (text) =>
    [1, 9, undefined].map((column) => findWritten(text, { line: 1, column }, target, true)),
  findOnlyWritten: (text) => findOnlyWritten(text, target),
  columnsOf: (text) => columnsOf(text, text.length),
  isDocumentation: (text) => isDocumentation('a.md', text),
  parseMarkup: (text) => (['vue', 'svelte', 'astro'] as const).map((one) => parseMarkup(text, one)),
  parseStyle: (text) => [true, false].map((one) => parseStyle(text, one)),
  piecesOf: (text) => piecesOf(edited(text)),
  findLineChanges: (text) => findLineChanges(hashLines(text), hashLines(turned(text))),
  'findLineChanges, where nothing is the same': (text) =>
    findLineChanges(
      [...text].map((_, index) => `${index}`),
      [...text].map((_, index) => `x${index}`),
    ),
  parseEntry: (text) => [text, JSON.stringify({ kind: 'run', file: text })].map(parseEntry),
  parseLines: (text) => [parseLines(text), parseLines('1,'.repeat(text.length))],
  countNamedLines,
  runsOfContent: (text) => runsOfContent(text, [run(text, everyThirdLine(text))]),
  keepNewest: (text) =>
    keepNewest(
      text.split('\n').map((line) => ({ ...run(line, []), file: line })),
      1e9,
    ),
  readModule: (text) =>
    ['', "'use strict';async (", '(async function anonymous('].map((before) =>
      readModule({ url: 'file:///none/a.js', text: before + text, startedAt: 0 }, new Set(['/none/a.js'])),
    ),
  findEvaluated: (text) => findEvaluated(`eval("${text}//# sourceURL=${URL_OF_MODULE}\\n")`, URL_OF_MODULE),
  readRules: (text) => readRules(text),
  judge: (text) =>
    judge({
      ...{ base: 'a', isBaseKnown: true, claims: [], flows: [], stale: [] },
      ...{ tests: new Set<string>(), serverNote: '', serverFiles: new Set<string>() },
      changed: [edited(text)],
      entries: [{ ...run(text, everyThirdLine(text)), content: hashText(text) }],
    }),
}

const coverageOf = (text: string) => ({
  source: text,
  functions: [{ functionName: '', ranges: [{ startOffset: 0, endOffset: text.length, count: 1 }] }],
})

test.each(Object.entries(readers))(
  'property: time grows with the text: %s',
  (_, read) => expectLinear(read, PIECES),
  300_000,
)

test.each([
  ['readRules, of rules', RULES, (text: string) => readRules(text)],
  ['piecesOf, of statements', STATEMENTS, readers['piecesOf']!],
  ['readLineRuns, of statements', STATEMENTS, (text: string) => readLineRuns(coverageOf(text), [''])],
] as const)(
  'property: time grows with the text: %s',
  (_, pieces, read) => expectLinear(read, pieces),
  300_000,
)

/** Files of these folders that take texts apart, with the reason why none of them is a reader of its own. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'its readers are above': [
    'verify/coverage/build-region.ts',
    'verify/flows/find-tests.ts',
    'verify/flows/read-reports.ts',
    'verify/ledger/flow-entry.ts',
    'verify/ledger/ledger-file.ts',
    'verify/ledger/text-hash.ts',
    'verify/page/wanted-styles.ts',
    'sources/locate-element.ts',
    'sources/locate-sources.ts',
    'sources/parse-map.ts',
    'sources/script-maps.ts',
    'lib/changes/read-changes.ts',
  ],
  'a name, a path or an address, which has its own limit': [
    'verify/blank/blank-search.ts',
    'verify/change/path-in-tree.ts',
    'verify/flows/judge-flows.ts',
    'verify/page/page-reading.ts',
    'verify/page/script-texts.ts',
    'verify/page/wanted-sources.ts',
    'verify/session-coverage.ts',
    'sources/describe-action.ts',
    'sources/place-source.ts',
    'sources/session-sources.ts',
  ],
  'a message or a sentence, which is cut before': [
    'verify/blank/name-places.ts',
    'verify/flows/guard-session.ts',
    'verify/flows/run-flows.ts',
    'verify/locate-errors.ts',
    'verify/run-verify.ts',
    'verify/stop-hook/judge-stop.ts',
    'verify/stop-hook/open-lines.ts',
    'verify/verdict/verdict-answer.ts',
    'verify/verdict/verdict-lines.ts',
    'verify/verdict/verdict-markdown.ts',
  ],
  'the output of git, split at NUL or at line breaks': [
    'verify/change/changed-paths.ts',
    'verify/change/read-change.ts',
    'lib/changes/find-base.ts',
  ],
  'questions of Footlight itself, in processes of a server': [
    'verify/node/install-coverage.ts',
    'verify/node/server-coverage.ts',
  ],
}
const FOLDERS = ['verify', 'sources', 'lib/changes']

test('each file that takes foreign texts apart is read here', () => {
  const own = readFileSync(import.meta.path, 'utf8')
  const source = join(import.meta.dir, '../../src/features')
  const files = FOLDERS.flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.ts`).scanSync(source)]).filter(
    (file) =>
      !file.includes('/in-page/') &&
      /\.(?:exec|match|matchAll|replace|replaceAll|search|split|test)\(/.test(
        readFileSync(join(source, file), 'utf8'),
      ),
  )
  const others = Object.values(OTHERS).flat()
  expect(files.filter((file) => !own.includes(`/src/features/${file}'`) && !others.includes(file))).toEqual(
    [],
  )
  expect(others.filter((file) => !files.includes(file))).toEqual([])
})
