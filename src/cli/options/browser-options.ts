// The options of the browsers and how they are reached.

import * as v from 'valibot'
import { oneOf, path, textList, whole, yesNo, type Option } from './option-schemas.ts'
import { PLAYWRIGHT_SERIES } from '../../browser/playwright/version.ts'
import { BROWSER_NAMES } from '../../core/browser-names.ts'
import { parseUserProxy } from '../../core/network/user-proxy.ts'

export const browser = {
  browser: {
    schema: v.optional(oneOf(...BROWSER_NAMES), 'chromium'),
    group: 'Browser',
    value: 'NAME',
    about: BROWSER_NAMES.join(', '),
  },
  headless: {
    schema: v.optional(yesNo, false),
    group: 'Browser',
    about: 'run without a window; automatic when there is no display',
  },
  executablePath: {
    schema: v.optional(path),
    group: 'Browser',
    value: 'PATH',
    about: 'browser executable to run instead of the detected one',
  },
  connect: {
    schema: v.optional(v.pipe(v.string('a WebSocket URL'), v.regex(/^wss?:\/\//, 'a WebSocket URL'))),
    group: 'Browser',
    value: 'URL',
    about: `use the browsers of a remote Playwright server (${PLAYWRIGHT_SERIES})`,
  },
  cdpEndpoint: {
    schema: v.optional(v.pipe(v.string('a URL'), v.regex(/^(https?|wss?):\/\//, 'a URL'))),
    group: 'Browser',
    value: 'URL',
    about: 'connect to a running Chromium by its CDP address',
  },
  proxyServer: {
    schema: v.optional(
      v.pipe(
        v.string('a proxy'),
        v.check(
          (text) => parseUserProxy(text) !== undefined,
          'a proxy without a password, such as http://HOST:PORT or socks5://HOST:PORT',
        ),
      ),
    ),
    group: 'Browser',
    value: 'URL',
    about: 'proxy through which browsers reach other machines',
    byDefault: 'the settings of the browser',
  },
  proxyBypass: {
    schema: v.optional(textList('a list of hosts')),
    group: 'Browser',
    value: 'LIST',
    about: 'with proxy-server: hosts to reach without it, as localhost always is',
    byDefault: 'none',
  },
  launchTimeout: {
    schema: v.optional(whole(100, 600_000), 30_000),
    group: 'Browser',
    value: 'MS',
    about: 'maximum time for a browser to start',
  },
  isolation: {
    schema: v.optional(oneOf('context', 'browser'), 'context'),
    group: 'Browser',
    value: 'KIND',
    about: 'context: sessions share a browser process; browser: each session has its own',
  },
  warm: {
    schema: v.optional(whole(0, 20)),
    group: 'Browser',
    value: 'N',
    about: 'pages opened in advance, so that sessions start faster',
    byDefault: '1 headless, 0 with windows',
  },
  recycleAfter: {
    schema: v.optional(whole(1, 1_000_000), 500),
    group: 'Browser',
    value: 'N',
    about: 'replace the browser after this number of sessions',
  },
  testIdAttribute: {
    schema: v.optional(
      v.pipe(v.string('an attribute'), v.regex(/^[a-zA-Z][\w.:-]*$/, 'an attribute')),
      'data-testid',
    ),
    group: 'Browser',
    value: 'NAME',
    about: 'attribute that getByTestId and suggested selectors use',
  },
} as const satisfies Record<string, Option>
