// The tables: each task by server, and the sums of the tasks that all servers did.

import { median } from '../measure.ts'
import type { Tally } from './agent.ts'
import type { Result } from './run.ts'

interface Row extends Tally {
  readonly problem?: string | undefined
}

const SUMS = ['commands', 'turns', 'argumentTokens', 'answerTokens', 'ms'] as const

/** What is compared, and how the figures are called. */
export interface Wording {
  readonly rule: string
  readonly contender: string
  readonly commands: string
  readonly turns: string
  readonly arguments: string
  readonly guide: string
}

const TURN_SECONDS = 2

export const SERVERS: Wording = {
  contender: 'server',
  commands: 'calls',
  turns: 'turns',
  arguments: 'argument tokens',
  guide: 'tokens of tools/list',
  rule: `Each task is a session of its own. After each new state of the page there is one look at it, and everything that can be done with
what was read is done before the next look: in one call where the server has a tool for that, otherwise call by call. A turn is one call, of
a server's tool or of the agent's shell; its arguments are counted with the name of the tool, in o200k tokens, its answer as text. A client
that lets its model send several calls at once saves turns with the servers that have no such tool, but no tokens.`,
}

export const SHELLS: Wording = {
  contender: 'shell',
  commands: 'commands',
  turns: 'lines',
  arguments: 'tokens typed',
  guide: 'tokens of its skill',
  rule: `Each task is a session of its own. After each new state of the page there is one look at it, and everything that can be done with
what was read is done before the next look: in one command where the tool has a form for that, otherwise by several commands. Those of one
round and the look after them are one line of the shell, joined by \`&&\`. What is typed and what is printed, errors too, is counted in o200k tokens,
and the skill once.`,
}

/** The runs of one task with one server as one row: the median of each figure; the problem if any run was not done. */
function rowOf(results: readonly Result[]): Row {
  const problem = results.find((result) => result.problem !== undefined)?.problem
  const medianOf = (key: (typeof SUMS)[number]) =>
    median(results.flatMap(({ tally }) => (tally ? [tally[key]] : [])))
  return {
    commands: medianOf('commands'),
    turns: medianOf('turns'),
    argumentTokens: medianOf('argumentTokens'),
    answerTokens: medianOf('answerTokens'),
    ms: medianOf('ms'),
    problem,
  }
}

/** `guideTokens`, what is read before the first call, by contender. */
export function formatReport(
  results: readonly Result[],
  guideTokens: ReadonlyMap<string, number>,
  wording: Wording,
): string {
  const contenders = [...guideTokens.keys()]
  const taskNames = [...new Set(results.map(({ task }) => task))]
  const rowFor = (contender: string, task: string) =>
    rowOf(results.filter((result) => result.server === contender && result.task === task))
  const cell = ({ problem, commands, argumentTokens, answerTokens, ms }: Row) =>
    problem === undefined
      ? `${commands} ${wording.commands}, ${argumentTokens} + ${answerTokens} tokens, ${ms.toFixed(0)} ms`
      : 'not done'
  const byTask = taskNames.map((task) => [task, ...contenders.map((name) => cell(rowFor(name, task)))])
  const isDone = (contender: string, task: string) => rowFor(contender, task).problem === undefined
  const common = taskNames.filter((task) => contenders.every((contender) => isDone(contender, task)))
  const sums = contenders.map((name) => {
    const doneCount = taskNames.filter((task) => isDone(name, task)).length
    const rows = common.map((task) => rowFor(name, task))
    return [name, `${doneCount} of ${taskNames.length}`, ...sumsOf(rows, guideTokens.get(name) ?? 0)]
  })
  const problems = results.flatMap(({ server, task, problem }) =>
    problem === undefined ? [] : [`${task}, ${server}: ${problem.slice(0, 500)}`],
  )
  return [
    wording.rule,
    `Sums of the ${common.length} tasks that all did:`,
    tableOf([[wording.contender, 'done', ...sumTitlesOf(wording)], ...sums]),
    tableOf([[`task: ${wording.commands}, tokens of arguments + answers, time`, ...contenders], ...byTask]),
    ...new Set(problems),
  ].join('\n\n')
}

const sumTitlesOf = ({ commands, turns, arguments: written, guide }: Wording): readonly string[] => [
  commands,
  turns,
  written,
  'answer tokens',
  'both',
  guide,
  'all tokens',
  'seconds in calls',
  `with ${TURN_SECONDS} s for each of the ${turns}`,
  `with ${TURN_SECONDS} s for each of the ${commands}`,
]

function sumsOf(rows: readonly Row[], guideTokens: number): readonly string[] {
  const [commands, turns, written, answered, ms] = SUMS.map((key) =>
    rows.reduce((total, row) => total + row[key], 0),
  ) as [number, number, number, number, number]
  const tokens = written + answered
  const secondsWith = (count: number) => (ms / 1000 + count * TURN_SECONDS).toFixed(1)
  return [
    ...[commands, turns, written, answered, tokens, guideTokens, tokens + guideTokens].map(String),
    ...[0, turns, commands].map(secondsWith),
  ]
}

const tableOf = ([header = [], ...lines]: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n')
