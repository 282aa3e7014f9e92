// The browser of the user, for the sessions of a server. What attaches is loaded with the first one that asks for it.

import type { AttachedBrowsers } from '../../core/browser/process/pool-options.ts'
import type { ServerStart } from '../../core/tool/feature.ts'

export function attachedBrowsersOf(start: ServerStart): AttachedBrowsers {
  let loading: Promise<AttachedBrowsers> | undefined
  const load = () =>
    (loading ??= import('./attach-browser.ts').then(({ createAttachedBrowsers }) =>
      createAttachedBrowsers(start),
    ))
  return {
    open: async (options) => (await load()).open(options),
    end: async () => (await loading)?.end(),
  }
}
