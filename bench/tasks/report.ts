// The tables: each task by server, and the sums of the tasks that all servers did.

import { median } from '../measure.ts'
import type { Tally } from './agent.ts'
import type { Result } from './run.ts'

interface Row extends Tally {
  readonly problem?: string | undefined
}

const SUMS = ['turns', 'argumentTokens', 'answerTokens', 'ms'] as const

const RULE = `Each task is a session of its own. After each new state of the page there is one look at it, and everything that can be done with
what was read is done before the next look: in one call where the server has a tool for that, otherwise call by call. A turn is one call, of
a server's tool or of the agent's shell; its arguments are counted with the name of the tool, in o200k tokens, its answer as text. A client
that lets its model send several calls at once saves turns with the servers that have no such tool, but no tokens.`

/** The runs of one task with one server as one row: the median of each figure; the problem if any run was not done. */
function rowOf(results: readonly Result[]): Row {
  const problem = results.find((result) => result.problem !== undefined)?.problem
  const medianOf = (key: (typeof SUMS)[number]) =>
    median(results.flatMap(({ tally }) => (tally ? [tally[key]] : [])))
  return {
    turns: medianOf('turns'),
    argumentTokens: medianOf('argumentTokens'),
    answerTokens: medianOf('answerTokens'),
    ms: medianOf('ms'),
    problem,
  }
}

/** `listTokens` by server. */
export function formatReport(results: readonly Result[], listTokens: ReadonlyMap<string, number>): string {
  const servers = [...listTokens.keys()]
  const taskNames = [...new Set(results.map(({ task }) => task))]
  const rowFor = (server: string, task: string) =>
    rowOf(results.filter((result) => result.server === server && result.task === task))
  const cell = ({ problem, turns, argumentTokens, answerTokens, ms }: Row) =>
    problem === undefined
      ? `${turns} turns, ${argumentTokens} + ${answerTokens} tokens, ${ms.toFixed(0)} ms`
      : 'not done'
  const byTask = taskNames.map((task) => [task, ...servers.map((server) => cell(rowFor(server, task)))])
  const isDoneByAll = (task: string) => servers.every((server) => rowFor(server, task).problem === undefined)
  const common = taskNames.filter(isDoneByAll)
  const sums = servers.map((server) => {
    const rows = common.map((task) => rowFor(server, task))
    const sum = (key: (typeof SUMS)[number]) => rows.reduce((total, row) => total + row[key], 0)
    const tokens = sum('argumentTokens') + sum('answerTokens')
    const figures = [sum('turns'), sum('argumentTokens'), sum('answerTokens'), tokens, sum('ms').toFixed(0)]
    const done = taskNames.filter((task) => rowFor(server, task).problem === undefined).length
    return [server, `${done} of ${taskNames.length}`, ...figures.map(String), String(listTokens.get(server))]
  })
  const problems = results.flatMap(({ server, task, problem }) =>
    problem === undefined ? [] : [`${task}, ${server}: ${problem.slice(0, 500)}`],
  )
  return [
    RULE,
    `Sums of the ${common.length} tasks that every server did:`,
    tableOf([
      [
        'server',
        'done',
        'turns',
        'argument tokens',
        'answer tokens',
        'both',
        'ms in calls',
        'tokens of tools/list',
      ],
      ...sums,
    ]),
    tableOf([['task: turns, tokens of arguments + answers, time', ...servers], ...byTask]),
    ...new Set(problems),
  ].join('\n\n')
}

const tableOf = ([header = [], ...lines]: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n')
