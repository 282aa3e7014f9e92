// Answers requests of a page itself, records and replays HAR files, and sets the clock.

import { parseJson } from '../../core/base/text/json.ts'
import type { Feature } from '../../core/tool/feature.ts'
import { verb } from '../../core/tool/verb.ts'

export const mockFeature: Feature = {
  name: 'mock',
  async load() {
    const [{ mock }, { addMocks }, { createSessionMocks }, { initScriptFields }] = await Promise.all([
      import('./tool.ts'),
      import('./mock-list.ts'),
      import('./session-mocks.ts'),
      import('./init-script.ts'),
    ])
    return {
      onPage: createSessionMocks,
      sessionFields: initScriptFields,
      otherTools: [mock],
      session: addMocks,
      verbs: [
        verb('mock', mock, '[URL] [STATUS|ANSWER]', '/api/price 503', `/api/price '{"json":{"price":5}}'`, {
          read: ([url, answer]) => ({
            ...(url !== undefined && { url }),
            ...(answer !== undefined && {
              answer: /^\d+$/.test(answer) ? { status: Number(answer) } : (parseJson(answer) ?? answer),
            }),
          }),
        }),
      ],
    }
  },
  documents: async () => [(await import('./har-file.ts')).harFile],
}
