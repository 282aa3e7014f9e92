// Answers after 100 to 900 ms, skeletons, messages that vanish, a frame, a second window and dialogs.

import { type Application, click, failing, fill, named, open, type, waitFor } from '../flow.ts'

const search = named('searchbox', 'Search items')
const loaded = waitFor('8 items')

export const delays: Application = {
  name: 'delays',
  framework: 'React, delays, toasts, a frame and windows',
  port: 5406,
  env: {},
  flows: [
    {
      name: 'search-and-take',
      calls: [
        open('/'),
        type(search, 'drill'),
        waitFor('1 items'),
        click(named('button', 'Take one')),
        waitFor('Drill: 13 in stock'),
      ],
    },
    {
      name: 'add-item',
      calls: [
        open('/'),
        loaded,
        fill([named('textbox', 'New item'), 'Hammer'], [named('spinbutton', 'Quantity'), '4']),
        click(named('button', 'Add item')),
        waitFor('Hammer exists already'),
        fill([named('textbox', 'New item'), 'Sledge hammer']),
        click(named('button', 'Add item')),
        waitFor('Sledge hammer added'),
      ],
    },
    {
      name: 'roll-back',
      calls: [
        open('/'),
        loaded,
        failing(click('#favourite-4')),
        click(named('button', 'Favourite Drill')),
        click(named('button', 'Favourite Ladder')),
        waitFor('Ladder is locked'),
        waitFor({ is: 'visible', text: '☆' }, named('button', 'Favourite Ladder')),
      ],
    },
    {
      name: 'remove-item',
      calls: [
        open('/'),
        loaded,
        click(named('button', 'Remove', 'Hammer')),
        { tool: 'handle_dialog', input: { accept: false } },
        click(named('button', 'Remove', 'Sandpaper')),
        { tool: 'handle_dialog', input: { accept: true } },
        waitFor('7 items'),
      ],
    },
    {
      name: 'help-and-label',
      calls: [
        open('/'),
        loaded,
        click(named('button', 'Print label', 'Hammer')),
        { tool: 'tabs', input: { action: 'select', tabId: 't2' } },
        type(named('spinbutton', 'Copies'), '3', { clear: true }),
        click(named('button', 'Print labels')),
        waitFor('3 labels sent to the printer'),
        click(named('button', 'Close window')),
        waitFor('Printed: 3 × Hammer'),
        click(named('button', 'Get help')),
        fill([named('textbox', 'Your name'), 'Ada'], [named('textbox', 'Question'), 'Where is the saw?']),
        click(named('button', 'Send question')),
        waitFor('Thanks Ada, we will answer soon.'),
      ],
    },
  ],
  bugs: [
    {
      name: 'taking an item does not change the stock',
      file: 'src/stock-room.jsx',
      from: 'replace(item.id, { quantity: saved.quantity })',
      to: 'replace(item.id, { quantity: item.quantity })',
      flows: ['search-and-take'],
    },
    {
      name: 'the message about a new item is missing',
      file: 'src/stock-room.jsx',
      from: 'toast.success(`${item.name} added`)',
      to: '',
      flows: ['add-item'],
    },
    {
      name: 'a refused favourite is not rolled back',
      file: 'src/stock-room.jsx',
      from: 'replace(item.id, { isFavourite: item.isFavourite })',
      to: '',
      flows: ['roll-back'],
    },
    {
      name: 'items are removed without a question',
      file: 'src/stock-room.jsx',
      from: 'if (!window.confirm(`Remove ${item.name}?`)) return',
      to: '',
      flows: ['remove-item'],
    },
    {
      name: 'the number of copies is lost',
      file: 'public/label.html',
      from: "Number(document.querySelector('input').value)",
      to: '1',
      flows: ['help-and-label'],
    },
  ],
}
