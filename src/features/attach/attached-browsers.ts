// The browser of the user, for the sessions of a server. What attaches is loaded with the first one that asks for it.

import type { AttachedBrowsers } from '../../core/browser/process/pool-options.ts'
import type { Settings } from '../../core/cli/options/options.ts'

export function attachedBrowsersOf(settings: Settings): AttachedBrowsers {
  let loading: Promise<AttachedBrowsers> | undefined
  const load = () =>
    (loading ??= import('./attach-browser.ts').then(({ createAttachedBrowsers }) =>
      createAttachedBrowsers(settings),
    ))
  return {
    open: async (options) => (await load()).open(options),
    end: async () => (await loading)?.end(),
  }
}
