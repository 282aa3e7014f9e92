// The page that all contenders open, served by a process of its own so that none shares its event loop.

import process from 'node:process'
import { page, serveSite } from '../test/support/site.ts'

const lines = '<p>Line <a href="#">link</a></p>'.repeat(100)
const { url } = await serveSite({
  '/': page(`<h1>Bench</h1><button id="b">Button</button><input id="i">${lines}`, 'Bench'),
})
process.stdout.write(`${url}\n`)
