// The critical steps: what an agent does, what it must come to know, and what must then be so.

import type { Agent } from './agent.ts'
import { boundary } from './steps-boundary.ts'
import { inputs } from './steps-inputs.ts'
import { ordinary } from './steps-ordinary.ts'
import type { Place, Step } from './step.ts'

const stateIs = (text: string) => `document.querySelector('#state').textContent === ${JSON.stringify(text)}`
const at =
  (path: string, act: (agent: Agent, place: Place) => Promise<unknown>): Step['perform'] =>
  async (agent, place) => {
    await agent.open(place.url + path)
    await act(agent, place)
  }
const clickOf = (line: RegExp) => (agent: Agent) => agent.click(line)

const clicks: readonly Step[] = [
  {
    name: '1a click before hydration (React, late chunk)',
    perform: at('/rendered', clickOf(/button "Count up"/)),
    told: /Counted: 1/,
    truth: stateIs('Counted: 1'),
  },
  {
    name: '1b click before hydration (next dev)',
    needsNext: true,
    async perform(agent, { next }) {
      await agent.open(next)
      await agent.click(/button "Count up"/)
    },
    told: /Counted: 1/,
    truth: stateIs('Counted: 1'),
  },
  {
    name: '2a MUI Select',
    perform: at('/mui-select', async (agent) => {
      await agent.click(/combobox "Size/)
      await agent.click(/option "Large"/)
    }),
    told: /Chosen: Large/,
    truth: stateIs('Chosen: Large'),
  },
  {
    name: '2b Radix Select',
    perform: at('/radix-select', async (agent) => {
      await agent.click(/combobox "Size/)
      await agent.click(/option "Large"/)
    }),
    told: /Chosen: Large/,
    truth: stateIs('Chosen: Large'),
  },
  {
    name: '3a button with icon and text',
    perform: at('/cart', clickOf(/button "Add to cart"/)),
    told: /1 in cart/,
    truth: stateIs('1 in cart'),
  },
  {
    name: '3b the same, by its name',
    perform: at('/cart', (agent) => agent.click('role=button[name="Add to cart"]')),
    told: /1 in cart/,
    truth: stateIs('1 in cart'),
  },
  {
    name: '4a covered element: is it said?',
    perform: at('/consent', clickOf(/button "Pay now"/)),
    told: /backdrop|Cookie consent/,
    truth: stateIs('Open'),
  },
  {
    name: '4b covered element: done in the end',
    perform: at('/consent', async (agent) => {
      await agent.click(/button "Pay now"/)
      await agent.click(/button "Accept cookies"/)
      await agent.click(/button "Pay now"/)
    }),
    told: /Paid/,
    truth: stateIs('Paid'),
  },
  {
    name: '5a handler that throws',
    perform: at('/order', clickOf(/button "Show total"/)),
    told: /reading 'toFixed'|reading 'total'/,
  },
  {
    name: '5b render that throws (unmounted)',
    perform: at('/order', clickOf(/button "Show lines"/)),
    told: /reading 'length'/,
  },
  {
    name: '6 interface answers 500',
    perform: at('/order', clickOf(/button "Load order"/)),
    told: /api\/orders\/7[^\n]*500|500[^\n]*api\/orders\/7/,
  },
]

const finding: readonly Step[] = [
  {
    name: '7a closed details with equal buttons',
    perform: at('/details', async (agent) => {
      await agent.click(/Invoice 2(?="|\n)/)
      await agent.click(/Total of Invoice 2[\s\S]*?button "Remove"/)
    }),
    told: /Removed Invoice 2/,
    truth: stateIs('Removed Invoice 2'),
  },
  {
    name: '7b table rows with equal buttons',
    perform: at(
      '/table',
      clickOf(/button "Delete"[^\n]*row "Grace Hopper"|cell "Grace Hopper"[\s\S]*?button "Delete"/),
    ),
    told: /Deleted Grace Hopper(?! )/,
    truth: stateIs('Deleted Grace Hopper'),
  },
  {
    name: '7c cards with equal buttons',
    perform: at('/cards', clickOf(/Grace Hopper(?! [JSI])[\s\S]*?button "Delete"/)),
    told: /Deleted Grace Hopper(?! )/,
    truth: stateIs('Deleted Grace Hopper'),
  },
]

export const steps: readonly Step[] = [...clicks, ...finding, ...inputs, ...boundary, ...ordinary]
