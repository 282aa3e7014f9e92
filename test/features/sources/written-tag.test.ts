// A tag is at a noted place, near one of a source map, or the only one that it can be.

import { describe, expect, test } from 'bun:test'
import {
  findOnlyWritten,
  findWritten,
  type WrittenPlace,
  type WrittenTag,
} from '../../../src/features/sources/written-tag.ts'

const source = `import { Row } from './row'
const Title = props.isMain ? 'h1' : 'h2'
export const App = () => (
  <main>
    <Title>Shop</Title>
    <input id="name" placeholder="Name" />
    <input id="mail" {...more} />
    <p className="a">one</p><p className="b">two</p>
    {list.map((item) => <Row key={item} of={item} />)}
    <ui.Row />
    {'é'} <em>é</em>
    {createElement('aside', null)}
    <label htmlFor="name" onClick={() => a > b}>Name</label>
  </main>
)
`
const element = (name: string, attributes?: Record<string, string>): WrittenTag => ({
  name,
  isComponent: false,
  ...(attributes && { attributes }),
})
const component = (name: string): WrittenTag => ({ name, isComponent: true })
const at = (line: number, column?: number): WrittenPlace => ({ line, ...(column && { column }) })

describe('a place of the framework itself', () => {
  test.each<[string, WrittenPlace, WrittenTag, WrittenPlace | undefined]>([
    ['the tag', at(4, 3), element('main'), at(4, 3)],
    ['a column from 0', at(4, 2), element('main'), at(4, 3)],
    ['the column of the name', at(4, 4), element('main'), at(4, 3)],
    ['another column', at(4, 5), element('main'), undefined],
    ['another tag', at(6, 5), element('main'), undefined],
    ['a line that the file does not have', at(41, 5), element('input'), undefined],
    [
      'the same tag with its attributes',
      at(6, 5),
      element('input', { id: 'name', placeholder: 'Name' }),
      at(6, 5),
    ],
    ['the same tag of another element', at(6, 5), element('input', { id: 'mail' }), undefined],
    ['attributes that a spread may set again', at(7, 5), element('input', { id: 'other' }), at(7, 5)],
    ['an attribute with another name in the page', at(13, 5), element('label', { for: 'name' }), at(13, 5)],
    ['a tag in a variable', at(5, 5), element('h1'), at(5, 5)],
    ['a component, but the tag is elsewhere', at(5, 5), element('p'), undefined],
    ['a component', at(9, 25), component('Row'), at(9, 25)],
    ['a member', at(10, 5), component('Row'), at(10, 5)],
    ['a component with a name of its own', at(9, 25), component('memo(Row)'), at(9, 25)],
    ['another component', at(5, 5), component('Row'), undefined],
    ['a column in bytes', at(11, 12), element('em'), at(11, 11)],
    ['a line alone', at(4), element('main'), at(4, 3)],
    ['a line alone with two', at(8), element('p'), at(8)],
    ['a line alone without it', at(4), element('p'), undefined],
    ['a call', at(12, 6), element('aside'), undefined],
  ])('%s', (_, place, target, expected) =>
    expect(findWritten(source, place, target, false)).toEqual(expected as never),
  )
})

describe('a place by a source map', () => {
  test.each<[string, WrittenPlace, WrittenTag, WrittenPlace | undefined]>([
    ['the tag', at(4, 3), element('main'), at(4, 3)],
    ['before the tag', at(3, 23), element('main'), at(4, 3)],
    ['a map of lines', at(6, 1), element('input'), undefined],
    ['a call', at(12, 6), element('aside'), at(12, 6)],
    ['a line with the name in a call', at(12, 1), element('aside'), at(12)],
    ['a component that is elsewhere', at(5, 5), component('Row'), undefined],
    ['a component by another name', at(5, 5), component('Styled(h1)'), at(5, 5)],
    ['another line', at(1, 1), element('main'), undefined],
    ['the same tag of another element', at(6, 5), element('input', { id: 'mail' }), undefined],
  ])('%s', (_, place, target, expected) =>
    expect(findWritten(source, place, target, true)).toEqual(expected as never),
  )
})

test('the only tag that it can be', () => {
  expect(findOnlyWritten(source, element('main'))).toEqual(at(4, 3))
  expect(findOnlyWritten(source, element('p'))).toBeUndefined()
  expect(findOnlyWritten(source, element('table'))).toBeUndefined()
  // One of two is of another element.
  const inputs = '<input id="name" />\n<input id="mail" />'
  expect(findOnlyWritten(inputs, element('input', { id: 'mail' }))).toEqual(at(2, 1))
  // Names are no patterns.
  expect(findOnlyWritten(source, component('Styled(p)'))).toBeUndefined()
})
