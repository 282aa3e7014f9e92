// Whatever reads foreign text takes time that grows with the text alone: twice the text, at most 2.5 times the time. Each property makes
// texts of the pieces that are worst for a function. The readers of verify, sources and styles are in linear-readers.test.ts.

import { test } from 'bun:test'
import { checkSelector } from '../../src/core/base/failure.ts'
import { parseResourceUri } from '../../src/core/base/files/resource-uri.ts'
import { parseHostRule } from '../../src/core/base/network/host-rule.ts'
import { checkUrl, globToRegExpSource } from '../../src/core/base/network/page-url.ts'
import { createRedactor } from '../../src/core/base/redaction/redactor.ts'
import { sanitizeFileName } from '../../src/core/base/text/clip.ts'
import { findClosestName } from '../../src/core/base/text/closest-name.ts'
import { stripTerminalCodes } from '../../src/core/base/text/terminal-codes.ts'
import { estimateTokens } from '../../src/core/base/token-estimate.ts'
import { messageOf, selectorFailure } from '../../src/core/browser/playwright/errors.ts'
import { omitPage } from '../../src/core/browser/playwright/locator.ts'
import { findAnnouncedUrl } from '../../src/core/devserver/dev-server.ts'
import { lastLinesOf } from '../../src/core/devserver/start/run-command.ts'
import { findClosestElements } from '../../src/core/snapshot/closest-elements.ts'
import { describeChanges } from '../../src/core/snapshot/compare-snapshots.ts'
import { linesOf } from '../../src/core/snapshot/snapshot-lines.ts'
import { moveRefs } from '../../src/core/tool/target.ts'
import { hasSameText } from '../../src/features/freshness/held-text.ts'
import { parseRequestHead, rewriteResponseHead } from '../../src/features/host-rules/http-head.ts'
import { addedFile, changedSelectors, parseDiff } from '../../src/features/lib/changes/changed-file.ts'
import { buildRegion } from '../../src/features/verify/coverage/build-region.ts'
import { functionsIn } from '../../src/features/verify/coverage/functions-in.ts'
import { parseScript } from '../../src/features/verify/coverage/parse-script.ts'
import { readRules } from '../../src/features/verify/page/style-rules.ts'
import { styleBlocksOf } from '../../src/features/verify/source/style-blocks.ts'
import { expectLinear } from '../support/growth.ts'

const DIFF_PIECES = ['diff --git a/a b/b\n', '@@ -1,2 +1,2 @@\n', '+', '-', ' ', '\n', '+++ b/a', '--- ', '"']
const knowing = createRedactor()
knowing.learn('typed', ['kn0wn-s3cret', 'kn0wn-s3cret-longer', 'kn0w kn0w kn0w'])

const row = (name: string) => ({ role: 'button', name, ref: 'e1', children: [] })
const scanners: Readonly<
  Record<string, readonly [scan: (text: string) => unknown, pieces: readonly string[]]>
> = {
  estimateTokens: [estimateTokens, ['a', 'A', 'aA1+', '1', ' ', '\n', '(', 'é', '漢', '"\\']],
  plainLine: [
    stripTerminalCodes,
    [
      '\u001b',
      '\u001b]',
      '\u001b[',
      '\u001b[0;',
      '\u001bP',
      '\\',
      '\u0007',
      '0',
      ';',
      ' ',
      'a',
      '\r',
      '\u001b((',
    ],
  ],
  urlIn: [
    findAnnouncedUrl,
    [
      'http://localhost:1/',
      'http://',
      'https://[::',
      '.',
      ',',
      '!',
      'x',
      '\u001b]',
      ':1',
      ' ',
      'localhost:',
      'a.',
      '-',
    ],
  ],
  safeName: [sanitizeFileName, ['.', ' ', '/', '\\', 'a', '\u202e', '\u0301', 'con.', '\n']],
  checkUrl: [checkUrl, ['localhost', 'a', '.', '-', ':', '1', '/', ' ', 'http://', '\t', '@', '%']],
  selectorProblem: [checkSelector, ['>>', ' ', 'nth=', '1', 'aria-ref=', 'a', '\n']],
  parseRule: [parseHostRule, ['*.', 'a', '.', ':', '1', '[', ']', '/', ' ', '%']],
  globSource: [globToRegExpSource, ['*', '**', '**/', '/', '{', '}', ',', '\\', 'a']],
  'the redactor': [
    createRedactor().redactText,
    [
      ...['=', ':', ',', '"', "'", '\\', '{', '[', '}', ']', '<', '>', '&', '?', '@', '\n', ' ', '-'],
      ...[
        'password',
        'token="',
        '"password":["',
        'name="value"',
        'secret: {',
        'code=',
        'client_id=',
        'value=',
      ],
      ...[
        '%41',
        '%25',
        '&#65;',
        '\\u0041',
        'QUFB',
        '<input ',
        '<secret>',
        'Bearer ',
        'authorization:',
        'cookie: a=',
      ],
      ...['-----BEGIN PRIVATE KEY-----', 'http://', 'eyJ', '4111 ', 'insert into a(', ') values ', 'a', 'a.'],
    ],
  ],
  'the redactor, of known values': [
    knowing.redactText,
    ['kn0wn-s3cret', 'kn0w', 'n-s3cret', 'a', '%6b', ' ', '"'],
  ],
  readAddress: [
    (text) => parseResourceUri(`footlight://sessions/${text}`),
    ['a', '/', 'files/', '.', '?since=', '1', '%41'],
  ],
  readRequest: [
    (text) => parseRequestHead(`GET http://a/${text}`),
    ['x', ' ', '\r\n', 'host:', 'connection', ':', ' HTTP/1.1', '\t', 'CONNECT ', ':1'],
  ],
  rewriteResponse: [rewriteResponseHead, ['HTTP/1.1 1', '\r\n', 'connection', ':', ' ', 'a']],
  nearest: [
    (text) => findClosestName(text, ['create_session', 'navigate']),
    ['n', '_', ' ', 'navigate', 'İ'],
  ],
  'closest, of a target': [
    (text) => findClosestElements(text, linesOf([row('send the order'), row('x'.repeat(39))])),
    ['a', 'A', ' ', 'word', '#', '.', 'é'],
  ],
  'closest, of a name': [
    (text) => findClosestElements('#send-order', linesOf([row(text)])),
    ['a', 'A', ' ', 'word', '.', 'é'],
  ],
  'closest, of many words and names': [
    (text) => findClosestElements(text, linesOf(text.match(/[^]{1,30}/g)?.map(row) ?? [])),
    ['send ', 'ordre', 'o', ' ', 'aB'],
  ],
  'closest, of many names': [
    (text) =>
      findClosestElements('#send-order-now by name', linesOf(text.match(/[^]{1,30}/g)?.map(row) ?? [])),
    ['send ', 'ordre', 'o', ' ', 'aB'],
  ],
  linesOf: [
    (text) => linesOf([{ role: 'button', name: text, text: `${text}.` }, text]),
    ['a', ' ', '\n', '\u00a0', '"'],
  ],
  changes: [
    // Without a shorter last line: it may be one that moved, which takes other work than lines that are all new.
    (text) =>
      describeChanges(linesOf(text.match(/[^]{9}/g) ?? []), linesOf(text.match(/[^]{8}/g) ?? []), 1500),
    ['a', 'b', ' '],
  ],
  'plain, of an error': [
    (text) => messageOf(new Error(text)),
    ['\n', 'Call log:', '\u001b[', '0;', 'm', 'a', 'a.', ': ', 'Error: ', ' '],
  ],
  selectorFailure: [
    (text) => selectorFailure(new Error(text), 'a'),
    ['strict mode violation: ', ' resolved to ', '1', ' elements:', '\n', 'aka ', '1) ', ' '],
  ],
  omitPage: [
    (text) => omitPage(`getByText(${text}`),
    ["'", '"', '`', '/', '[', '\\', '\n', ' ', 'page', '.', ';', 'await '],
  ],
  moveRefs: [(text) => moveRefs({ selector: text }), [' ', '[', ']', 'ref=', 'e', '1', 'f1']],
  hasSameText: [
    (text) => hasSameText(`${text}x<p>`, new TextEncoder().encode('<p>')),
    ['<script>', '</script>', '<!--', '-->', ' ', 'a'],
  ],
  'parseDiff, of one file': [(text) => parseDiff(`diff --git a/a b/a\n${text}`), DIFF_PIECES],
  'the selectors of a changed style sheet': [
    (text) => changedSelectors({ ...addedFile('a.vue', text), content: text }),
    ['/*', '*/', '{', '}', '<style', '>', ';', '\n', ' ', '.a', '@media', '&', '/'],
  ],
  'the rules of a style sheet': [
    (text) => readRules(text, 'data-v-1'),
    [
      '/* ',
      '*/',
      '{',
      '}',
      ';',
      '.a',
      '._a_12345_1',
      ':global(',
      ')',
      '"',
      '\n',
      ' ',
      '@media ',
      ',',
      'url(',
      '\\',
    ],
  ],
  'the style blocks of a component': [
    (text) => styleBlocksOf('a.vue', text),
    ['<style', '>', '</style', '\n', ' ', 'a {}'],
  ],
  'the code of a script': [
    buildRegions,
    [
      'const a = b(1);\n',
      'function f() { return a }\n',
      '(() => 1)();\n',
      'if (a) { b() } else c()\n',
      'for (const x of y) { x.z() }\n',
      'async () => { await a /**/ // b\n /**/ /* ; */ };\n',
      'class A { static a = 1; b() {} };\n',
      'try { a() } catch {}\n',
      '{ let q = a; { q } }\n',
    ],
  ],
  'the last lines of a command': [lastLinesOf, ['\n', ' ', '\u001b]', 'a', '\r', '\t']],
}

test.each(Object.entries(scanners))(
  'property: time grows with the text: %s',
  (_, [scan, pieces]) => expectLinear(scan, pieces),
  120_000,
)

function buildRegions(text: string): void {
  const program = parseScript(text)
  const none = () => 0
  for (const own of program ? functionsIn(program.tree, text.length) : [])
    buildRegion(own, { source: text, at: none, of: none }, false)
}
