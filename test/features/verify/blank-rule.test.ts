// When a page is blank, from what was read of it.

import { expect, test } from 'bun:test'
import { type BlankFacts, judgeBlank } from '../../../src/features/verify/blank/blank-rule.ts'
import {
  type ElementFacts,
  showsContent,
} from '../../../src/features/verify/blank/in-page/element-content.ts'
import type { PageContent } from '../../../src/features/verify/blank/in-page/page-content.ts'
import { choosePlaces } from '../../../src/features/verify/blank/name-places.ts'

const viewport = { width: 1000, height: 800 }
const shows = (facts: Partial<ElementFacts>) =>
  showsContent(
    {
      tag: 'div',
      hasText: false,
      isPainted: false,
      isAnimated: false,
      isClosed: false,
      width: 100,
      height: 20,
      isOutside: false,
      ...facts,
    },
    viewport,
  )

test('texts, pictures, fields and painted boxes are content; what nobody can see is none', () => {
  expect(shows({})).toBe(false)
  expect(shows({ hasText: true })).toBe(true)
  expect(shows({ hasText: true, width: 1, height: 1 })).toBe(false)
  expect(shows({ hasText: true, isOutside: true })).toBe(false)
  for (const tag of ['img', 'canvas', 'iframe', 'embed', 'input', 'svg', 'video'])
    expect(shows({ tag })).toBe(true)
  expect(shows({ tag: 'img', width: 0 })).toBe(false)
  expect(shows({ isClosed: true })).toBe(true)
  expect(shows({ isPainted: true })).toBe(true)
  expect(shows({ isPainted: true, height: 1 })).toBe(true)
})

test('a background as large as the viewport is none, unless it moves', () => {
  expect(shows({ isPainted: true, ...viewport })).toBe(false)
  expect(shows({ isPainted: true, isAnimated: true, ...viewport })).toBe(true)
  expect(shows({ isPainted: true, hasText: true, ...viewport })).toBe(true)
})

const full: PageContent = { document: 1, elements: 40, isBlank: false, isLoading: false }
const empty: PageContent = { ...full, elements: 1, isBlank: true }
const judge = (facts: Partial<BlankFacts>) =>
  judgeBlank({
    now: empty,
    before: full,
    hasError: false,
    isRequesting: false,
    hasTimers: false,
    blankFor: 0,
    ...facts,
  })

test('a page is blank if it had content, has none, and nothing is on its way', () => {
  expect(judge({})).toBe('blank')
  expect(judge({ now: full })).toBe('full')
  expect(judge({ before: undefined, hasError: true })).toBe('full')
  expect(judge({ now: { ...empty, isLoading: true }, hasError: true })).toBe('open')
  for (const pending of [{ isRequesting: true }, { hasTimers: true }]) {
    expect(judge(pending)).toBe('open')
    expect(judge({ ...pending, blankFor: 10_000 })).toBe('blank')
  }
  expect(judge({ hasTimers: true, hasError: true })).toBe('blank')
  expect(judge({ isRequesting: true, hasError: true })).toBe('open')
})

test('another page is blank only after an error, once its requests have been answered', () => {
  const now = { ...empty, document: 2 }
  expect(judge({ now, blankFor: 20_000 })).toBe('full')
  expect(judge({ now, hasError: true, isRequesting: true })).toBe('open')
  expect(judge({ now, hasError: true })).toBe('blank')
})

test('three places are named, one of each file before a second one', () => {
  const place = (text: string) => ({ file: text.slice(0, 1), line: Number(text.slice(1)), column: 1 })
  const choose = (...places: readonly string[]) =>
    choosePlaces(places.map(place)).map(({ file, line }) => `${file}${line}`)
  expect(choose('a1', 'a2', 'a3', 'b4', 'c5', 'd6')).toEqual(['a1', 'b4', 'c5'])
  expect(choose('a1', 'a1', 'a2', 'b3')).toEqual(['a1', 'a2', 'b3'])
  expect(choose('a1', 'a2', 'a3', 'a4')).toEqual(['a1', 'a2', 'a3'])
})
