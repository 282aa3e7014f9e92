// Next with server components and server actions: the tickets of a help desk.

import { type Application, click, failing, fill, named, open, select, type, waitFor } from '../flow.ts'

const main = (name: string) => named('link', name)

export const next: Application = {
  name: 'next',
  framework: 'Next 16, server actions',
  port: 5404,
  env: { EARLIER_PASSWORD: 'compiler-1925', PASSWORD: 'compiler-1952' },
  flows: [
    {
      name: 'sign-in',
      calls: [
        open('/login'),
        fill([named('textbox', 'User name'), 'grace'], [named('textbox', 'Password'), 'compiler-1925']),
        click(named('button', 'Sign in')),
        waitFor('User name or password is wrong.'),
        fill([named('textbox', 'User name'), 'grace'], [named('textbox', 'Password'), 'compiler-1952']),
        click(named('button', 'Sign in')),
        waitFor({ url: '/tickets' }),
      ],
    },
    {
      name: 'create-ticket',
      calls: [
        open('/'),
        click(main('Report a problem')),
        type(named('textbox', 'Title'), 'Slow'),
        click(named('button', 'Create ticket')),
        waitFor('The title needs at least 5 characters.'),
        fill(
          [named('textbox', 'Title'), 'Slow reports on Mondays'],
          [named('textbox', 'Description'), 'The monthly report takes ten minutes.'],
          [named('combobox', 'Priority'), 'high'],
        ),
        click(named('button', 'Create ticket')),
        waitFor('#8 Slow reports on Mondays'),
      ],
    },
    {
      name: 'comment-and-close',
      calls: [
        open('/tickets'),
        click(main('Export fails for large tables')),
        type(named('textbox', 'Comment'), 'Fixed in the next release'),
        click(named('button', 'Add comment')),
        waitFor('Comments (1)'),
        select(named('combobox', 'Assign to'), 'Grace'),
        click(named('button', 'Assign')),
        waitFor('Assignee: Grace'),
        click(named('button', 'Close ticket')),
      ],
    },
    {
      name: 'filter-tickets',
      calls: [
        open('/'),
        click(main('Tickets')),
        failing(click('a.next-page')),
        click(main('Next')),
        waitFor('Calendar shows wrong week'),
        { tool: 'history', input: { direction: 'back' } },
        select('select[name=status]', 'closed'),
        click(named('button', 'Filter')),
        waitFor('1 tickets'),
      ],
    },
    {
      name: 'change-settings',
      calls: [
        open('/settings'),
        type(named('textbox', 'Contact email'), 'nobody', { clear: true }),
        click(named('button', 'Save settings')),
        waitFor('Enter a valid email address.'),
        type(named('textbox', 'Contact email'), 'desk@example.org', { clear: true }),
        type(named('textbox', 'Team name'), 'Night shift', { clear: true }),
        click(named('checkbox', 'Weekly summary')),
        click(named('button', 'Save settings')),
        waitFor('Settings saved.'),
      ],
    },
  ],
  bugs: [
    {
      name: 'signing in leads to the home page',
      file: 'lib/actions.js',
      from: "redirect('/tickets')",
      to: "redirect('/')",
      flows: ['sign-in'],
    },
    {
      name: 'the title of a ticket is truncated',
      file: 'lib/actions.js',
      from: 'data.tickets.push({ id, title, text,',
      to: 'data.tickets.push({ id, title: title.slice(0, 20), text,',
      flows: ['create-ticket'],
    },
    {
      name: 'a ticket is not closed',
      file: 'lib/actions.js',
      from: "ticket.status = ticket.status === 'open' ? 'closed' : 'open'",
      to: '',
      flows: ['comment-and-close'],
    },
    {
      name: 'the status does not filter',
      file: 'app/tickets/page.jsx',
      from: "status === '' || ticket.status === status",
      to: "status === '' || ticket.status",
      flows: ['filter-tickets'],
    },
    {
      name: 'the new name of the team is lost',
      file: 'lib/actions.js',
      from: "data.settings = { name: String(form.get('name')), email,",
      to: 'data.settings = { name: data.settings.name, email,',
      flows: ['change-settings'],
    },
  ],
}
