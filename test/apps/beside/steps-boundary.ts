// What leaves the page or stands beside it: tabs, frames, dialogs, modals, departures, servers.

import type { Step } from './step.ts'

const stateIs = (text: string) => `document.querySelector('#state').textContent === ${JSON.stringify(text)}`

const framed = (name: string, path: string): Step => ({
  name,
  async perform(agent, { url }) {
    await agent.open(url + path)
    await agent.enter(/textbox "Your name"/, 'Ada')
    await agent.click(/button "Subscribe"/)
  },
  told: /Thanks Ada/,
})

export const boundary: readonly Step[] = [
  {
    name: '10 link that opens a tab',
    async perform(agent, { url }) {
      await agent.open(`${url}/opener`)
      await agent.click(/link "Open report"/)
      await agent.enterLastTab()
    },
    told: /Quarter total: 42/,
    truth: 'location.pathname === "/report"',
  },
  framed('12a form in a frame', '/frame'),
  framed('12b form in a frame of another origin', '/other-frame'),
  {
    name: '13 confirm opened by a click',
    async perform(agent, { url }) {
      await agent.open(`${url}/confirm`)
      await agent.click(/button "Delete project"/)
      await agent.dialog(true)
    },
    told: /Deleted/,
    truth: stateIs('Deleted'),
  },
  {
    name: '14 modal, opened, filled and closed',
    async perform(agent, { url }) {
      await agent.open(`${url}/modal`)
      await agent.click(/button "Edit profile"/)
      await agent.enter(/textbox "Nickname"/, 'ada')
      await agent.click(/button "Save profile"/)
    },
    told: /Saved: profile/,
    truth: stateIs('Saved: profile'),
  },
  {
    name: '15 departure held by beforeunload',
    async perform(agent, { url }) {
      await agent.open(`${url}/draft`)
      await agent.enter(/textbox "Draft"/, 'words')
      await agent.open(`${url}/elsewhere`)
      await agent.dialog(true)
    },
    told: /Elsewhere/,
    truth: 'location.pathname === "/elsewhere"',
  },
  {
    name: '16a port where nothing listens',
    perform: (agent, { dead }) => agent.open(dead),
    told: /ERR_CONNECTION_REFUSED/,
  },
  {
    name: '16b dev server that dies under a click',
    async perform(agent, { server }) {
      await agent.open(server)
      await agent.click(/button "Save order"/)
    },
    told: /database is locked/,
  },
]
