import { describe, expect, test } from 'bun:test'
import type { ElementState } from '../../../src/core/base/action.ts'
import type { RecordedCheck } from '../../../src/core/sessions/types/recorded-step.ts'
import { ariaTemplates } from '../../../src/features/save-test/code/check-code.ts'
import { bodyOf, check, element, field, ORIGIN } from './recorded-steps.ts'

const item = element("getByRole('listitem')")
const codeOf = (part: Partial<RecordedCheck>) => bodyOf([check(part)])

test.each<[ElementState, string, string]>([
  ['visible', 'toBeVisible()', 'toBeHidden()'],
  ['hidden', 'toBeHidden()', 'toBeVisible()'],
  ['enabled', 'toBeEnabled()', 'toBeDisabled()'],
  ['disabled', 'toBeDisabled()', 'toBeEnabled()'],
  ['editable', 'toBeEditable()', 'not.toBeEditable()'],
  ['readonly', 'not.toBeEditable()', 'toBeEditable()'],
  ['checked', 'toBeChecked()', 'not.toBeChecked()'],
  ['unchecked', 'not.toBeChecked()', 'toBeChecked()'],
  ['focused', 'toBeFocused()', 'not.toBeFocused()'],
  ['empty', 'toBeEmpty()', 'not.toBeEmpty()'],
  ['attached', 'toBeAttached()', 'not.toBeAttached()'],
  ['detached', 'toHaveCount(0)', 'toBeAttached()'],
])('%s is %s, and its opposite %s', (state, matcher, opposite) => {
  for (const not of [false, true])
    expect(codeOf({ element: item, checks: [{ kind: 'state', state }], not })).toBe(
      `await expect(page.getByRole('listitem')).${not ? opposite : matcher};`,
    )
})

test.each<[Partial<RecordedCheck>, string]>([
  [{ element: item, checks: [{ kind: 'count', count: 3 }] }, "page.getByRole('listitem')).toHaveCount(3);"],
  [
    { element: item, checks: [{ kind: 'count', count: 3 }], not: true },
    "page.getByRole('listitem')).not.toHaveCount(3);",
  ],
  [
    { element: item, checks: [], order: { texts: ['Tea', 'Milk'], start: 1 } },
    "page.getByRole('listitem')).toContainText(['Tea', 'Milk']);",
  ],
  [
    { element: item, checks: [{ kind: 'text', text: "it's" }] },
    `page.getByRole('listitem')).toContainText("it's");`,
  ],
  [
    { element: field('A'), checks: [{ kind: 'value', value: 'x' }], not: true },
    "page.getByLabel('A')).not.toHaveValue('x');",
  ],
  [
    {
      element: field('A', { type: 'select' }),
      checks: [{ kind: 'value', value: 'Large' }],
      isOptionLabel: true,
    },
    "page.getByLabel('A').locator('option:checked')).toHaveText('Large');",
  ],
  [{ text: 'Done' }, "page.locator('body')).toContainText('Done', { useInnerText: true });"],
  [{ text: 'Done', textElement: item }, "page.getByRole('listitem')).toBeVisible();"],
  [{ textGone: 'Wait' }, "page.getByText('Wait').filter({ visible: true })).toHaveCount(0);"],
])('%j', (part, code) => expect(codeOf(part)).toBe(`await expect(${code}`))

describe('URLs', () => {
  const url = `${ORIGIN}/tasks/7?tab=1`
  test.each([
    ['/tasks/7?tab=1', "'/tasks/7?tab=1'"],
    [url, "'/tasks/7?tab=1'"],
    ['/tasks', String.raw`/\/tasks/`],
    ['7?tab', String.raw`/7\?tab/`],
    [`${ORIGIN}/tasks/7`, String.raw`/\/tasks\/7/`],
    ['**/tasks/*', String.raw`/\/tasks\/[^/]*$/`],
    [`${ORIGIN}/tasks/**`, String.raw`/\/tasks\//`],
    ['**/{tasks,lists}/7**', String.raw`/\/(?:tasks|lists)\/7/`],
  ])('%s is %s', (part, code) => {
    expect(bodyOf([check({ url: part }, { urlAfter: url })])).toBe(`await expect(page).toHaveURL(${code});`)
  })

  test('a regular expression for a part matches what the check matched', () => {
    for (const part of ['/tasks', '7?tab', '**/tasks/*', `${ORIGIN}/tasks/**`, '**tab=*']) {
      const code = /toHaveURL\(\/(.*)\/\)/.exec(bodyOf([check({ url: part }, { urlAfter: url })]))?.[1]
      expect(url).toMatch(new RegExp(code ?? '^$'))
      expect(`${ORIGIN}/other`).not.toMatch(new RegExp(code ?? ''))
    }
  })
})

test('all parts of a check are required, in the order in which they are checked', () => {
  const steps = [
    check(
      {
        text: 'a',
        textGone: 'b',
        url: '/',
        element: item,
        checks: [{ kind: 'count', count: 1 }],
        aria: 'button "C"',
      },
      { durationMs: 4100 },
    ),
  ]
  expect(bodyOf(steps)).toBe(
    [
      "await expect(page.locator('body')).toContainText('a', { useInnerText: true, timeout: 10_000 });",
      "await expect(page.getByText('b').filter({ visible: true })).toHaveCount(0, { timeout: 10_000 });",
      "await expect(page).toHaveURL('/', { timeout: 10_000 });",
      "await expect(page.getByRole('listitem')).toHaveCount(1, { timeout: 10_000 });",
      "await expect(page.getByRole('listitem')).toMatchAriaSnapshot(`",
      '  - button "C"',
      '`, { timeout: 10_000 });',
    ].join('\n'),
  )
})

describe('lines of a snapshot', () => {
  test('are templates without refs, URLs and states that those do not have', () => {
    const aria =
      'heading "A: b" [e1] level=2\nbutton "M" [f1e2] [1,2,3,4] expanded=false focusable\nlink "L" [e3] → /x\ntextbox "N" [e4] placeholder="p q": value\ngeneric [e5] clickable: Some text'
    expect(ariaTemplates(aria, false)).toEqual([
      [`- 'heading "A: b" [level=2]'`],
      ['- button "M" [expanded=false]'],
      ['- link "L"'],
      ['- textbox "N": value'],
      ['- text: Some text'],
    ])
  })

  test('only what nothing can lie between is nested', () => {
    const aria =
      'dialog "D"\n heading "H" level=1\n list "L"\n  listitem: one\n  listitem: "42"\n   button "X"\n  listitem: three\nrow "R"\n cell "1"\nrow "S"'
    expect(ariaTemplates(aria, false)).toEqual([
      ['- dialog "D"'],
      ['- heading "H" [level=1]'],
      ['- list "L":', '  - listitem: one', `  - listitem: ${JSON.stringify('"42"')}`, '  - listitem: three'],
      ['- button "X"'],
      ['- row "R":', '  - cell "1"', '- row "S"'],
    ])
  })

  test('joined lines are one for each element', () => {
    const aria =
      'table [e1]\n row [e2] of columnheaders: Name | State\n row [e3] selected: Ada | "a | b" |  | button "Pay, now" [e9] disabled; link "Drop" [e10]\n row [e4]: cell "open" [e5] clickable; x | 2\noption "S", "M, wide" selected, "L"\nbutton "Save, and close" [e6]'
    expect(ariaTemplates(aria, false)).toEqual([
      ['- table'],
      [
        '- row:',
        '  - columnheader "Name"',
        '  - columnheader "State"',
        '- row [selected]:',
        '  - cell "Ada"',
        '  - cell "a | b"',
        '  - cell',
      ],
      ['- button "Pay, now" [disabled]'],
      ['- link "Drop"'],
      ['- row:', '  - cell "open"', '  - cell "2"'],
      ['- text: x'],
      ['- option "S"', '- option "M, wide" [selected]', '- option "L"'],
      ['- button "Save, and close"'],
    ])
  })

  test('what must not be there is one template', () => {
    expect(ariaTemplates('dialog "D": text\n heading "H" level=1\nbutton "B"', true)).toEqual([
      ['- dialog "D":', '  - text: text', '  - heading "H" [level=1]', '- button "B"'],
    ])
    expect(ariaTemplates('…', true)).toEqual([])
  })

  test('values that are something else in YAML are quoted, cut names match their beginning', () => {
    expect(ariaTemplates(`cell: 12\ncell: true\ntext: a: b\nbutton "Long (…"`, false)).toEqual([
      ['- cell: "12"', '- cell: "true"'],
      ['- text: "a: b"'],
      [String.raw`- button /Long \(/`],
    ])
  })
})
