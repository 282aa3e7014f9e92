// A page for people that shows all sessions: watch, take over, comment.

import type { Feature } from '../../core/tool/feature.ts'
import { verb } from '../../core/tool/verb.ts'

export const viewFeature: Feature = {
  name: 'view',
  after: ['recording', 'report', 'sources'],
  async load() {
    const [
      { handover },
      { addControl },
      { addPins },
      { addViews },
      { createViewedPage },
      { createViewStarter },
    ] = await Promise.all([
      import('./tool.ts'),
      import('./session-control.ts'),
      import('./session-pins.ts'),
      import('./session-views.ts'),
      import('./viewed-page.ts'),
      import('./view-starter.ts'),
    ])
    return {
      createView: createViewStarter,
      onPage: createViewedPage,
      tools: [handover],
      session: (session) => [addControl(session), addPins(session)],
      manager: addViews,
      verbs: [
        verb('handover', handover, 'REASON', '"Solve the captcha"', '"Log in as Ada" --timeout 600000'),
      ],
    }
  },
  commands: { view: async () => (await import('./view-command.ts')).viewCommand },
}
