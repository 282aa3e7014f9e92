// `footlight verify --hook CLIENT`: the command by which a client asks whether its agent may stop. The work is done by another process, which
// is given up after a while; everything but its answer lets the agent stop.

import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import process from 'node:process'
import { startTimer } from '../../../core/base/system/timer.ts'
import { selfCommand } from '../../../core/cli/terminal/start-command.ts'
import type { InnerCommand } from '../../../core/tool/command.ts'
import { readOutputDir } from '../ledger/read-output-dir.ts'
import { type AgentStop, parseAgentStop } from './agent-stop.ts'
import { hookAnswers, isHookClient, LET_THROUGH } from './hook-answers.ts'

/** Clients wait for it; 2 s are the limit. */
const LIMIT_MS = 1400

export const stopHookCommand: InnerCommand = {
  async run(words) {
    const stop = optionOf(words, 'stop')
    if (stop !== undefined) return judgeInThisProcess(stop, words)
    const client = optionOf(words, 'hook') ?? ''
    // Exit code 2 would ask the agent to go on.
    if (!isHookClient(client)) return end(1, 2, `${describeUnknownClient(client)}\n`)
    startTimer(LIMIT_MS - performance.now(), () => end(0, 1, LET_THROUGH))
    const reason = await askForReason(words).catch(() => '')
    end(0, 1, reason === '' ? LET_THROUGH : JSON.stringify(hookAnswers[client](reason)))
  },
}

// --- internal ---

const describeUnknownClient = (client: string): string =>
  `footlight: verify --hook: expected one of ${Object.keys(hookAnswers).join(', ')}, received "${client.slice(0, 100)}". Other clients have no hook for an agent that is about to stop`

function optionOf(words: readonly string[], name: string): string | undefined {
  const index = words.findIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`))
  const word = words[index]
  if (word === undefined) return undefined
  return word.includes('=') ? word.slice(word.indexOf('=') + 1) : (words[index + 1] ?? '')
}

const hasGroups = process.platform !== 'win32'

let endChild = () => {}

function end(exitCode: number, stream: 1 | 2, text: string): never {
  endChild()
  try {
    writeSync(stream, text)
  } catch {
    // Nobody listens any more.
  }
  process.exit(exitCode)
}

async function askForReason(words: readonly string[]): Promise<string> {
  const stop = parseAgentStop(await readInput())
  if (!stop || stop.isContinued === true) return ''
  return runChild(['verify', ...words, '--stop', JSON.stringify(stop)])
}

const INPUT_LIMIT_CHARS = 10_000_000

async function readInput(): Promise<string> {
  let text = ''
  process.stdin.setEncoding('utf8')
  for await (const chunk of process.stdin) {
    text += String(chunk)
    if (text.length > INPUT_LIMIT_CHARS) return ''
  }
  return text
}

/** The output of this program with these words; empty if it fails. It has a group of its own, so that its git ends with it. */
function runChild(words: readonly string[]): Promise<string> {
  const { command, args } = selfCommand(words)
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: hasGroups,
    windowsHide: true,
  })
  endChild = () => {
    try {
      if (!hasGroups) child.kill('SIGKILL')
      else if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  return new Promise((resolve) => {
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    child.on('error', () => resolve(''))
    child.on('close', (code) => {
      endChild = () => {}
      resolve(code === 0 ? output : '')
    })
  })
}

async function judgeInThisProcess(stop: string, words: readonly string[]): Promise<void> {
  // A client may kill the process that waits for this one.
  const timer = startTimer(LIMIT_MS, () => process.kill(hasGroups ? -process.pid : process.pid, 'SIGKILL'))
  const { judgeStop } = await import('./judge-stop.ts')
  const outputDir = optionOf(words, 'output-dir') || readOutputDir(process.env)
  process.stdout.write(await judgeStop(JSON.parse(stop) as AgentStop, outputDir))
  timer.stop()
}
