// Which line of a change made a difference.

import { expect, test } from 'bun:test'
import { addedFile, changedSelectors, parseDiff } from '../../../src/core/comparison/changed-file.ts'
import { explainDifference, type Facts } from '../../../src/core/comparison/explain.ts'

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
