import { describe, expect, test } from 'bun:test'
import type { RecordedAction } from '../../../src/core/sessions/types/recorded-step.ts'
import { bodyOf, button, click, element, field, navigate, ORIGIN, step, testOf } from './recorded-steps.ts'

const codeOf = (action: RecordedAction) => bodyOf([step(action)])
const name = field('Name')
const filledName = field('Name', { isEmpty: false })
const editor = element("getByRole('textbox', { name: 'Text' })", { role: 'textbox' })
const fruit = element("getByRole('combobox', { name: 'Fruit' })", { role: 'combobox' })
const select = field('Size', { role: 'combobox', type: 'select' })
const inFrame = element("locator('iframe').contentFrame().getByLabel('Fruit')", { role: 'combobox' })

describe('navigation', () => {
  test.each<[RecordedAction, string]>([
    [{ kind: 'navigate', url: `${ORIGIN}/a?b=1#c` }, "await page.goto('/a?b=1#c');"],
    [{ kind: 'navigate', url: ORIGIN }, "await page.goto('/');"],
    [{ kind: 'navigate', url: 'http://127.0.0.1:5173/a' }, "await page.goto('/a');"],
    [{ kind: 'navigate', url: 'http://[::1]:5173' }, "await page.goto('/');"],
    [{ kind: 'navigate', url: 'http://127.0.0.10:5173/' }, "await page.goto('http://127.0.0.10:5173/');"],
    [{ kind: 'navigate', url: `${ORIGIN}?a` }, "await page.goto('/?a');"],
    [{ kind: 'navigate', url: `${ORIGIN}0/a` }, `await page.goto('${ORIGIN}0/a');`],
    [{ kind: 'navigate', url: 'https://example.com/a' }, "await page.goto('https://example.com/a');"],
    [
      { kind: 'navigate', url: `${ORIGIN}/a`, isHydrated: true },
      "// The server renders this page: it can be used once its scripts have loaded.\nawait page.goto('/a', { waitUntil: 'networkidle' });",
    ],
    [{ kind: 'history', direction: 'back' }, 'await page.goBack();'],
    [{ kind: 'history', direction: 'forward' }, 'await page.goForward();'],
    [{ kind: 'history', direction: 'reload' }, 'await page.reload();'],
    [{ kind: 'closeTab' }, 'await page.close();'],
    [{ kind: 'other', tool: 'mouse' }, '// Not repeated here: what the tool mouse did.'],
    [
      { kind: 'clock', time: '2026-01-01T00:00:00Z' },
      "await page.clock.setFixedTime('2026-01-01T00:00:00Z');",
    ],
    [{ kind: 'clock', time: undefined }, 'await page.clock.resume();'],
  ])('%j', (action, code) => expect(codeOf(action)).toBe(code))
})

describe('the mouse and keys', () => {
  const save = button('Save')
  test.each<[RecordedAction, string]>([
    [{ kind: 'click', element: save, options: {} }, 'click();'],
    [{ kind: 'click', element: save, options: { clickCount: 2 } }, 'dblclick();'],
    [{ kind: 'click', element: save, options: { clickCount: 3 } }, 'click({ clickCount: 3 });'],
    [
      { kind: 'click', element: save, options: { position: { x: 5, y: 7 } } },
      'click({ position: { x: 5, y: 7 } });',
    ],
    [
      { kind: 'click', element: save, options: { button: 'right', modifiers: ['Alt'] } },
      "click({ button: 'right', modifiers: ['Alt'] });",
    ],
    [{ kind: 'click', element: save, options: { force: true } }, 'click({ force: true });'],
    [{ kind: 'hover', element: save }, 'hover();'],
    [{ kind: 'drag', element: save, to: name }, "dragTo(page.getByLabel('Name'));"],
    [{ kind: 'press', element: save, key: 'ctrl+A' }, "press('Control+a');"],
    [{ kind: 'press', element: save, key: 'a', holdMs: 300 }, "press('a', { delay: 300 });"],
  ])('%j', (action, code) =>
    expect(codeOf(action)).toBe(`await page.getByRole('button', { name: 'Save' }).${code}`),
  )

  test('a key for what has the focus', () => {
    expect(codeOf({ kind: 'press', key: 'Escape' })).toBe("await page.keyboard.press('Escape');")
  })
})

describe('fields', () => {
  test.each<[RecordedAction, string]>([
    [{ kind: 'type', element: name, text: 'Ada' }, "fill('Ada');"],
    [{ kind: 'type', element: filledName, text: 'Ada', clear: true }, "fill('Ada');"],
    [{ kind: 'type', element: filledName, text: '!' }, "press('End');pressSequentially('!');"],
    [
      { kind: 'type', element: { ...filledName, type: 'textarea' }, text: '!' },
      "press('ControlOrMeta+End');pressSequentially('!');",
    ],
    [{ kind: 'type', element: name, text: 'Ada', submit: true }, "fill('Ada');press('Enter');"],
    [{ kind: 'type', element: name, text: 'Ada', delay: 50 }, "pressSequentially('Ada', { delay: 50 });"],
    [{ kind: 'type', element: name, text: '42', needsKeys: true }, "pressSequentially('42');"],
    // A line break may send the text.
    [{ kind: 'type', element: name, text: 'a\n' }, String.raw`pressSequentially('a\n');`],
    [{ kind: 'fill', element: name, value: 'Ada' }, "fill('Ada');"],
    [
      { kind: 'fill', element: name, value: 'Ada', isChoice: true },
      "fill('Ada');.getByRole('option', { name: 'Ada', exact: true }).click();",
    ],
    [{ kind: 'fill', element: { ...name, type: 'checkbox' }, value: true }, 'check();'],
    [{ kind: 'fill', element: { ...name, type: 'checkbox' }, value: 'false' }, 'uncheck();'],
    [{ kind: 'submit', element: name }, "press('Enter');"],
    [
      { kind: 'submit', element: { ...name, type: 'textarea' } },
      "locator('xpath=ancestor-or-self::form').evaluate((form: HTMLFormElement) => form.requestSubmit());",
    ],
    [
      { kind: 'upload', element: { ...name, type: 'file' }, paths: ['/w/a.txt'] },
      "setInputFiles(join(folder, 'files/a.txt'));",
    ],
    [
      { kind: 'upload', element: { ...name, type: 'file' }, paths: ['/w/a.txt', 'b.txt'] },
      "setInputFiles([join(folder, 'files/a.txt'), join(folder, 'b.txt')]);",
    ],
    [
      { kind: 'upload', element: name, paths: ['/w/a.txt'], isDrop: true },
      "drop({ files: join(folder, 'files/a.txt') });",
    ],
  ])('%j', (action, code) => {
    const text = bodyOf([step(action)], { files: new Map([['/w/a.txt', 'files/a.txt']]) }).replace(
      'const folder = dirname(testInfo.file);\n\n',
      '',
    )
    const calls = text
      .split('\nawait page')
      .map((line) => line.replace(/^(await page)?\.getByLabel\('Name'\)\./, ''))
    expect(calls.join('')).toBe(code)
  })

  test.each<[RecordedAction, readonly string[]]>([
    [{ kind: 'type', text: 'Ada', submit: true }, ["keyboard.type('Ada')", "keyboard.press('Enter')"]],
    [
      { kind: 'type', text: 'A', clear: true },
      ["keyboard.press('ControlOrMeta+A')", "keyboard.press('Delete')", "keyboard.type('A')"],
    ],
    [
      { kind: 'type', element: editor, text: 'Hi' },
      ["getByRole('textbox', { name: 'Text' }).pressSequentially('Hi')"],
    ],
    [
      { kind: 'type', element: { ...editor, isEmpty: false }, text: 'Hi', clear: true },
      [
        "getByRole('textbox', { name: 'Text' }).fill('')",
        "getByRole('textbox', { name: 'Text' }).pressSequentially('Hi')",
      ],
    ],
    [{ kind: 'select', element: select, values: ['Large'] }, ["getByLabel('Size').selectOption('Large')"]],
    [{ kind: 'fill', element: select, value: ['S', 'L'] }, ["getByLabel('Size').selectOption(['S', 'L'])"]],
    [
      { kind: 'select', element: fruit, values: ['Kiwi'] },
      [
        "getByRole('combobox', { name: 'Fruit' }).click()",
        "getByRole('option', { name: 'Kiwi', exact: true }).click()",
      ],
    ],
    [
      { kind: 'fill', element: fruit, value: ['Kiwi', 'Fig'] },
      [
        "getByRole('combobox', { name: 'Fruit' }).click()",
        "getByRole('option', { name: 'Kiwi', exact: true }).click()",
        "getByRole('option', { name: 'Fig', exact: true }).click()",
        "keyboard.press('Escape')",
      ],
    ],
    // A field with a list of suggestions is a field.
    [
      { kind: 'fill', element: field('City', { role: 'combobox' }), value: 'Rome' },
      ["getByLabel('City').fill('Rome')"],
    ],
  ])('%j', (action, calls) => {
    expect(codeOf(action)).toBe(calls.map((call) => `await page.${call};`).join('\n'))
  })

  test('the options of a list in a frame are in the frame', () => {
    expect(codeOf({ kind: 'select', element: inFrame, values: ['Kiwi'] })).toContain(
      [
        "const frame = page.frameLocator('iframe');",
        "await frame.getByLabel('Fruit').click();",
        "await frame.getByRole('option', { name: 'Kiwi', exact: true }).click();",
      ].join('\n'),
    )
  })

  test('files that a button asks for', () => {
    expect(bodyOf([step({ kind: 'upload', element: button('Choose'), paths: ['a.txt'] })])).toBe(
      [
        'const folder = dirname(testInfo.file);',
        '',
        "const fileChooserPromise = page.waitForEvent('filechooser');",
        "await page.getByRole('button', { name: 'Choose' }).click();",
        'const fileChooser = await fileChooserPromise;',
        "await fileChooser.setFiles(join(folder, 'a.txt'));",
      ].join('\n'),
    )
  })
})

describe('dialogs and tabs', () => {
  test('a dialog is answered while the action before it runs', () => {
    const text = bodyOf([
      click(button('Delete')),
      step({ kind: 'dialog', accept: true }),
      step({ kind: 'dialog', accept: true, promptText: "it's" }),
      click(button('Leave')),
      step({ kind: 'dialog', accept: false }),
    ])
    expect(text).toBe(
      [
        "page.once('dialog', async (dialog) => {",
        `  page.once('dialog', (dialog) => dialog.accept("it's"));`,
        '  await dialog.accept();',
        '});',
        "await page.getByRole('button', { name: 'Delete' }).click();",
        "const dialogPromise = page.waitForEvent('dialog').then((dialog) => dialog.dismiss());",
        "await page.getByRole('button', { name: 'Leave' }).click();",
        'await dialogPromise;',
      ].join('\n'),
    )
  })

  test('tabs that clicks open, and one of its own', () => {
    const text = testOf([
      navigate('/'),
      click(button('Help'), { openedTab: 't2' }),
      click(button('More'), { tab: 't2', openedTab: 't3' }),
      step({ kind: 'closeTab', id: 't2' }, { tab: 't3' }),
      step({ kind: 'openTab' }, { openedTab: 't4' }),
      step({ kind: 'navigate', url: `${ORIGIN}/b` }, { tab: 't4' }),
    ])
    expect(text).toBe(
      [
        "import { test } from '@playwright/test';",
        '',
        "test('title', async ({ context, page }) => {",
        "  await page.goto('/');",
        "  const popupPromise = page.waitForEvent('popup');",
        "  await page.getByRole('button', { name: 'Help' }).click();",
        '  const popup = await popupPromise;',
        "  const popup2Promise = popup.waitForEvent('popup');",
        "  await popup.getByRole('button', { name: 'More' }).click();",
        '  const popup2 = await popup2Promise;',
        '  await popup.close();',
        '  const page2 = await context.newPage();',
        "  await page2.goto('/b');",
        '});',
        '',
      ].join('\n'),
    )
  })

  test('a tab that no step has opened is the newest one', () => {
    expect(bodyOf([navigate('/'), click(button('Go'), { tab: 't9' })])).toContain(
      'await expect.poll(() => context.pages().length).toBeGreaterThan(1);\nconst popup = context.pages().at(-1)!;\nawait popup.',
    )
  })
})

test('a locator that is an option of another one begins with its page', () => {
  const row = element(
    "getByRole('row').filter({ has: getByText('Milk'), hasNot: page.getByRole('img') }).first()",
  )
  expect(codeOf({ kind: 'hover', element: row })).toBe(
    "await page.getByRole('row').filter({ has: page.getByText('Milk'), hasNot: page.getByRole('img') }).first().hover();",
  )
})
