import { expect, test } from 'bun:test'
import type { TemplateStep } from '../../../src/core/sessions/types/sources.ts'
import { findComponentTemplate, findInTemplate } from '../../../src/features/sources/template-match.ts'
const step = (tag: string, more: Partial<TemplateStep> = {}): TemplateStep => ({
  tag,
  attributes: {},
  index: 0,
  count: 1,
  isDirect: true,
  ...more,
})

const vue = `<script setup>
const label = '<button id="save">'
</script>
<template>
  <main>
    <!-- <button id="save">Save</button> -->
    <button id="save" class="big" @click="save">Save</button>
    <ul>
      <li v-for="item in items" :key="item.id">{{ item.name }}</li>
    </ul>
    <section>
      <p>same</p>
      <p>same</p>
      <b>{{ count }}</b>
    </section>
    <Box><i>one</i><i>two</i></Box>
  </main>
</template>`

const section = step('section', { index: 2, count: 4 })

test.each([
  [
    'by its attributes',
    [step('button', { attributes: { id: 'save', class: 'big hot', 'data-v-1': '' }, text: 'Save' })],
    7,
  ],
  ['in a list', [step('li', { index: 1, count: 2, text: 'x' }), step('ul', { index: 1, count: 4 })], 9],
  ['by its place', [step('p', { index: 1, count: 3, text: 'same' }), section], 13],
  ['by its text, in another component', [step('i', { text: 'two', index: 1, count: 2 })], 16],
] as const)('a tag is found %s', (_, path, line) => expect(findInTemplate(vue, path)?.line).toBe(line))

test.each([
  ['of two equal tags', [step('p', { text: 'same' })]],
  ['where the page has more children than the template', [step('p', { text: 'same', count: 4 }), section]],
  ['with another text', [step('i', { text: 'three' })]],
  ['with another attribute', [step('button', { attributes: { id: 'send' } })]],
  ['in a comment or a script', [step('button', { attributes: { id: 'save' }, text: '' })]],
  ['that the template does not have', [step('em')]],
] as const)('none is found %s', (_, path) => expect(findInTemplate(vue, path)).toBeUndefined())

test('control flow and conditions end the counting of children', () => {
  const template = '<div>\n@if (a) {\n<p>{{ a }}</p>\n}\n<p>{{ b }}</p>\n</div>'
  // The one may be hidden and the other repeated.
  const path = [step('p', { index: 1, count: 2 }), step('div')]
  expect(findInTemplate(template, path)).toBeUndefined()
  expect(findInTemplate('<div>\n<p v-if="a">{{ a }}</p>\n<p v-else>{{ b }}</p></div>', path)).toBeUndefined()
})

test('a template of Angular is in a file, or in the decorator of the class', () => {
  const source = `@Component({ selector: 'a', templateUrl: './a.html' })
export class A {}
@Component({ template: \`<p>b</p>\` })
export class B {}`
  expect(findComponentTemplate(source, 2)).toEqual({ url: './a.html' })
  const inline = findComponentTemplate(source, 4)
  expect(inline && 'start' in inline && source.slice(inline.start, inline.end)).toBe('<p>b</p>')
  expect(findComponentTemplate('export class C {}', 1)).toBeUndefined()
})
