import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { linesWithPath } from '../../../src/core/base/text/source-path.ts'

const segment = fc.stringMatching(/^[a-z0-9.+$-]{1,8}$/)
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => `/${parts.join('/')}`)
const otherLine = fc.constantFrom('', '<p>Items</p>', 'const count = 1', '// all of them')

describe('the lines with the path of a page', () => {
  test('a link, a form and a call of the router are found wherever they are', () => {
    const written = fc.constantFrom<(path: string) => string>(
      (it) => `  <a id="items" href="${it}">Items</a>`,
      (it) => `  <a href='${it}?page=2'>Items</a>`,
      (it) => `<form action=${it} method=post>`,
      (it) => `  <a href=${it}>Items</a>`,
      (it) => `router.push(\`${it}#top\`)`,
      (it) => `{ path: "${it}" },`,
    )
    fc.assert(
      fc.property(fc.array(otherLine), fc.array(otherLine), path, written, (before, after, it, write) => {
        const text = [...before, write(it), ...after].join('\n')
        expect(linesWithPath(text, it)).toEqual([before.length + 1])
      }),
      { numRuns: 300 },
    )
  })

  test('a part of another path is none', () => {
    const around = fc.constantFrom<(path: string) => string>(
      (it) => `<a href="${it}/all">`,
      (it) => `<a href="/shop${it}">`,
      (it) => `<a href="${it}s">`,
      (it) => `// see ${it}`,
    )
    fc.assert(
      fc.property(path, around, (it, write) => {
        expect(linesWithPath(write(it), it)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})
