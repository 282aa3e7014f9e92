// What a session did, action by action, for tests that are written from it, for comparisons and for the view.

import type { Feature } from '../../core/tool/feature.ts'

export const recordingFeature: Feature = {
  name: 'recording',
  async load() {
    const [{ createRecordedPage }, { createRecording }, { recordAction }] = await Promise.all([
      import('./recorded-page.ts'),
      import('./recording.ts'),
      import('./record-action.ts'),
    ])
    return {
      onPage: createRecordedPage,
      session({ ports: { clock } }) {
        const recording = createRecording()
        return {
          members: { recording },
          perform: (action, next, call) => recordAction(recording, clock, action, next, call),
        }
      },
    }
  },
}
