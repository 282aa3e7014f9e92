// Browsers on other machines: Playwright servers, DevTools addresses, services that create browsers, a Selenium Grid.

import process from 'node:process'
import { text } from 'node:stream/consumers'
import type { Feature } from '../../core/tool/feature.ts'
import type { RemoteRelease } from './remote-release.ts'
import { entries, findConflict } from './settings.ts'

export const remoteFeature: Feature = {
  name: 'remote',
  options: [{ group: 'Browser', before: 'proxyServer', entries }],
  findConflict,
  async load() {
    const { createRemoteBrowsers } = await import('./remote-browsers.ts')
    return { start: (start) => ({ remote: createRemoteBrowsers(start) }) }
  },
  innerCommands: {
    // What releases what a killed Footlight holds on other machines.
    async 'release-remote-browsers'() {
      const { releaseRemote } = await import('./release-remote.ts')
      return {
        async run() {
          await releaseRemote(JSON.parse(await text(process.stdin)) as RemoteRelease)
          process.exit(0)
        },
      }
    },
  },
}
