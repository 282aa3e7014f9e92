// Ids, names and class names that are new at every load, in rows of a random order.

import { type Application, click, failing, fill, named, open, select, type, waitFor } from '../flow.ts'

const search = named('textbox', 'Search contacts')
const edit = named('button', '✎')
const save = named('button', 'Save')

export const randomIds: Application = {
  name: 'random-ids',
  framework: 'React, styled-components, random ids',
  port: 5405,
  env: {},
  flows: [
    {
      name: 'change-phone',
      calls: [
        open('/'),
        type(search, 'turing'),
        waitFor('1 of 6 contacts'),
        click(edit),
        type(named('textbox', 'Phone'), '020 7946 0199', { clear: true }),
        click(save),
        waitFor('020 7946 0199'),
      ],
    },
    {
      name: 'archive-two',
      calls: [
        open('/'),
        click(named('checkbox', 'Ada Lovelace')),
        click(named('checkbox', 'Donald Knuth')),
        waitFor('2 selected'),
        click(named('button', 'Archive selected')),
        waitFor({ textGone: 'Ada Lovelace' }),
        click(named('checkbox', 'Archive')),
        waitFor('2 of 6 contacts'),
      ],
    },
    {
      name: 'add-contact',
      calls: [
        open('/'),
        click('text=Add contact'),
        click(save),
        waitFor('A contact needs a name.'),
        fill(
          [named('textbox', 'Name'), 'Grace Hopper'],
          [named('textbox', 'Company'), 'Compilers'],
          [named('textbox', 'Phone'), '+1 (212) 555-0107'],
        ),
        click(save),
        waitFor('7 of 7 contacts'),
      ],
    },
    {
      name: 'favour-in-row',
      calls: [
        open('/'),
        failing(click('.favourite')),
        select(named('combobox', 'Sort by'), 'Name'),
        // The rows are sorted now; the one of Barbara Liskov is meant.
        click(named('button', '☆', 'Barbara Liskov')),
        waitFor('★'),
      ],
    },
    {
      name: 'edit-in-row',
      calls: [
        open('/'),
        click(named('button', '✎', 'Katherine Johnson')),
        click(named('button', 'Close')),
        click(named('button', '✎', 'Margaret Hamilton')),
        type(named('textbox', 'Company'), 'Hamilton Technologies', { clear: true }),
        click(save),
      ],
    },
  ],
  bugs: [
    {
      name: 'the end of a phone number is lost',
      file: 'src/people.js',
      from: "phone.replace(/[^\\d ]/g, '').trim()",
      to: "phone.replace(/[^\\d ]/g, '').trim().slice(0, -1)",
      flows: ['change-phone', 'add-contact'],
    },
    {
      name: 'only the last one selected is archived',
      file: 'src/contacts.jsx',
      from: 'selected.has(person.id) ? { ...person, isArchived: true }',
      to: '[...selected].at(-1) === person.id ? { ...person, isArchived: true }',
      flows: ['archive-two'],
    },
    {
      name: 'contacts without a name are saved',
      file: 'src/contact-panel.jsx',
      from: "if (draft.name.trim() === '') return setProblem('A contact needs a name.')",
      to: '',
      flows: ['add-contact'],
    },
    {
      name: 'the star marks the wrong contact',
      file: 'src/contacts.jsx',
      from: 'onFavour={() => update(person.id,',
      to: 'onFavour={() => update(shown[0].id,',
      flows: ['favour-in-row'],
    },
    {
      name: 'an edited contact is not saved',
      file: 'src/contacts.jsx',
      from: 'else update(draft.id, draft)',
      to: 'else update(draft.id, {})',
      flows: ['change-phone', 'edit-in-row'],
    },
  ],
}
