// SvelteKit: notes with sections, saved while they are written, and files.

import { type Application, click, failing, named, open, type, waitFor } from '../flow.ts'

const note = (title: string) => named('button', title)
const text = named('textbox', 'Text')
const saved = waitFor('All changes saved')

export const svelte: Application = {
  name: 'svelte',
  framework: 'SvelteKit, Svelte 5',
  port: 5403,
  env: {},
  flows: [
    {
      name: 'write-note',
      calls: [
        open('/'),
        click(named('button', 'New note')),
        type(named('textbox', 'Title'), 'Holiday plan', { clear: true }),
        type(text, 'Train to Vienna, two nights, museum of art history'),
        saved,
        { tool: 'history', input: { direction: 'reload' } },
        click(note('Holiday plan')),
        waitFor('9 words'),
      ],
    },
    {
      name: 'archive-note',
      calls: [
        open('/'),
        click(note('Groceries')),
        // The wrong note was open.
        click(note('Meeting agenda')),
        click(named('button', 'Archive', 'Text')),
        waitFor('Select a note.'),
        click(named('tab', 'Archive')),
        waitFor('Meeting agenda'),
      ],
    },
    {
      name: 'upload-file',
      calls: [
        open('/'),
        click(named('tab', 'Files')),
        click(named('button', 'Upload')),
        waitFor('Choose a file first'),
        { tool: 'upload_file', element: 'input[type=file]', input: { paths: ['fixtures/expenses.csv'] } },
        click(named('button', 'Upload')),
        waitFor('expenses.csv'),
      ],
    },
    {
      name: 'search-and-pin',
      calls: [
        open('/'),
        type(named('searchbox', 'Search notes'), 'middle'),
        click(note('Book list')),
        click(named('button', 'Pin')),
        type(named('searchbox', 'Search notes'), '', { clear: true }),
        waitFor({ is: 'visible' }, note('Groceries')),
      ],
    },
    {
      name: 'tag-note',
      calls: [
        open('/'),
        click(note('Groceries')),
        failing(click('.tag-input', {})),
        type(named('textbox', 'Add a tag'), 'weekly', { submit: true }),
        type(named('textbox', 'Add a tag'), 'shop', { submit: true }),
        click(named('button', 'Remove tag home')),
        waitFor('#weekly'),
      ],
    },
  ],
  bugs: [
    {
      name: 'the saved text is truncated',
      file: 'src/lib/NoteEditor.svelte',
      from: 'await onchange({ title, body })',
      to: 'await onchange({ title, body: body.slice(0, 30) })',
      flows: ['write-note'],
    },
    {
      name: 'the archive stays empty',
      file: 'src/routes/+page.svelte',
      from: "note.isArchived === (tab === 'archive')",
      to: '!note.isArchived',
      flows: ['archive-note'],
    },
    {
      name: 'an empty upload is accepted',
      file: 'src/routes/api/files/+server.js',
      from: "if (!(file instanceof File) || file.size === 0) error(400, 'Choose a file first')",
      to: '',
      flows: ['upload-file'],
    },
    {
      name: 'pinned notes are not first',
      file: 'src/routes/+page.svelte',
      from: 'Number(b.isPinned) - Number(a.isPinned) || a.id - b.id',
      to: 'a.id - b.id',
      flows: ['search-and-pin'],
    },
    {
      name: 'tags are not removed',
      file: 'src/lib/NoteEditor.svelte',
      from: 'note.tags.filter((one) => one !== value)',
      to: 'note.tags.filter((one) => one !== value.id)',
      flows: ['tag-note'],
    },
  ],
}
