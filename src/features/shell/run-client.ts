// `footlight VERB …`: sends the words to the server of this work tree and agent, and writes its answer. Nothing else is loaded before, because
// each command pays for it.

import { existsSync, fstatSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { readJsonLines } from '../../core/base/system/json-lines.ts'
import { startTimer, type Timer } from '../../core/base/system/timer.ts'
import { loadInnerCommand } from '../../core/cli/commands/commands.ts'
import { VERSION } from '../../core/cli/options/version.ts'
import { beginJob } from '../lib/job-start.ts'
import type { ShellAnswer } from '../lib/socket/shell-answer.ts'
import {
  EXIT_CODES,
  formatCommand,
  helloOf,
  noServerAnswer,
  parseAnswer,
  pingLine,
  type ShellCommandLine,
  splitSessionOption,
} from '../lib/socket/shell-message.ts'
import { findWorkTree, listSockets, openSocketFolder, type SocketPlace } from '../lib/socket/socket-folder.ts'
import { CONFIG_NAMES } from '../lib/test-files/config-names.ts'
import { type CallingAgent, findCallingAgent } from './calling-agent.ts'
import { describeLastEnding } from './last-ending.ts'

/** What opens a session or needs none: for it a server is started. */
const STARTING_VERB = /^(open|up|create[-_]session|test|run[-_]test|view)$/
const TEST_VERB = /^(test|run[-_]test)$/
/** What can also run in this process. */
const LONE_VERB = /^verify$/
const STARTING_LINE = /^\s*(open|up)\b/m

/** Runs one command line and exits. */
export async function runShellClient(args: readonly string[]): Promise<void> {
  const { argv: words, ownerPid, isNamed, verb, rest, hasLines } = readWords(args)
  const isLone = LONE_VERB.test(verb)
  const { value: serverCommand, others } = isLone ? takeOption(words, '--command') : { others: words }
  const argv = TEST_VERB.test(verb) ? [...words, ...(await readEnvironment(rest))] : others
  if (isLone && argv.includes('--ci')) beginJob()
  const inner = innerCommandOf(verb, argv)
  const innerCommand = inner && (await loadInnerCommand(inner.name))
  if (innerCommand) return void (await innerCommand.run(inner.words))
  const stdin = verb === 'do' && !hasLines ? readInput() : undefined
  const command: ShellCommandLine = {
    argv,
    cwd: process.cwd(),
    stdin,
    ...(isTerminal(1) && { columns: process.stdout.columns }),
  }
  const socketFolder = openSocketFolder()
  if (typeof socketFolder === 'string')
    return print(
      isLone && serverCommand === undefined ? await runWithoutServer(command) : noServerAnswer(socketFolder),
    )
  const { folder } = socketFolder
  const agent = await findCallingAgent(ownerPid)
  const place = { tree: findWorkTree(process.cwd()), agent: agent.key }
  const startsServer = verb === 'compare' && argv.some((word) => /^--command(=|$)/.test(word))
  const starts =
    startsServer ||
    STARTING_VERB.test(verb) ||
    STARTING_LINE.test(verb === 'do' ? (stdin ?? argv.join('\n')) : '')
  const addEnding = (one: ShellAnswer, isServed: boolean) =>
    isNamed ? one : addLine(one, describeLastEnding(folder, place, isServed))
  const answer = await askServers(folder, place, command, isNamed, starts)
  const isOpen = answer?.exitCode !== EXIT_CODES.noSession
  if (answer && (isOpen || isNamed || !isLone)) return print(addEnding(answer, true))
  const ask = async (words: readonly string[]) => {
    const line = { ...command, argv: words }
    return (await askServers(folder, place, line, false, true)) ?? askNewServer(folder, place, agent, line)
  }
  if (serverCommand !== undefined) return verifyWithServer(serverCommand, argv, ask)
  if (isLone && argv.some((word) => /^--(ci|run)$/.test(word)) && hasTests(process.cwd())) {
    const base = argv.filter((word, index) => /^--base(=|$)/.test(word) || argv[index - 1] === '--base')
    // What they ran is in the ledger. Why they failed is not part of the verdict.
    const tests = await ask(['test', '--touched', ...base, ...(await readEnvironment([]))])
    if (tests.exitCode !== EXIT_CODES.success) writeAll(2, Buffer.from(tests.text))
  }
  if (!starts)
    return print(
      addOtherAgents(
        addEnding(await runWithoutServer(command), false),
        listSockets(folder, place).some(({ isOfAgent }) => !isOfAgent),
      ),
    )
  return print(await askNewServer(folder, place, agent, command))
}

async function askNewServer(
  folder: string,
  place: SocketPlace,
  agent: CallingAgent,
  command: ShellCommandLine,
): Promise<ShellAnswer> {
  const { startServer } = await import('./start-server.ts')
  const startResult = await startServer(folder, place, agent, command)
  if ('text' in startResult) return startResult
  const answer = await askServers(folder, place, startResult, false, true)
  return answer ?? noServerAnswer('the server ended before it answered')
}

/** Verifies in a session with a server of this command, which is there for that alone. */
async function verifyWithServer(
  serverCommand: string,
  argv: readonly string[],
  ask: (words: readonly string[]) => Promise<ShellAnswer>,
): Promise<void> {
  const up = await ask(['up', serverCommand, '/'])
  if (up.exitCode !== EXIT_CODES.success) return print(up)
  print(await ask(argv))
  await ask(['close'])
}

/** Whether Playwright Test is configured in a folder or in one around it. */
function hasTests(folder: string): boolean {
  const parent = dirname(folder)
  const isHere = CONFIG_NAMES.some((name) => existsSync(join(folder, name)))
  return isHere || (parent !== folder && !existsSync(join(folder, '.git')) && hasTests(parent))
}

/** The value of an option, and the words without it. */
function takeOption(words: readonly string[], name: string) {
  const at = words.findIndex((word) => word === name || word.startsWith(`${name}=`))
  const isJoined = words[at] !== name
  const value = at < 0 ? undefined : isJoined ? words[at]?.slice(name.length + 1) : words[at + 1]
  if (value === undefined) return { value, others: words }
  return { value, others: words.filter((_, index) => index !== at && (isJoined || index !== at + 1)) }
}

/** The command that runs in place of the verb. */
function innerCommandOf(verb: string, argv: readonly string[]) {
  const folder = argv.findLast((word) => /[/\\]$/.test(word))
  if (verb === 'report' && folder !== undefined) return { name: 'report-index', words: [folder] }
  const isHook = verb === 'verify' && argv.some((word) => /^--hook(=|$)/.test(word))
  return isHook ? { name: 'stop-hook', words: argv.slice(argv.indexOf(verb) + 1) } : undefined
}

/** Where another agent of this work tree has a server, its sessions can be used by name. */
const addOtherAgents = (answer: ShellAnswer, hasOthers: boolean): ShellAnswer =>
  addLine(
    answer,
    hasOthers
      ? 'Another agent of this folder has sessions: footlight daemon lists its server, -s NAME uses one of them.'
      : '',
  )

/** The answer that there is no session, with a line about why. */
const addLine = (answer: ShellAnswer, line: string): ShellAnswer =>
  line !== '' && answer.text.startsWith('SESSION_NOT_FOUND')
    ? { ...answer, text: `${answer.text}${line}\n` }
    : answer

const runWithoutServer = async (command: ShellCommandLine): Promise<ShellAnswer> =>
  (await import('./start-server.ts')).runWithoutServer(command)

/** The words of a command line, and those among them that the client itself needs. */
function readWords(args: readonly string[]) {
  const at = args.findIndex((word) => word === '--owner-pid')
  const argv = at < 0 ? args : args.filter((_, index) => index !== at && index !== at + 1)
  const { session, words } = splitSessionOption(argv)
  const [verb = '', ...rest] = words
  return {
    argv,
    ownerPid: at < 0 ? undefined : Number(args[at + 1]),
    isNamed: session !== undefined,
    verb,
    rest,
    hasLines: rest.some((word) => !word.startsWith('--')),
  }
}

const readEnvironment = async (words: readonly string[]): Promise<readonly string[]> =>
  words.includes('--help') ? [] : (await import('./named-environment.ts')).namedEnvironment(words)

function readInput(): string {
  return isTerminal(0) ? '' : readFileSync(0, 'utf8')
}

/** The answer of the first server that has one; undefined where none runs that could open the session. A named session may be one of
 * another agent, so all servers of the work tree are asked for it. */
async function askServers(
  folder: string,
  place: SocketPlace,
  command: ShellCommandLine,
  isNamed: boolean,
  starts: boolean,
): Promise<ShellAnswer | undefined> {
  const sockets = listSockets(folder, place)
  const own = sockets.filter(({ isOfAgent }) => isOfAgent)
  if (!isNamed) return askFirst(own, command)
  for (const socket of sockets) {
    const answer = await askFirst([socket], { ...command, isOnlyExisting: true })
    if (answer && answer.exitCode !== EXIT_CODES.noSession) return answer
  }
  return starts ? askFirst(own, command) : sockets.length > 0 ? askFirst(sockets, command) : undefined
}

async function askFirst(
  sockets: readonly { readonly path: string }[],
  command: ShellCommandLine,
): Promise<ShellAnswer | undefined> {
  for (const { path } of sockets) {
    const answer = await askServer(path, command)
    if (answer && !answer.hasEnded) return answer
    // A socket that refuses connections was left by a server that was killed.
    if (process.platform !== 'win32') rmSync(path, { force: true })
  }
  return undefined
}

/** Longer than anything that keeps the loop of a server busy. */
const SILENCE_LIMIT_MS = 60_000

/** More than any answer. */
const LINE_LIMIT_BYTES = 200_000_000

/** Sends a command to the server on a socket; undefined if nobody listens there. A server that says nothing for a while, to questions whether it
 * lives neither, has no answer. */
export function askServer(
  path: string,
  command: ShellCommandLine,
  silenceLimitMs = SILENCE_LIMIT_MS,
): Promise<ShellAnswer | undefined> {
  return new Promise((resolve) => {
    let [isConnected, isAsked] = [false, false]
    let timer: Timer | undefined
    const end = (answer: ShellAnswer | undefined): void => {
      timer?.stop()
      resolve(answer)
      socket.destroy()
    }
    const listen = (): void => {
      timer?.stop()
      timer = startTimer(silenceLimitMs / 2, () => {
        if (isAsked) return end(silentAnswer(silenceLimitMs))
        isAsked = true
        socket.write(pingLine)
        listen()
      })
    }
    const socket = connect(path, () => {
      isConnected = true
      socket.write(helloOf(VERSION) + formatCommand(command, VERSION))
      listen()
    })
    socket.on('data', () => {
      isAsked = false
      listen()
    })
    readJsonLines(socket, { bytes: LINE_LIMIT_BYTES }, (line) => {
      const answer = parseAnswer(line)
      showProgress('progress' in answer ? answer.progress : '')
      if (!('progress' in answer)) end('error' in answer ? noServerAnswer(answer.error) : answer)
    })
    socket.on('error', () => {})
    socket.on('close', () => end(isConnected ? noServerAnswer(BROKEN) : undefined))
  })
}

const silentAnswer = (limitMs: number): ShellAnswer => ({
  text: `footlight: the server has said nothing for ${limitMs / 1000} s. footlight daemon lists the servers; end its process if it hangs\n`,
  exitCode: EXIT_CODES.timeout,
  stream: 'stderr',
})

const BROKEN =
  'the server broke off before it answered. footlight daemon lists the servers, footlight open URL starts one'

// The module of terminals costs as much as the rest of a command.
const isTerminal = (descriptor: 0 | 1 | 2): boolean =>
  fstatSync(descriptor).isCharacterDevice() &&
  [process.stdin, process.stdout, process.stderr][descriptor]?.isTTY === true

let isProgressShown = false

function showProgress(text: string): void {
  if ((text === '' && !isProgressShown) || !isTerminal(2)) return
  writeSync(2, `\r\u001b[K${text}`)
  isProgressShown = text !== ''
}

function print({ text, exitCode, stream }: ShellAnswer): void {
  process.exitCode = exitCode
  if (text !== '') writeAll(stream === 'stdout' ? 1 : 2, Buffer.from(text))
}

// The streams of `process` cost several milliseconds. They are needed only where the reader is slow and its pipe does not block.
function writeAll(descriptor: 1 | 2, bytes: Uint8Array): void {
  let from = 0
  try {
    while (from < bytes.length) from += writeSync(descriptor, bytes, from)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EAGAIN') (descriptor === 1 ? process.stdout : process.stderr).write(bytes.subarray(from))
    // A reader that stops early, such as `head`, is no error.
    else if (code !== 'EPIPE') throw error
  }
}
