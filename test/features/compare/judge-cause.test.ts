// A cause is named with evidence only, and as a line that the reader can open.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { judgeCause } from '../../../src/features/compare/differences/judge-cause.ts'
import {
  addedFile,
  changedSelectors,
  parseDiff,
  placeNow,
} from '../../../src/features/lib/changes/changed-file.ts'

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
diff --git a/style.css b/style.css
index 1..2 100644
--- a/style.css
+++ b/style.css
@@ -2,3 +2,3 @@
 .lead {
-  color: red;
+  color: blue;
 }
diff --git a/gone.jsx b/gone.jsx
deleted file mode 100644
index 1..0
--- a/gone.jsx
+++ /dev/null
@@ -1 +0,0 @@
-<p>x</p>
`
const content = '.card {\n.lead {\n  color: blue;\n}\n}\n'
const changed = [
  ...parseDiff(diff).map((file) => (file.path === 'style.css' ? { ...file, content } : file)),
  addedFile('src/item.jsx', 'type Item = { name: string }\n'),
]
const at = (file: string, line: number, side: 'base' | 'current' = 'current') =>
  judgeCause({ side, source: { file, line } }, changed)

test('the files of a change, with the lines as they are now', () => {
  const [hunk] = changed[0]?.hunks ?? []
  expect(hunk?.changes.map(({ change, line }) => [change, line])).toEqual([
    ['removed', 11],
    ['added', 11],
    ['added', 12],
  ])
})

test('an element is made by the change where its own line was added, and only there', () => {
  expect(at('src/cart.jsx', 12)).toEqual({ file: 'src/cart.jsx', line: 12, inDiff: true })
  for (const [file, line] of [
    ['src/cart.jsx', 10],
    ['src/cart.jsx', 60],
    ['src/header.jsx', 3],
  ] as const)
    expect(at(file, line)).toEqual({ file, line })
})

test('what nothing is noted of has no cause, whatever the change says', () => {
  expect(judgeCause({ side: 'current' }, changed)).toEqual({})
})

test('a line of the base is named as the line that is there now', () => {
  expect(at('src/cart.jsx', 11, 'base')).toEqual({ file: 'src/cart.jsx', line: 11, inDiff: true })
  expect(at('src/cart.jsx', 12, 'base')).toEqual({ file: 'src/cart.jsx', line: 13 })
  expect(at('src/cart.jsx', 60, 'base')).toEqual({ file: 'src/cart.jsx', line: 61 })
  expect(at('src/cart.jsx', 9, 'base')).toEqual({ file: 'src/cart.jsx', line: 9 })
  expect(at('gone.jsx', 1, 'base')).toEqual({ file: 'gone.jsx', inDiff: true })
})

test('a changed rule is evidence where it matches the element', () => {
  expect(changed[1] && changedSelectors(changed[1])).toEqual([{ selector: '.card .lead', line: 3 }])
  const selectors = ['.card .lead']
  expect(judgeCause({ side: 'current', selectors }, changed)).toEqual({
    file: 'style.css',
    line: 3,
    inDiff: true,
  })
})

test('only where nothing was changed a difference is not in the diff', () => {
  expect(judgeCause({ side: 'current' }, [])).toEqual({ inDiff: false })
  const source = { file: 'a.jsx', line: 3 }
  expect(judgeCause({ side: 'current', source }, [])).toEqual({ ...source, inDiff: false })
})

test('a generated file, whose hunks are left out, gives no line of the base', () => {
  const files = [{ path: 'dist/app.js', hunks: [], isTooLong: true as const }]
  const source = { file: 'dist/app.js', line: 9 }
  expect(judgeCause({ side: 'base', source }, files)).toEqual({ file: 'dist/app.js' })
  expect(judgeCause({ side: 'current', source }, files)).toEqual(source)
})

test('each line that a change leaves is found again at its new place', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('-', '+', ' '), { minLength: 1, maxLength: 20 }), (marks) => {
      const count = (mark: string) => marks.filter((one) => one !== mark).length
      const rows = marks.map((mark) => `${mark}x`).join('\n')
      const head = `@@ -5,${count('+')} +5,${count('-')} @@`
      const [file] = parseDiff(`diff --git a/a b/a\n--- a/a\n+++ b/a\n${head}\n${rows}\n`)
      if (!file) throw new Error('no file')
      let [old, now] = [5, 5]
      for (const mark of marks) {
        if (mark === ' ') {
          expect(placeNow(file, old, 'base')).toEqual({ line: now, isChanged: false })
          expect(placeNow(file, now, 'current').isChanged).toBe(false)
        } else if (mark === '-') expect(placeNow(file, old, 'base').isChanged).toBe(true)
        else expect(placeNow(file, now, 'current').isChanged).toBe(true)
        if (mark !== '+') old += 1
        if (mark !== '-') now += 1
      }
    }),
  )
})
