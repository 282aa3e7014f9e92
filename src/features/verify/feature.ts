// Did what was changed run in a browser, as the code is now, and does it hold: git and what V8 counts come in, a verdict of three words goes out.

import * as v from 'valibot'
import { ok } from '../../core/base/result.ts'
import { switchOption } from '../../core/cli/options/option-schemas.ts'
import type { SettingsOf } from '../../core/cli/options/options.ts'
import { defineSessionFields } from '../../core/sessions/tools/session-fields.ts'
import type { Feature } from '../../core/tool/feature.ts'
import { described } from '../../core/tool/fields.ts'
import { type Fields, verb } from '../../core/tool/verb.ts'

const entries = {
  guard: switchOption(false, 'run the tests that an edit touches'),
}

const serverEntries = {
  serverCoverage: switchOption(true, 'for verify: count what Node servers run'),
}

declare module '../../core/cli/options/options.ts' {
  interface Settings extends SettingsOf<typeof entries & typeof serverEntries> {}
}

export const verifyFeature: Feature = {
  name: 'verify',
  after: ['freshness', 'sources', 'run-test'],
  options: [
    { group: 'Tools', entries },
    { group: 'Server', before: 'outputDir', entries: serverEntries },
  ],
  innerCommands: { 'stop-hook': async () => (await import('./stop-hook/run-stop-hook.ts')).stopHookCommand },
  documents: async () => [
    (await import('./coverage/counted-script.ts')).countedScript,
    (await import('./page/style-lines.ts')).usedStyle,
  ],
  async load() {
    const [{ verify }, { getSessionStatus }, { startVerify }] = await Promise.all([
      import('./tool.ts'),
      import('./status-tool.ts'),
      import('./verify-service.ts'),
    ])
    return {
      start: startVerify,
      sessionFields: defineSessionFields({
        entries: { guard: v.optional(described(v.boolean(), 'Run tests that edits touch')) },
        read: ({ guard }) => ok({ request: { guard } }),
      }),
      // With a frame of its own for each document, V8 would lose the counters of the code that ran before a navigation.
      launch: () => ({ chromiumFeatures: ['RenderDocument:level/crashed-frame'] }),
      tools: [verify],
      extended: [getSessionStatus],
      verbs: [
        verb('verify', verify, '', '', '--base main --ci', {
          about:
            'Did each changed line run in a browser, as the code is now? PASS, FAIL or UNVERIFIED. --run first runs the tests that the change touches. --ci does so where the project has Playwright Test, and prints Markdown. The exit code is 0, 1 or 5. --command COMMAND starts a server for it where no session is open. --hook CLIENT answers the hook by which a client says that its agent is about to stop.',
          flags: { ci: { ci: true, run: true } },
          judge: judgeVerdict,
          runAlone: async (input) => (await import('./lone-verify.ts')).runLoneVerify(input),
        }),
      ],
    }
  },
}

// --- internal ---

const EXIT_CODES: Readonly<Record<string, number>> = { PASS: 0, FAIL: 1, UNVERIFIED: 5 }

const judgeVerdict = ({ file, verdict }: Fields) => ({
  markdown: String(file),
  exitCode: EXIT_CODES[String(verdict)] ?? 1,
  isVerdict: true as const,
})
