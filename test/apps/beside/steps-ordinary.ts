// What a tester asks every day: the console, a response, a long page, menus, downloads, windows.

import type { Step } from './step.ts'

const stateIs = (text: string) => `document.querySelector('#state').textContent === ${JSON.stringify(text)}`

export const ordinary: readonly Step[] = [
  {
    name: '18 click whose effect needs a response',
    async perform(agent, { url }) {
      await agent.open(`${url}/slow`)
      await agent.click(/button "Save"/)
    },
    told: /status[^\n]*: Saved/,
    truth: stateIs('Saved'),
  },
  {
    name: '19 log in, led on to another page',
    async perform(agent, { url }) {
      await agent.open(`${url}/login`)
      await agent.enter(/textbox "User"/, 'ada')
      await agent.click(/button "Log in"/)
    },
    told: /Welcome back/,
    truth: 'location.pathname === "/welcome"',
  },
  {
    name: '20 what the console says',
    async perform(agent, { url }) {
      await agent.open(`${url}/order`)
      await agent.click(/button "Show total"/)
      await agent.readConsole()
    },
    told: /reading 'total'/,
  },
  {
    name: '21 what an interface answered',
    async perform(agent, { url }) {
      await agent.open(`${url}/order`)
      await agent.click(/button "Load order"/)
      await agent.readBody('/api/orders')
    },
    told: /no such column: discount/,
  },
  {
    name: '22a a row of a long page, by searching',
    async perform(agent, { url }) {
      await agent.open(`${url}/long`)
      await agent.search('Person 333')
      await agent.click(/button "Delete"[^\n]*row "Person 333"|cell "Person 333"[\s\S]*?button "Delete"/)
    },
    told: /Deleted Person 333/,
    truth: stateIs('Deleted Person 333'),
  },
  {
    name: '22b a card of a long page, by searching',
    async perform(agent, { url }) {
      await agent.open(`${url}/catalogue`)
      await agent.search('Person 133')
      await agent.click(/Person 133(?!\d)[^\n]*\n[\s\S]*?button "Delete"/)
    },
    told: /Deleted Person 133/,
    truth: stateIs('Deleted Person 133'),
  },
  {
    name: '23 menu that opens under the mouse',
    async perform(agent, { url }) {
      await agent.open(`${url}/menu`)
      await agent.hover(/button "Products"/)
      await agent.click(/button "Prices"/)
    },
    told: /status[^\n]*: Prices/,
    truth: stateIs('Prices'),
  },
  {
    name: '24 window that sends a message and closes',
    async perform(agent, { url }) {
      await agent.open(`${url}/popup-opener`)
      await agent.click(/button "Log in with Example"/)
      await agent.enterLastTab()
      await agent.click(/button "Allow"/)
    },
    told: /Hello Ada/,
    truth: stateIs('Hello Ada'),
  },
  {
    name: '25 button in a shadow root',
    async perform(agent, { url }) {
      await agent.open(`${url}/component`)
      await agent.click(/button "Inside"/)
    },
    told: /Clicked inside/,
    truth: stateIs('Clicked inside'),
  },
  {
    name: '26 download',
    async perform(agent, { url }) {
      await agent.open(`${url}/download`)
      await agent.click(/link "Export report"/)
    },
    told: /report\.csv[^\n]*(download|\.footlight|to )|[Dd]ownload[^\n]*report\.csv/,
  },
  {
    name: '28 effect after 2.5 s',
    async perform(agent, { url }) {
      await agent.open(`${url}/late`)
      await agent.click(/button "Import"/)
      await agent.wait('Imported 12 rows')
    },
    told: /status[^\n]*Imported 12 rows|"success":true,"waited"/,
    truth: stateIs('Imported 12 rows'),
  },
  {
    name: '29 narrow window',
    async perform(agent, { url }) {
      await agent.open(`${url}/narrow`)
      await agent.resize(400, 800)
      await agent.click(/button "Open menu"/)
      await agent.resize(1280, 720)
    },
    told: /status[^\n]*: Menu/,
    truth: stateIs('Menu'),
  },
  {
    name: '30 select of the browser',
    async perform(agent, { url }) {
      await agent.open(`${url}/order-form`)
      await agent.choose(/combobox "Country"/, 'Norway')
    },
    told: /NO|"selected":\["NO"\]/,
    truth: 'document.forms[0].country.value === "NO"',
  },
  {
    name: '27 alert while the page loads',
    async perform(agent, { url }) {
      await agent.open(`${url}/greeting`)
      await agent.dialog(true)
    },
    told: /heading "Greeting"/,
    truth: 'document.querySelector("h1") !== null',
  },
]
