import * as v from 'valibot'
import { invalidParameter } from '../../core/base/failure.ts'
import { err } from '../../core/base/result.ts'
import { defineSessionTool } from '../../core/sessions/tools/define-session-tool.ts'
import { answer } from '../../core/tool/define-tool.ts'
import { described, filePath, integerBetween, text } from '../../core/tool/fields.ts'
import { isActing } from '../lib/replay/prepare-steps.ts'
import type {} from '../recording/recording.ts'
import { DEFAULT_REPLAYS, saveSteps } from './plan/save-steps.ts'
import { findTestPlace } from './plan/test-files.ts'

const REPLAY_LIMIT = 20
const TITLE_LIMIT_CHARS = 200

export const saveTest = defineSessionTool({
  name: 'save_test',
  title: 'Save test',
  description:
    'Write what the session did as a Playwright test to path (new .spec.ts), after 2 replays in fresh sessions. wait_for becomes expect. since: seq of timeline.',
  effect: 'acts',
  input: {
    path: filePath,
    name: v.optional(v.pipe(text(TITLE_LIMIT_CHARS), v.minLength(1))),
    since: v.optional(integerBetween(0, Number.MAX_SAFE_INTEGER)),
    replay: v.optional(integerBetween(1, REPLAY_LIMIT), DEFAULT_REPLAYS),
    run: v.optional(described(v.boolean(), 'Also with Playwright Test')),
  },
  output: {
    path: v.string(),
    actions: v.number(),
    checks: v.number(),
    replays: v.number(),
    config: v.optional(v.string()),
    environment: v.optional(v.array(v.string())),
    run: v.string(),
    notes: v.optional(v.array(v.string())),
  },
  async run({ path, name, since, replay, run }, session, context) {
    const place = await findTestPlace(path, context.files)
    if (!place.ok) return place
    const recording = session.recording.read(since)
    if (!recording.steps.some(isActing)) return err(nothingRecorded(since))
    const request = { ...recording, place: place.value, title: name, replays: replay, run }
    return answer(await saveSteps(request, session, context), (savedTest) => savedTest)
  },
})

const nothingRecorded = (since: number | undefined) =>
  invalidParameter(
    since === undefined ? 'sessionId' : 'since',
    'a session that has done something on a page',
    since === undefined ? 'one without a successful action' : `${since}, with no action after it`,
    'Navigate, act and check with wait_for first.',
  )
