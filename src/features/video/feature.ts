// Records a session as a WebM with the mouse and captions.

import type { Feature } from '../../core/tool/feature.ts'
import { verb } from '../../core/tool/verb.ts'

export const videoFeature: Feature = {
  name: 'video',
  after: ['recording'],
  async load() {
    const [{ video }, { addVideo, createPageVideo }] = await Promise.all([
      import('./tool.ts'),
      import('./session-video.ts'),
    ])
    return {
      onPage: createPageVideo,
      session: addVideo,
      otherTools: [video],
      verbs: [verb('video', video, 'ACTION [PATH]', 'start', 'stop checkout.webm')],
    }
  },
}
