// What the options of remote browsers say is learnt, so that nothing shows it.

import { expect, test } from 'bun:test'
import { createRedactor } from '../../../src/core/base/redaction/redactor.ts'
import type { Settings } from '../../../src/core/cli/options/options.ts'
import { createRemoteBrowsers } from '../../../src/features/remote/remote-browsers.ts'

const KEY = 'Zq81hfLw02mcXx7vB4tG'
const SHORT = 'rooibos-7'

function redactorOf(settings: Partial<Settings>, secrets = new Map<string, string>()) {
  const redactor = createRedactor()
  createRemoteBrowsers({
    settings: settings as Settings,
    log: undefined as never,
    secrets,
    learn: (values) => redactor.learn('typed', values),
    createContext: undefined as never,
  })
  return redactor
}

const serviceOf = (create: object) =>
  JSON.stringify({ create: { url: 'https://service.example/sessions', ...create } })

test.each([
  ['in the path of an address', { cdpEndpoint: `wss://a.example/browsers/${KEY}/cdp` }],
  ['encoded in the path of an address', { cdpEndpoint: `wss://a.example/%5A${KEY.slice(1)}/` }],
  ['in the path of a Grid', { grid: `https://a.example/${KEY}/wd/hub` }],
  ['in the query of a service', { endpointCreate: serviceOf({ url: `https://a.example/?key=${KEY}` }) }],
  ['in the path of a service', { endpointCreate: serviceOf({ url: `https://a.example/${KEY}/new` }) }],
  ['in the body of a service', { endpointCreate: serviceOf({ body: { account: [{ code: KEY }] } }) }],
  ['in a header of a service', { endpointCreate: serviceOf({ headers: { 'x-team': KEY } }) }],
  [
    'in the call that ends a session',
    {
      endpointCreate: JSON.stringify({
        create: { url: 'https://a.example/' },
        release: { method: 'DELETE', url: `https://a.example/?k=${KEY}` },
      }),
    },
  ],
])('a key %s is hidden where a service says it', (_, settings) => {
  expect(redactorOf(settings).redactText(`no room for ${KEY}, try later`)).not.toContain(KEY)
})

test('a key of a few letters, too, if it stands alone in a body; an ordinary path is shown', () => {
  const { redactText } = redactorOf({ endpointCreate: serviceOf({ body: { key: SHORT } }) })
  expect(redactText(`no room for ${SHORT}`)).not.toContain(SHORT)
  const path = 'https://a.example/browsers/chromium-stable/cdp'
  expect(redactorOf({ cdpEndpoint: path }).redactText(`nobody responds at ${path}`)).toContain(path)
})
