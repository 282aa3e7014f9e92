// React 19 with Material UI: a board of tasks that the browser keeps.

import { type Application, click, failing, fill, named, open, select, type, waitFor } from '../flow.ts'

const save = named('button', 'Save')
const newTask = named('button', 'New task')
const title = named('textbox', 'Title')

export const react: Application = {
  name: 'react',
  framework: 'React 19, Material UI',
  port: 5401,
  env: {},
  flows: [
    {
      name: 'add-task',
      calls: [
        open('/'),
        click(newTask),
        fill([title, 'Call the plumber'], [named('textbox', 'Due date'), '2027-03-09']),
        select(named('combobox', 'Priority'), 'High'),
        type(named('textbox', 'Notes'), 'Ask about the boiler'),
        click(save),
        waitFor('Call the plumber'),
        waitFor('4 open, 1 done'),
      ],
    },
    {
      name: 'edit-task',
      calls: [
        open('/'),
        // The wrong row first.
        click(named('button', 'Edit', 'Write report')),
        click(named('button', 'Cancel')),
        click(named('button', 'Edit', 'Book flights')),
        type(title, 'Book trains', { clear: true }),
        select(named('combobox', 'Priority'), 'Low'),
        click(save),
        waitFor('Book trains'),
      ],
    },
    {
      name: 'filter-and-search',
      calls: [
        open('/'),
        click(named('tab', 'Done')),
        waitFor('Pay rent'),
        click(named('tab', 'All')),
        type(named('textbox', 'Search tasks'), 'bud'),
        // No check: what is on the page at the end says it.
      ],
    },
    {
      name: 'delete-and-undo',
      calls: [
        open('/'),
        failing(click('button.delete-task')),
        click(named('button', 'Delete', 'Review budget')),
        click(named('button', 'Delete', 'dialog')),
        waitFor('Task deleted'),
        waitFor('2 open, 1 done'),
        click(named('button', 'Undo')),
        waitFor('3 open, 1 done'),
      ],
    },
    {
      name: 'validate-and-complete',
      calls: [
        open('/'),
        click(newTask),
        click(save),
        waitFor('Title is required'),
        type(title, 'Water the plants'),
        click(save),
        click('[aria-label="Done: Water the plants"]'),
        waitFor('3 open, 2 done'),
        click(named('button', 'Sort: Newest last')),
        click(named('menuitem', 'Title')),
      ],
    },
  ],
  bugs: [
    {
      name: 'the priority of a new task is lost',
      file: 'src/tasks.js',
      from: 'priority: draft.priority, isDone: false',
      to: "priority: 'Medium', isDone: false",
      flows: ['add-task'],
    },
    {
      name: 'an edited task is not saved',
      file: 'src/tasks.js',
      from: '{ ...task, ...draft }',
      to: '{ ...draft, ...task }',
      flows: ['edit-task'],
    },
    {
      name: 'the search finds nothing',
      file: 'src/tasks.js',
      from: 'includes(query.toLowerCase())',
      to: 'startsWith(query.toLowerCase())',
      flows: ['filter-and-search'],
    },
    {
      name: 'a task is not deleted',
      file: 'src/tasks.js',
      from: 'tasks.filter((task) => task.id !== id)',
      to: 'tasks.filter((task) => task.id !== String(id))',
      flows: ['delete-and-undo'],
    },
    {
      name: 'tasks without a title are saved',
      file: 'src/tasks.js',
      from: "if (draft.title.trim() === '') return 'Title is required'",
      to: '',
      flows: ['validate-and-complete'],
    },
  ],
}
