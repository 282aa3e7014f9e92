// A page for people that shows all sessions: watch, take over, comment.

import { switchOption } from '../../core/cli/options/option-schemas.ts'
import type { SettingsOf } from '../../core/cli/options/options.ts'
import type { Feature } from '../../core/tool/feature.ts'
import { verb } from '../../core/tool/verb.ts'

const entries = {
  view: switchOption(false, 'serve footlight view; stderr has its address'),
} as const

declare module '../../core/cli/options/options.ts' {
  interface Settings extends SettingsOf<typeof entries> {}
}

export const viewFeature: Feature = {
  name: 'view',
  after: ['recording', 'report', 'sources'],
  options: [{ group: 'Server', before: 'outputDir', entries }],
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
      start: ({ settings }) => ({ announcesView: settings.view }),
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
