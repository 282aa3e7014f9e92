// Which line of a change made a difference.

import { expect, test } from 'bun:test'
import { explainDifference, type Facts } from '../../../src/features/compare/differences/explain.ts'
import { addedFile, changedSelectors, parseDiff } from '../../../src/features/lib/changes/changed-file.ts'

const diff = `diff --git a/src/cart.jsx b/src/cart.jsx
index 1..2 100644
--- a/src/cart.jsx
+++ b/src/cart.jsx
@@ -10,5 +10,6 @@ function Cart() {
   return (
-    <button>Add to cart</button>
+    <button>Buy now</button>
+    <Hint />
   )
 }
 export
@@ -40,3 +41,3 @@
-const total = a + b
+const total = a - b
 end
diff --git a/style.css b/style.css
index 1..2 100644
--- a/style.css
+++ b/style.css
@@ -2,4 +2,4 @@
 .lead {
-  color: red;
+  color: blue;
 }
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
index 1..0
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-x
`
const content = '.card {\n.lead {\n  color: blue;\n}\n}\n'
const changed = [
  ...parseDiff(diff).map((file) => (file.path === 'style.css' ? { ...file, content } : file)),
  addedFile('src/price.js', 'export const price = () => 5\n'),
]
const facts = (more: Partial<Facts>): Facts => ({
  side: 'current',
  uses: [],
  selectors: [],
  imported: [],
  loaded: [],
  ...more,
})
const explain = (more: Partial<Facts>) => explainDifference(facts(more), changed)

test('the files of a change, with the lines as they are now', () => {
  expect(changed.map(({ path, hunks }) => [path, hunks.length])).toEqual([
    ['src/cart.jsx', 2],
    ['style.css', 1],
    ['gone.txt', 1],
    ['src/price.js', 1],
  ])
  const [hunk] = changed[0]?.hunks ?? []
  expect(hunk?.changes.map(({ change, line }) => [change, line])).toEqual([
    ['removed', 11],
    ['added', 11],
    ['added', 12],
  ])
})

test('a text that is written in the change is explained by its line, wherever its element is', () => {
  expect(explain({ before: 'button "Add to cart"', after: 'button "Buy now"' })).toEqual({
    file: 'src/cart.jsx',
    line: 11,
    inDiff: true,
  })
})

test('an element is explained by the change of its line, then of its file, then of what it imports', () => {
  expect(explain({ source: { file: 'src/cart.jsx', line: 12 } })).toMatchObject({ line: 11, inDiff: true })
  expect(explain({ source: { file: 'src/cart.jsx', line: 60 } })).toMatchObject({ line: 41, inDiff: true })
  expect(explain({ source: { file: 'src/sum.jsx', line: 3 }, imported: ['src/price.js'] })).toEqual({
    file: 'src/price.js',
    line: 1,
    inDiff: true,
  })
})

test('an element that no change reaches is not in the diff, and its own line is named', () => {
  expect(explain({ source: { file: 'src/header.jsx', line: 3 }, loaded: ['style.css'] })).toEqual({
    file: 'src/header.jsx',
    line: 3,
    inDiff: false,
  })
})

test('a style is explained by the rule that matches the element', () => {
  const [, styles] = changed
  expect(styles && changedSelectors(styles)).toEqual([{ selector: '.card .lead', line: 3 }])
  const source = { file: 'src/header.jsx', line: 3 }
  expect(explain({ source, selectors: ['.card .lead'] })).toEqual({
    file: 'style.css',
    line: 3,
    inDiff: true,
  })
})

test('without a known source it is what the page has loaded', () => {
  expect(explain({ loaded: ['style.css'] })).toMatchObject({ file: 'style.css', inDiff: true })
  expect(explain({})).toEqual({ inDiff: false })
})

test('where an element is and how wide it is, a changed rule explains before the file that it is written in', () => {
  const source = { file: 'src/cart.jsx', line: 60 }
  const selectors = ['.card .lead']
  for (const kind of ['layout', 'pixels'] as const)
    expect(explain({ kind, source, selectors })).toMatchObject({ file: 'style.css', line: 3 })
  expect(explain({ kind: 'layout', source })).toMatchObject({ file: 'src/cart.jsx' })
})

test('one changed file is no cause of everything: it was loaded by the step, and could make the difference', () => {
  const only = [addedFile('views/alpaca.html', '<p>Alpaca wool</p>\n')]
  const difference = facts({ kind: 'tree', before: 'text: 3 left', after: 'text: 5 left' })
  expect(explainDifference(difference, only)).toEqual({ inDiff: false })
  expect(explainDifference({ ...difference, loaded: ['views/alpaca.html'] }, only)).toEqual({ inDiff: false })
  const script = [addedFile('src/count.js', 'export const left = compute()\n')]
  expect(explainDifference(difference, script)).toEqual({ inDiff: false })
  expect(explainDifference({ ...difference, loaded: ['src/count.js'] }, script)).toMatchObject({
    inDiff: true,
  })
})

test('what only other steps have loaded is no cause, whatever its text is', () => {
  const words = [addedFile('views/alpaca.html', '<p>Sold out</p>\n')]
  const difference = facts({ kind: 'tree', before: 'text: 3 left', after: 'text: Sold out' })
  expect(explainDifference(difference, words)).toMatchObject({ file: 'views/alpaca.html', inDiff: true })
  expect(explainDifference({ ...difference, elsewhere: ['views/alpaca.html'] }, words)).toEqual({
    inDiff: false,
  })
})

test('a rule that matches nothing on the page is no cause; a style without one may be', () => {
  const asked = facts({ kind: 'pixels', isMatched: true, loaded: ['style.css'] })
  expect(explainDifference(asked, changed)).toEqual({ inDiff: false })
  const font = [addedFile('style.css', "@import 'font.css';\n")]
  expect(explainDifference(asked, font)).toMatchObject({ inDiff: true })
})

test('a word of code that became another one explains a page where the same happened, a number however it is written', () => {
  const price = parseDiff(`diff --git a/server.js b/server.js
--- a/server.js
+++ b/server.js
@@ -3,1 +3,1 @@
-  { id: 1, price: 7.5 },
+  { id: 1, price: 8 },
`)
  const onPage = (before: string, after: string) =>
    explainDifference(facts({ kind: 'tree', before, after }), price)
  expect(onPage('text: Assam € 7.50', 'text: Assam € 8.00')).toEqual({
    file: 'server.js',
    line: 3,
    inDiff: true,
  })
  expect(onPage('text: Assam € 7.50', 'text: Assam € 9.00')).toEqual({ inDiff: false })
})

test('a file whose change is too long to be read may have every text, and those after it are read', () => {
  const long = `diff --git a/dist/app.js b/dist/app.js
--- a/dist/app.js
+++ b/dist/app.js
@@ -1,1 +1,1 @@
-${'a'.repeat(600_000)}
+${'b'.repeat(600_000)}
`
  const files = parseDiff(long + diff)
  expect(files[0]).toEqual({ path: 'dist/app.js', hunks: [], isTooLong: true })
  expect(files.slice(1)).toEqual([...parseDiff(diff)])
  const difference = facts({ kind: 'tree', after: 'text: Out of nowhere', loaded: ['dist/app.js'] })
  expect(explainDifference(difference, files)).toEqual({ file: 'dist/app.js', inDiff: true })
})

test('where so many lines were searched already, a text is still found where it is a whole literal', () => {
  const quick = { before: 'button "Add to cart"', after: 'button "Buy now"', isQuick: true }
  expect(explainDifference(facts(quick), changed)).toEqual({ file: 'src/cart.jsx', line: 11, inDiff: true })
  expect(explainDifference(facts({ after: 'text: Buy now or later', isQuick: true }), changed)).toEqual({
    inDiff: false,
  })
})

test('a word of the page is no part of a longer word of the change', () => {
  const book = [addedFile('server.js', "// nothing\nconst list = 'Address book'\nconst Addition = 5\n")]
  expect(explainDifference(facts({ after: 'button "Add"' }), book)).toEqual({ inDiff: false })
  expect(explainDifference(facts({ after: 'link "Address"' }), book)).toMatchObject({ line: 2, inDiff: true })
  expect(explainDifference(facts({ after: 'text: 5' + ' Address books' }), book)).toMatchObject({
    inDiff: false,
  })
})

test('scripts without spaces between words have no longer words', () => {
  const cart = [addedFile('server.js', 'const label = `カートに${count}個追加`\n')]
  expect(explainDifference(facts({ after: 'button "カートに3個追加"' }), cart)).toMatchObject({
    inDiff: true,
  })
})

const hunkOf = (path: string, rows: readonly string[], start = 1) => {
  const count = (mark: string) => rows.filter((row) => !row.startsWith(mark)).length
  const head = `--- a/${path}\n+++ b/${path}\n@@ -${start},${count('+')} +${start},${count('-')} @@`
  return `diff --git a/${path} b/${path}\n${head}\n${rows.join('\n')}\n`
}

test.each([
  ['app.js', ['-// one', '+// two', '+']],
  ['app.js', ['-/* one */', '+/* two', '+   three */', ' go()']],
  ['app.js', [' /**', '- * Goes.', '+ * Runs.', '  */']],
  ['app.js', ['- * Goes.', '+ * Runs.', '  */', ' go()']],
  ['app.jsx', ['-    {/* one */}', '+']],
  ['app.py', ['-# one', '+# two']],
  ['index.html', ['-<!-- one -->', '+<!-- two -->']],
  ['style.css', ['-/* one */', '+/* two */']],
])('a comment of a loaded file is no cause: %p %p', (path, rows) => {
  const change = parseDiff(hunkOf(path, rows))
  for (const source of [undefined, { file: path, line: 2 }])
    expect(
      explainDifference(facts({ kind: 'pixels', loaded: [path], ...(source && { source }) }), change).inDiff,
    ).toBe(false)
})

test.each([
  ['app.js', ['-// one', '+go()']],
  ['app.js', ['-  * 2', '+  * 3']],
  ['app.js', [' /* a */', '-  * 2', '+  * 3']],
  ['app.js', ['-/* one */ go()', '+/* one */ run()']],
  ['style.css', ['-* { margin: 0 }', '+* { margin: 1px }']],
  ['style.css', ['-#one { margin: 0 }', '+#two { margin: 0 }']],
  ['index.html', ['-<!-- one --><p>', '+<!-- one --><b>']],
  ['a.py', ['-  go()', '+    go()']],
])('what only looks like a comment is a cause: %p %p', (path, rows) => {
  const change = parseDiff(hunkOf(path, rows))
  expect(explainDifference(facts({ kind: 'pixels', loaded: [path] }), change).inDiff).toBe(true)
})

test('a line that is named exists: after an empty line without a mark, at the end of a file, in one that is gone', () => {
  const lineOf = (rows: readonly string[], start?: number) =>
    explainDifference(facts({ loaded: ['a.js'] }), parseDiff(hunkOf('a.js', rows, start))).line
  expect(lineOf([' <main>', '', '-<h1>Old</h1>', '+<h1>New</h1>'], 3)).toBe(5)
  expect(lineOf([' one()', '-two()', '-three()'], 7)).toBe(7)
  expect(lineOf(['-two()'], 0)).toBeUndefined()
})
