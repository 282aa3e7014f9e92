import * as v from 'valibot'
import { readServerRequest, serverInput } from '../../core/sessions/tools/server-fields.ts'
import { defineKeyTool } from '../../core/tool/define-tool.ts'
import { omit, showLines } from '../../core/tool/field-texts.ts'
import { described, filePath, text } from '../../core/tool/fields.ts'
import { indent } from '../../core/tool/plain-lines.ts'
import { addPostLine, pullRequestText } from '../lib/pull-request/add-post-line.ts'
import {
  describeDifference,
  type Expectation,
  type Masked,
  type StepDifferences,
} from './differences/comparison.ts'
import { compareVersions } from './flow/compare-versions.ts'

const PLACE_LIMIT_CHARS = 4096
const PATH_LIMIT = 50
const CHECK_LIMIT = 20
const ONLY_LIMIT = 20

const { command, cwd, env, readyTimeout } = serverInput

const difference = v.object({
  kind: v.picklist(['tree', 'pixels', 'console', 'request', 'address', 'title', 'accessibility', 'layout']),
  change: v.picklist(['added', 'removed', 'changed']),
  text: v.optional(v.string()),
  box: v.optional(v.array(v.number())),
  elements: v.optional(v.array(v.string())),
  file: v.optional(v.string()),
  line: v.optional(v.number()),
  inDiff: v.optional(v.boolean()),
  isOutside: v.optional(v.literal(true)),
})

export const compare = defineKeyTool({
  name: 'compare',
  title: 'Compare versions',
  description:
    'What the change does for a user: a flow in base (revision, folder, URL; default: where the branch began) and now. Each difference, and its line where evidence tells.',
  effect: 'acts',
  input: {
    base: v.optional(v.pipe(text(PLACE_LIMIT_CHARS), v.minLength(1))),
    current: v.optional(filePath),
    flow: v.optional(
      described(
        v.pipe(
          v.array(v.pipe(text(PLACE_LIMIT_CHARS), v.minLength(1))),
          v.minLength(1),
          v.maxLength(PATH_LIMIT),
        ),
        '"session" (its steps), a saved test, or paths; default: pages visited',
      ),
    ),
    expect: v.optional(
      described(
        v.pipe(v.array(v.looseObject({})), v.maxLength(CHECK_LIMIT)),
        'Arguments of wait_for, judged last',
      ),
    ),
    only: v.optional(
      described(
        v.pipe(
          v.array(v.pipe(text(PLACE_LIMIT_CHARS), v.minLength(1))),
          v.minLength(1),
          v.maxLength(ONLY_LIMIT),
        ),
        'What may change: texts or CSS selectors',
      ),
    ),
    command,
    cwd,
    env,
    readyTimeout,
  },
  output: {
    message: v.string(),
    base: v.string(),
    current: v.string(),
    steps: v.array(
      v.object({ step: v.number(), title: v.string(), url: v.string(), differences: v.array(difference) }),
    ),
    unexplained: v.number(),
    unproven: v.number(),
    masked: v.array(v.object({ step: v.number(), what: v.string(), why: v.string() })),
    expect: v.array(v.object({ check: v.string(), base: v.boolean(), current: v.boolean() })),
    files: v.object({ html: v.string(), md: v.string() }),
    notes: v.optional(v.array(v.string())),
    pullRequest: v.optional(v.string()),
  },
  texts: {
    base: omit,
    current: omit,
    unexplained: omit,
    unproven: omit,
    steps: (steps: readonly StepDifferences[]) =>
      steps.flatMap(({ step, title, differences }) => [
        `step ${step} ${title}`,
        ...indent(differences.map(describeDifference)),
      ]),
    masked: (masked: readonly Masked[]) =>
      masked.map(({ step, what, why }) => `masked in step ${step}: ${what} (${why})`),
    expect: (checks: readonly Expectation[]) =>
      checks.map(({ check, base, current }) => `expect ${check}: ${verdictOf(base, current)}`),
    files: ({ html, md }: { readonly html: string; readonly md: string }) => [`files: ${html}, ${md}`],
    notes: showLines,
    pullRequest: pullRequestText,
  },
  async run(
    { command: ownCommand, cwd: folder, env: variables, readyTimeout: limit, ...input },
    sessionKey,
    context,
  ) {
    const server = readServerRequest({
      command: ownCommand,
      cwd: folder,
      env: variables,
      readyTimeout: limit,
    })
    if (!server.ok) return server
    const outcome = await compareVersions({ ...input, server: server.value }, sessionKey, context)
    return addPostLine(outcome, ({ files }) => files.md, context)
  },
})

// --- internal ---

function verdictOf(base: boolean, current: boolean): string {
  if (current) return base ? 'holds in both' : 'holds now, not in the base'
  return base ? 'does NOT hold now, but in the base' : 'does NOT hold in either'
}
