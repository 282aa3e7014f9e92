// Drags, fields, editors, files.

import type { Step } from './step.ts'

const stateIs = (text: string) => `document.querySelector('#state').textContent === ${JSON.stringify(text)}`

const board = (name: string, path: string): Step => ({
  name,
  async perform(agent, { url }) {
    await agent.open(url + path)
    await agent.drag(/button "Write report"/, /region "Done"|heading "Done"/)
  },
  told: /Report is in Done/,
  truth: stateIs('Report is in Done'),
})

const field = (name: string, line: RegExp, text: string, told: RegExp, truth: string): Step => ({
  name,
  async perform(agent, { url }) {
    await agent.open(`${url}/fields`)
    await agent.enter(line, text)
  },
  told,
  truth,
})

const editor = (name: string, path: string): Step => ({
  name,
  async perform(agent, { url }) {
    await agent.open(url + path)
    if (path === '/codemirror') return agent.enter(/textbox/, 'let answer = 42')
    // The field of Monaco has no ref, because it has no size: an agent clicks the editor and types.
    await agent.click('.monaco-editor .view-lines')
    await agent.keys('let answer = 42')
  },
  told: /let answer = 42|Typed\./,
  truth: 'written() === "let answer = 42"',
})

export const inputs: readonly Step[] = [
  {
    name: '8a HTML5 drag and drop',
    async perform(agent, { url }) {
      await agent.open(`${url}/html5`)
      await agent.drag(/Write report|listitem/, /region "Done"/)
    },
    told: /report is in Done/,
    truth: stateIs('report is in Done'),
  },
  board('8b dnd-kit, after 8 pixels', '/board-distance'),
  board('8c dnd-kit, after a press of 250 ms', '/board-delay'),
  field(
    '9a date',
    /textbox "Day"|[a-z]+ "Day"/,
    '2026-12-24',
    /2026-12-24/,
    'document.forms[0].day.value === "2026-12-24"',
  ),
  field('9b number', /spinbutton "Seats"/, '4', /4/, 'document.forms[0].seats.value === "4"'),
  field(
    '9c contenteditable',
    /textbox "Note"/,
    'New note',
    /New note/,
    'note.innerText.trim() === "New note"',
  ),
  editor('9d Monaco', '/monaco'),
  editor('9e CodeMirror', '/codemirror'),
  {
    name: '9f search with suggestions (MUI Autocomplete)',
    async perform(agent, { url }) {
      await agent.open(`${url}/search`)
      await agent.enter(/combobox "City"/, 'Ber')
      await agent.click(/option "Bern"/)
    },
    told: /City: Bern/,
    truth: stateIs('City: Bern'),
  },
  {
    name: '9g switch with a hidden checkbox (MUI)',
    async perform(agent, { url }) {
      await agent.open(`${url}/cart`)
      await agent.click(/(?:switch|checkbox) "Gift wrapping"/)
    },
    told: /checked/,
    truth: 'document.querySelector("input[type=checkbox]").checked',
  },
  {
    name: '9h slider, radio, checkbox and select in one form',
    async perform(agent, { url }) {
      await agent.open(`${url}/order-form`)
      await agent.fill([
        [/slider "Volume"/, 'slider', '70'],
        [/radio "Express"/, 'radio', true],
        [/checkbox "Gift"/, 'checkbox', true],
        [/combobox "Country"/, 'combobox', 'Norway'],
      ])
    },
    told: /70[\s\S]*Norway|Norway[\s\S]*70|"filled":4/,
    truth: stateIs('70 express true NO'),
  },
  {
    name: '11b files dropped on a zone without a field',
    async perform(agent, { url, file }) {
      await agent.open(`${url}/dropzone`)
      await agent.drop(/region "Drop files here"/, [file])
    },
    told: /avatar\.txt: face/,
    truth: stateIs('avatar.txt: face'),
  },
  {
    name: '11a file upload behind a button',
    async perform(agent, { url, file }) {
      await agent.open(`${url}/upload`)
      await agent.upload(/button "Upload avatar"/, [file])
    },
    told: /avatar\.txt: face/,
    truth: stateIs('avatar.txt: face'),
  },
]
