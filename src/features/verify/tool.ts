import * as v from 'valibot'
import { defineKeyTool } from '../../core/tool/define-tool.ts'
import { omit } from '../../core/tool/field-texts.ts'
import { described, filePath, text } from '../../core/tool/fields.ts'
import { addPostLine, pullRequestText } from '../lib/pull-request/add-post-line.ts'
import { runVerify } from './run-verify.ts'
import type { VerdictAnswer } from './verdict/verdict-answer.ts'
import { linesOfVerdict } from './verdict/verdict-lines.ts'

const REVISION_LIMIT_CHARS = 300
const CLAIM_LIMIT = 20
const CLAIM_LIMIT_CHARS = 300

export const verify = defineKeyTool({
  name: 'verify',
  title: 'Verify a change',
  description:
    'Before you say "done": did each changed line run in a browser, as the code is now, and do your claims hold? PASS, FAIL or UNVERIFIED.',
  effect: 'reads',
  input: {
    base: v.optional(described(v.pipe(text(REVISION_LIMIT_CHARS), v.minLength(1)), 'Git revision')),
    claims: v.optional(
      described(
        v.pipe(
          v.array(
            v.strictObject({
              say: v.pipe(text(CLAIM_LIMIT_CHARS), v.minLength(1)),
              check: v.optional(v.looseObject({})),
            }),
          ),
          v.maxLength(CLAIM_LIMIT),
        ),
        'check: input of wait_for',
      ),
    ),
    run: v.optional(described(v.boolean(), 'First run touched tests')),
    cwd: v.optional(filePath),
  },
  output: {
    verdict: v.picklist(['PASS', 'FAIL', 'UNVERIFIED']),
    message: v.string(),
    base: v.string(),
    files: v.array(
      v.object({
        file: v.string(),
        ran: v.array(v.string()),
        partly: v.array(v.string()),
        notRun: v.array(v.string()),
        notLoaded: v.array(v.string()),
        beside: v.array(v.string()),
        seen: v.optional(v.string()),
        vouched: v.optional(v.string()),
        notSeen: v.optional(v.string()),
        notCounted: v.optional(v.string()),
        by: v.optional(v.string()),
        next: v.optional(v.string()),
      }),
    ),
    claims: v.array(v.object({ say: v.string(), verdict: v.string(), seen: v.optional(v.string()) })),
    flows: v.array(
      v.object({
        path: v.string(),
        verdict: v.string(),
        touches: v.array(v.string()),
        at: v.optional(v.string()),
      }),
    ),
    notes: v.optional(v.array(v.string())),
    errors: v.array(v.string()),
    stale: v.array(v.string()),
    file: v.string(),
    pullRequest: v.optional(v.string()),
  },
  texts: {
    verdict: (_: string, data: object) => linesOfVerdict(data as VerdictAnswer),
    message: omit,
    base: omit,
    files: omit,
    claims: omit,
    flows: omit,
    errors: omit,
    stale: omit,
    file: (path: string) => [`all of it: ${path}`],
    pullRequest: pullRequestText,
  },
  run: async (input, sessionKey, context) =>
    addPostLine(await runVerify(input, sessionKey, context), ({ file }) => file, context),
})
